#include "examples/mini_server/tensor/tensor.h"

#include <cstdlib>
#include <functional>
#include <new>
#include <numeric>
#include <utility>

namespace mini {
namespace {

constexpr std::size_t kAlignment = 64;

std::size_t product(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

Shape dense_strides(const Shape& sizes) {
  Shape strides(sizes.size());
  std::size_t stride = 1;
  for (std::size_t axis = sizes.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= sizes[axis];
  }
  return strides;
}

}  // namespace

std::string to_string(const Shape& shape) {
  std::string text;
  for (const std::size_t size : shape) {
    if (!text.empty()) text += 'x';
    text += std::to_string(size);
  }
  return text;
}

std::shared_ptr<float> allocate_floats(std::size_t count) {
  void* memory = nullptr;
  if (posix_memalign(&memory, kAlignment, count * sizeof(float)) != 0) throw std::bad_alloc();
  return {static_cast<float*>(memory), [](float* floats) { std::free(floats); }};
}

Tensor::Tensor(Shape sizes)
    : storage_(allocate_floats(product(sizes))), sizes_(std::move(sizes)), strides_(dense_strides(sizes_)) {}

std::size_t Tensor::count() const {
  return product(sizes_);
}

Tensor Tensor::slice(std::size_t index) const {
  Tensor view;
  view.storage_ = storage_;
  view.offset_ = offset_ + index * strides_[0];
  view.sizes_.assign(sizes_.begin() + 1, sizes_.end());
  view.strides_.assign(strides_.begin() + 1, strides_.end());
  return view;
}

}  // namespace mini
