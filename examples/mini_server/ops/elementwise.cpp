#include <algorithm>

#include "examples/mini_server/ops/ops.h"
#include "examples/mini_server/ops/require.h"

void mini_op_relu(const mini::Tensor& input, mini::Tensor& output) {
  mini::Tensor result(input.sizes());
  const float* in = input.data();
  std::transform(in, in + input.count(), result.data(), [](float x) { return x > 0.0F ? x : 0.0F; });
  output = std::move(result);
}

void mini_op_add(const mini::Tensor& left, const mini::Tensor& right, mini::Tensor& output) {
  mini::require(left.sizes() == right.sizes(), "add wants inputs of one shape", right.sizes());
  mini::Tensor result(left.sizes());
  const float* in = left.data();
  std::transform(in, in + left.count(), right.data(), result.data(), [](float x, float y) { return x + y; });
  output = std::move(result);
}
