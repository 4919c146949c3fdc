#include "examples/mini_server/ops/gemm.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "examples/mini_server/ops/gemm_kernel.h"
#include "examples/mini_server/tensor/tensor.h"

namespace mini {
namespace {

constexpr std::size_t kBlockDepth = 192;
constexpr std::size_t kBlockColumns = 512;

// Columns [column, column + columns) of C, over A's columns and B's rows [k, k + depth).
struct Block {
  std::size_t column;
  std::size_t columns;
  std::size_t k;
  std::size_t depth;
};

std::size_t round_up(std::size_t value, std::size_t step) {
  return (value + step - 1) / step * step;
}

std::vector<Block> blocks_of(const GemmSizes& sizes) {
  std::vector<Block> blocks;
  for (std::size_t column = 0; column < sizes.columns; column += kBlockColumns) {
    for (std::size_t k = 0; k < sizes.depth; k += kBlockDepth) {
      blocks.push_back({column, std::min(kBlockColumns, sizes.columns - column), k,
                        std::min(kBlockDepth, sizes.depth - k)});
    }
  }
  return blocks;
}

// Panel by panel, each `depth` groups of kTileRows floats; rows past the end are zeros.
std::shared_ptr<float> pack_a(const GemmSizes& sizes, const Block& block, const float* a) {
  std::shared_ptr<float> packed = allocate_floats(round_up(sizes.rows, kTileRows) * block.depth);
  float* out = packed.get();
  for (std::size_t row = 0; row < sizes.rows; row += kTileRows) {
    for (std::size_t k = 0; k < block.depth; ++k) {
      for (std::size_t r = row; r < row + kTileRows; ++r) {
        *out++ = r < sizes.rows ? a[r * sizes.depth + block.k + k] : 0.0F;
      }
    }
  }
  return packed;
}

// Panel by panel, each `depth` groups of kTileColumns floats; columns past the end are zeros.
std::shared_ptr<float> pack_b(const GemmSizes& sizes, const Block& block, const float* b) {
  std::shared_ptr<float> packed = allocate_floats(round_up(block.columns, kTileColumns) * block.depth);
  float* out = packed.get();
  for (std::size_t column = 0; column < block.columns; column += kTileColumns) {
    const std::size_t width = std::min(kTileColumns, block.columns - column);
    for (std::size_t k = 0; k < block.depth; ++k) {
      const float* in = b + (block.k + k) * sizes.columns + block.column + column;
      std::fill(std::copy_n(in, width, out), out + kTileColumns, 0.0F);
      out += kTileColumns;
    }
  }
  return packed;
}

// Adds the part of a tile that lies inside C.
void add_tile(const GemmSizes& sizes, const Block& block, std::size_t row, std::size_t column,
              const float* tile, float* c) {
  const std::size_t rows = std::min(kTileRows, sizes.rows - row);
  const std::size_t width = std::min(kTileColumns, block.columns - column);
  for (std::size_t r = 0; r < rows; ++r) {
    float* out = c + (row + r) * sizes.columns + block.column + column;
    for (std::size_t i = 0; i < width; ++i) out[i] += tile[r * kTileColumns + i];
  }
}

void add_block(const GemmSizes& sizes, const Block& block, const float* a, const float* b, float* c) {
  const std::shared_ptr<float> packed_a = pack_a(sizes, block, a);
  const std::shared_ptr<float> packed_b = pack_b(sizes, block, b);
  alignas(64) float tile[kTileRows * kTileColumns];
  for (std::size_t column = 0; column < block.columns; column += kTileColumns) {
    for (std::size_t row = 0; row < sizes.rows; row += kTileRows) {
      multiply_panels(packed_a.get() + row * block.depth, packed_b.get() + column * block.depth, block.depth,
                      tile);
      add_tile(sizes, block, row, column, tile, c);
    }
  }
}

}  // namespace

void gemm(const GemmSizes& sizes, const float* a, const float* b, float* c) {
  std::fill_n(c, sizes.rows * sizes.columns, 0.0F);
  for (const Block& block : blocks_of(sizes)) add_block(sizes, block, a, b, c);
}

}  // namespace mini
