#include <algorithm>
#include <limits>
#include <numeric>

#include "examples/mini_server/ops/ops.h"
#include "examples/mini_server/ops/require.h"

namespace mini {
namespace {

// Returns where the elements of a window lie, counted from its first.
std::vector<std::size_t> window_offsets(std::size_t window, std::size_t width) {
  std::vector<std::size_t> offsets;
  for (std::size_t row = 0; row < window; ++row) {
    for (std::size_t column = 0; column < window; ++column) offsets.push_back(row * width + column);
  }
  return offsets;
}

float largest(const float* first, const std::vector<std::size_t>& offsets) {
  float best = -std::numeric_limits<float>::infinity();
  for (const std::size_t offset : offsets) best = std::max(best, first[offset]);
  return best;
}

void pool_plane(const Tensor& plane, const std::vector<std::size_t>& offsets, std::size_t window,
                Tensor output) {
  float* out = output.data();
  for (std::size_t row = 0; row < output.size(0); ++row) {
    const float* line = plane.data() + row * window * plane.stride(0);
    for (std::size_t column = 0; column < output.size(1); ++column) {
      *out++ = largest(line + column * window, offsets);
    }
  }
}

}  // namespace
}  // namespace mini

void mini_op_max_pool(const mini::Tensor& input, std::size_t window, mini::Tensor& output) {
  using namespace mini;
  require_axes("max_pool", 4, input.sizes());
  require(input.size(2) >= window && input.size(3) >= window, "max_pool wants images as large as its window",
          input.sizes());
  output = Tensor({input.size(0), input.size(1), input.size(2) / window, input.size(3) / window});
  const std::vector<std::size_t> offsets = window_offsets(window, input.size(3));
  for (std::size_t n = 0; n < input.size(0); ++n) {
    const Tensor image = input.slice(n);
    const Tensor pooled = output.slice(n);
    for (std::size_t c = 0; c < input.size(1); ++c)
      pool_plane(image.slice(c), offsets, window, pooled.slice(c));
  }
}

void mini_op_global_average_pool(const mini::Tensor& input, mini::Tensor& output) {
  using namespace mini;
  require_axes("global_average_pool", 4, input.sizes());
  output = Tensor({input.size(0), input.size(1)});
  const std::size_t pixels = input.stride(1);
  for (std::size_t i = 0; i < output.count(); ++i) {
    const float* plane = input.data() + i * pixels;
    output.data()[i] = std::accumulate(plane, plane + pixels, 0.0F) / static_cast<float>(pixels);
  }
}
