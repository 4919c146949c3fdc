// All twenty forms of operator new and delete work together in every pairing a program may use, with
// alignments kept, and a sized delete is not believed its size: code that deletes a derived object through a
// base without a virtual destructor passes a wrong one and gets away with it on the C library. Failure: a
// crash, a misaligned or damaged block.

#include <new>

#include "hostile.h"

namespace {

constexpr std::align_val_t kWide{256};

using Release = void (*)(void*, std::size_t);

constexpr Release kPlainDeletes[] = {
    [](void* block, std::size_t) { ::operator delete(block); },
    [](void* block, std::size_t size) { ::operator delete(block, size); },
    [](void* block, std::size_t) { ::operator delete(block, std::nothrow); },
    [](void* block, std::size_t size) { ::operator delete(block, size / 3 + 7); },
};
constexpr Release kArrayDeletes[] = {
    [](void* block, std::size_t) { ::operator delete[](block); },
    [](void* block, std::size_t size) { ::operator delete[](block, size); },
    [](void* block, std::size_t) { ::operator delete[](block, std::nothrow); },
    [](void* block, std::size_t size) { ::operator delete[](block, size * 5 + 100); },
};
constexpr Release kAlignedDeletes[] = {
    [](void* block, std::size_t) { ::operator delete(block, kWide); },
    [](void* block, std::size_t size) { ::operator delete(block, size, kWide); },
    [](void* block, std::size_t) { ::operator delete(block, kWide, std::nothrow); },
};
constexpr Release kAlignedArrayDeletes[] = {
    [](void* block, std::size_t) { ::operator delete[](block, kWide); },
    [](void* block, std::size_t size) { ::operator delete[](block, size, kWide); },
    [](void* block, std::size_t) { ::operator delete[](block, kWide, std::nothrow); },
};

template <std::size_t Count>
void use_with_each(const Release (&releases)[Count], void* (*allocate)(std::size_t), std::size_t alignment) {
  for (const Release release : releases) {
    for (std::size_t size = 0; size < 100000; size = size * 2 + 1) {
      void* block = allocate(size);
      void* neighbour = allocate(size);
      EXPECT(block != nullptr && neighbour != nullptr && block != neighbour);
      EXPECT(is_aligned(block, size < alignment && alignment == 16 ? 8 : alignment));
      fill(block, size, 1);
      fill(neighbour, size, 2);
      EXPECT(is_filled(block, size, 1));
      release(block, size);
      EXPECT(is_filled(neighbour, size, 2));
      release(neighbour, size);
    }
    release(nullptr, 8);
  }
}

}  // namespace

int main() {
  expect_right_allocator();
  use_with_each(
      kPlainDeletes, [](std::size_t size) { return ::operator new(size); }, 16);
  use_with_each(
      kPlainDeletes, [](std::size_t size) { return ::operator new(size, std::nothrow); }, 16);
  use_with_each(
      kArrayDeletes, [](std::size_t size) { return ::operator new[](size); }, 16);
  use_with_each(
      kArrayDeletes, [](std::size_t size) { return ::operator new[](size, std::nothrow); }, 16);
  use_with_each(
      kAlignedDeletes, [](std::size_t size) { return ::operator new(size, kWide); }, 256);
  use_with_each(
      kAlignedDeletes, [](std::size_t size) { return ::operator new(size, kWide, std::nothrow); }, 256);
  use_with_each(
      kAlignedArrayDeletes, [](std::size_t size) { return ::operator new[](size, kWide); }, 256);
  use_with_each(
      kAlignedArrayDeletes, [](std::size_t size) { return ::operator new[](size, kWide, std::nothrow); },
      256);
}
