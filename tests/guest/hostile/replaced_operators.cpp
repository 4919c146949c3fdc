// A program that replaces only the two basic operators is obeyed by all the forms that the standard defines
// by them: the array, nothrow and sized ones. Its operator new puts a mark in front of each block and its
// delete insists on it, so a form that went straight to the heap would hand out an unmarked block or free one
// from the middle.

#include <new>

#include "hostile.h"

#pragma GCC diagnostic ignored "-Wsized-deallocation"

namespace {

constexpr std::size_t kMark = 0x6d61726b6d61726bU;
constexpr std::size_t kHeader = 16;
int live;

}  // namespace

void* operator new(std::size_t size) {
  auto* raw = static_cast<char*>(malloc(size + kHeader));
  if (raw == nullptr) throw std::bad_alloc();
  memcpy(raw, &kMark, sizeof kMark);
  ++live;
  return raw + kHeader;
}

void operator delete(void* block) noexcept {
  if (block == nullptr) return;
  char* raw = static_cast<char*>(block) - kHeader;
  EXPECT(memcmp(raw, &kMark, sizeof kMark) == 0);
  --live;
  free(raw);
}

int main() {
  expect_right_allocator();
  ::operator delete (::operator new(10), std::size_t{10});
  ::operator delete[](::operator new[](10));
  ::operator delete[](::operator new[](10), std::size_t{10});
  ::operator delete(::operator new(10, std::nothrow), std::nothrow);
  ::operator delete[](::operator new[](10, std::nothrow), std::nothrow);
  EXPECT(::operator new (std::size_t{1} << 62, std::nothrow) == nullptr);
  EXPECT(live == 0);
}
