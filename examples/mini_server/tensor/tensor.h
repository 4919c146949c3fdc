// A dense float tensor in row-major order, as frameworks keep it: aligned storage shared between views, sizes
// and strides in vectors of their own.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "examples/mini_server/tensor/export.h"

namespace mini {

using Shape = std::vector<std::size_t>;

// "1x24x48x48"
[[nodiscard]] MINI_API std::string to_string(const Shape& shape);

// `count` floats on a cache line's boundary; throws std::bad_alloc.
[[nodiscard]] MINI_API std::shared_ptr<float> allocate_floats(std::size_t count);

class MINI_API Tensor {
 public:
  Tensor() = default;
  explicit Tensor(Shape sizes);  // elements are not initialised

  [[nodiscard]] const Shape& sizes() const { return sizes_; }
  [[nodiscard]] std::size_t size(std::size_t axis) const { return sizes_[axis]; }
  [[nodiscard]] std::size_t stride(std::size_t axis) const { return strides_[axis]; }
  [[nodiscard]] std::size_t count() const;

  [[nodiscard]] float* data() { return storage_.get() + offset_; }
  [[nodiscard]] const float* data() const { return storage_.get() + offset_; }

  // The index-th slice along the first axis, on the same storage.
  [[nodiscard]] Tensor slice(std::size_t index) const;

 private:
  std::shared_ptr<float> storage_;
  std::size_t offset_ = 0;
  Shape sizes_;
  Shape strides_;
};

}  // namespace mini
