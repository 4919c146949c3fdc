// Checks what operators require of a shape before they touch it.
#pragma once

#include <stdexcept>
#include <string>

#include "examples/mini_server/tensor/tensor.h"

namespace mini {

// Throws std::invalid_argument saying what an operator wanted and which shape it got.
inline void require(bool fits, const char* wanted, const Shape& got) {
  if (!fits) throw std::invalid_argument(std::string(wanted) + ", got " + to_string(got));
}

inline void require_axes(const char* op, std::size_t axes, const Shape& got) {
  if (got.size() == axes) return;
  throw std::invalid_argument(std::string(op) + " wants " + std::to_string(axes) + " axes, got " +
                              to_string(got));
}

// Axis 1 holds the channels, or the features.
inline void require_channels(const char* op, std::size_t channels, const Shape& got) {
  if (got[1] == channels) return;
  throw std::invalid_argument(std::string(op) + " wants " + std::to_string(channels) + " channels, got " +
                              to_string(got));
}

}  // namespace mini
