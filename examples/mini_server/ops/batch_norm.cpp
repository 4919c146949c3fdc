#include <cmath>

#include "examples/mini_server/ops/ops.h"
#include "examples/mini_server/ops/require.h"

namespace mini {
namespace {

constexpr float kEpsilon = 1e-5F;

// y = scale * x + shift, one pair for each channel.
struct Affine {
  std::vector<float> scale;
  std::vector<float> shift;
};

Affine fold(const Tensor& mean, const Tensor& variance, const Tensor& gain, const Tensor& bias) {
  Affine affine;
  affine.scale.resize(mean.size(0));
  affine.shift.resize(mean.size(0));
  for (std::size_t c = 0; c < mean.size(0); ++c) {
    affine.scale[c] = gain.data()[c] / std::sqrt(variance.data()[c] + kEpsilon);
    affine.shift[c] = bias.data()[c] - mean.data()[c] * affine.scale[c];
  }
  return affine;
}

void apply(const Affine& affine, const Tensor& image, Tensor output) {
  const std::size_t pixels = image.stride(0);
  for (std::size_t c = 0; c < image.size(0); ++c) {
    const float* in = image.data() + c * pixels;
    float* out = output.data() + c * pixels;
    for (std::size_t i = 0; i < pixels; ++i) out[i] = affine.scale[c] * in[i] + affine.shift[c];
  }
}

}  // namespace
}  // namespace mini

void mini_op_batch_norm(const mini::Tensor& input, const mini::Tensor& mean, const mini::Tensor& variance,
                        const mini::Tensor& gain, const mini::Tensor& bias, mini::Tensor& output) {
  using namespace mini;
  require_axes("batch_norm", 4, input.sizes());
  require_channels("batch_norm", mean.size(0), input.sizes());
  const Affine affine = fold(mean, variance, gain, bias);
  output = Tensor(input.sizes());
  for (std::size_t n = 0; n < input.size(0); ++n) apply(affine, input.slice(n), output.slice(n));
}
