// Lays out one image so that a convolution becomes a product of matrices: a row for each (channel, kernel
// row, kernel column), a column for each output pixel, zeros where the kernel hangs over the edge.
#pragma once

#include "examples/mini_server/tensor/tensor.h"

namespace mini {

struct ConvGeometry {
  std::size_t channels;
  std::size_t height;
  std::size_t width;
  std::size_t kernel;
  std::size_t stride;

  [[nodiscard]] std::size_t padding() const { return kernel / 2; }
  [[nodiscard]] std::size_t output(std::size_t extent) const {
    return (extent + 2 * padding() - kernel) / stride + 1;
  }
  [[nodiscard]] std::size_t pixels() const { return output(height) * output(width); }
  [[nodiscard]] std::size_t depth() const { return channels * kernel * kernel; }
};

// depth x pixels
[[nodiscard]] Tensor im2col(const ConvGeometry& geometry, const Tensor& image);

}  // namespace mini
