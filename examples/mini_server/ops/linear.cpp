#include <algorithm>
#include <numeric>

#include "examples/mini_server/ops/ops.h"
#include "examples/mini_server/ops/require.h"

void mini_op_linear(const mini::Tensor& input, const mini::Tensor& weights, const mini::Tensor& bias,
                    mini::Tensor& output) {
  using namespace mini;
  require_axes("linear", 2, input.sizes());
  require_channels("linear", weights.size(1), input.sizes());
  output = Tensor({input.size(0), weights.size(0)});
  for (std::size_t n = 0; n < input.size(0); ++n) {
    const Tensor features = input.slice(n);
    Tensor logits = output.slice(n);
    for (std::size_t k = 0; k < weights.size(0); ++k) {
      const Tensor row = weights.slice(k);
      logits.data()[k] =
          std::inner_product(row.data(), row.data() + row.count(), features.data(), bias.data()[k]);
    }
  }
}
