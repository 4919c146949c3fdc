// C = A * B on row-major matrices, blocked for the caches.
//
//        columns            A is packed in panels of kTileRows rows, B in panels of kTileColumns columns,
//        block by
//      +---------+          block of kBlockDepth x kBlockColumns, so that the inner kernel reads both in
//      order. |    B    | depth
//      +---------+
//  +---+---------+
//  | A |    C    | rows
//  +---+---------+
//
// Every element of C is summed in the same order whatever the vector width, and products are not fused with
// sums: results are the same bit for bit on every machine.
#pragma once

#include <cstddef>

namespace mini {

struct GemmSizes {
  std::size_t rows;
  std::size_t columns;
  std::size_t depth;
};

void gemm(const GemmSizes& sizes, const float* a, const float* b, float* c);

}  // namespace mini
