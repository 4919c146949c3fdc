#include "examples/mini_server/ops/gemm.h"
#include "examples/mini_server/ops/im2col.h"
#include "examples/mini_server/ops/ops.h"
#include "examples/mini_server/ops/require.h"

namespace mini {
namespace {

void convolve_image(const ConvGeometry& geometry, const Tensor& image, const Tensor& weights, Tensor output) {
  const GemmSizes sizes{weights.size(0), geometry.pixels(), geometry.depth()};
  if (geometry.kernel == 1 && geometry.stride == 1) {
    gemm(sizes, weights.data(), image.data(), output.data());
    return;
  }
  const Tensor columns = im2col(geometry, image);
  gemm(sizes, weights.data(), columns.data(), output.data());
}

}  // namespace
}  // namespace mini

void mini_op_conv2d(const mini::Tensor& input, const mini::Tensor& weights, std::size_t stride,
                    mini::Tensor& output) {
  using namespace mini;
  require_axes("conv2d", 4, input.sizes());
  require_channels("conv2d", weights.size(1), input.sizes());
  const ConvGeometry geometry{input.size(1), input.size(2), input.size(3), weights.size(2), stride};
  output = Tensor(
      {input.size(0), weights.size(0), geometry.output(input.size(2)), geometry.output(input.size(3))});
  for (std::size_t n = 0; n < input.size(0); ++n) {
    convolve_image(geometry, input.slice(n), weights, output.slice(n));
  }
}
