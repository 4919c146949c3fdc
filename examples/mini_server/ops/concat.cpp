#include <algorithm>

#include "examples/mini_server/ops/ops.h"
#include "examples/mini_server/ops/require.h"

namespace mini {
namespace {

// The common shape, with the channels of all inputs together.
Shape joined_shape(const std::vector<Tensor>& inputs) {
  Shape joined = inputs.front().sizes();
  joined[1] = 0;
  for (const Tensor& input : inputs) {
    const Shape& sizes = input.sizes();
    require(sizes[0] == joined[0] && sizes[2] == joined[2] && sizes[3] == joined[3],
            "concat wants inputs that differ in channels alone", sizes);
    joined[1] += sizes[1];
  }
  return joined;
}

}  // namespace
}  // namespace mini

void mini_op_concat(const std::vector<mini::Tensor>& inputs, mini::Tensor& output) {
  using namespace mini;
  require(!inputs.empty(), "concat wants at least one input", {0});
  output = Tensor(joined_shape(inputs));
  for (std::size_t n = 0; n < output.size(0); ++n) {
    Tensor joined = output.slice(n);
    float* out = joined.data();
    for (const Tensor& input : inputs) out = std::copy_n(input.slice(n).data(), input.stride(0), out);
  }
}
