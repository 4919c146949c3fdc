#pragma once

#include <cstddef>

namespace mini {

inline constexpr std::size_t kTileRows = 6;
inline constexpr std::size_t kTileColumns = 16;

// The product of one panel of A and one panel of B over `depth`, to be stored at `tile`: kTileRows x
// kTileColumns floats, aligned to 64 bytes.
void multiply_panels(const float* a_panel, const float* b_panel, std::size_t depth, float* tile);

}  // namespace mini
