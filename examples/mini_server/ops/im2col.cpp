#include "examples/mini_server/ops/im2col.h"

#include <algorithm>
#include <vector>

namespace mini {
namespace {

constexpr std::size_t kOutside = static_cast<std::size_t>(-1);

// For each output position along one axis, the input position under `tap` of the kernel, or kOutside.
std::vector<std::size_t> positions(const ConvGeometry& geometry, std::size_t extent, std::size_t tap) {
  std::vector<std::size_t> inputs(geometry.output(extent));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::size_t padded = i * geometry.stride + tap;
    const bool inside = padded >= geometry.padding() && padded - geometry.padding() < extent;
    inputs[i] = inside ? padded - geometry.padding() : kOutside;
  }
  return inputs;
}

using Table = std::vector<std::vector<std::size_t>>;

Table position_table(const ConvGeometry& geometry, std::size_t extent) {
  Table table;
  for (std::size_t tap = 0; tap < geometry.kernel; ++tap) table.push_back(positions(geometry, extent, tap));
  return table;
}

float* copy_line(const float* line, const std::vector<std::size_t>& columns, float* out) {
  for (const std::size_t column : columns) *out++ = column == kOutside ? 0.0F : line[column];
  return out;
}

float* copy_plane(const float* plane, std::size_t width, const std::vector<std::size_t>& rows,
                  const std::vector<std::size_t>& columns, float* out) {
  for (const std::size_t row : rows) {
    out = row == kOutside ? std::fill_n(out, columns.size(), 0.0F)
                          : copy_line(plane + row * width, columns, out);
  }
  return out;
}

}  // namespace

Tensor im2col(const ConvGeometry& geometry, const Tensor& image) {
  Tensor columns({geometry.depth(), geometry.pixels()});
  const Table row_table = position_table(geometry, geometry.height);
  const Table column_table = position_table(geometry, geometry.width);
  float* out = columns.data();
  for (std::size_t channel = 0; channel < geometry.channels; ++channel) {
    const float* plane = image.data() + channel * image.stride(0);
    for (const auto& rows : row_table) {
      for (const auto& row_columns : column_table) {
        out = copy_plane(plane, geometry.width, rows, row_columns, out);
      }
    }
  }
  return columns;
}

}  // namespace mini
