#include "examples/mini_server/ops/gemm_kernel.h"

// Makes a clone for each vector width; the loader chooses one when the library is loaded. Sanitizers cannot run in the function
// that chooses.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define MINI_VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MINI_VECTOR_CLONES
#endif

namespace mini {
namespace {

using Row = float __attribute__((vector_size(kTileColumns * sizeof(float))));

}  // namespace

MINI_VECTOR_CLONES
void multiply_panels(const float* a_panel, const float* b_panel, std::size_t depth, float* tile) {
  Row sums[kTileRows] = {};
  const Row* b = reinterpret_cast<const Row*>(b_panel);
  for (std::size_t k = 0; k < depth; ++k) {
    for (std::size_t row = 0; row < kTileRows; ++row) sums[row] += a_panel[row] * b[k];
    a_panel += kTileRows;
  }
  for (std::size_t row = 0; row < kTileRows; ++row) reinterpret_cast<Row*>(tile)[row] = sums[row];
}

}  // namespace mini
