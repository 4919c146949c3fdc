// Tags in the pointers that the program itself gets: in bits that the processor ignores (--tag=hardware), or in bits that
// choose one of several addresses of the same byte (--tag=alias, preload/heap/aliased_pages.h).
//
//                        63  62     57 56                                    0
//     x86-64 with LAM    | 0 | 6 bits |               address                |
//     AArch64            |  8 bits  |                 address                |
//                        63       56 55                                      0
//
//                        47           40 39    36 35                         0
//     windows of 64 GiB  |   the heap's   | 4 bits |  offset in the window   |
//
// The pointer carries the lowest bits of the 16-bit tag, the generation of its address. So a pointer to a freed
// block differs from a pointer to the block that has its address now, also in the program's own comparisons,
// and the recorder recognises a stale pointer when the program frees it or asks about it.
#pragma once

#include <cstdint>

namespace memo::guest {

// Where pointers have their tag: `bits` bits, beginning at bit `shift`, of the pointers from `base` on, `length` many.
// Others have none.
struct PointerTag {
  int shift;
  int bits;
  std::uint64_t base;
  std::uint64_t length;
};

inline constexpr std::uint64_t kEveryPointer = ~std::uint64_t{0};
inline constexpr PointerTag kNoPointerTag{0, 0, 0, 0};
// AArch64
inline constexpr PointerTag kTopByteIgnored{56, 8, 0, kEveryPointer};
// x86-64, LAM_U57; bit 63 must stay 0
inline constexpr PointerTag kLinearAddressMasking{57, 6, 0, kEveryPointer};

// Returns where 2^bits windows of 2^shift bytes each have it. `first`, where they begin, is a multiple of all their bytes
// together.
constexpr PointerTag tag_of_windows(std::uint64_t first, int shift, int bits) {
  return {shift, bits, first, std::uint64_t{1} << (shift + bits)};
}

constexpr bool has_tag(PointerTag place, std::uint64_t pointer) {
  return pointer - place.base < place.length;
}

constexpr std::uint64_t tag_mask(PointerTag place) {
  return ((std::uint64_t{1} << place.bits) - 1) << place.shift;
}

// Removes the tag. The bits become 0, as in every untagged pointer of a program: it lies in the lower half of
// the address space, or in the first window.
constexpr std::uint64_t without_tag(PointerTag place, std::uint64_t pointer) {
  return has_tag(place, pointer) ? pointer & ~tag_mask(place) : pointer;
}

constexpr std::uint64_t with_tag(PointerTag place, std::uint64_t address, std::uint16_t tag) {
  if (!has_tag(place, address)) return address;
  return address | (std::uint64_t{tag} << place.shift & tag_mask(place));
}

// Returns true if the pointer may name the generation `tag` of its address. An untagged pointer may name any
// generation: some programs keep bits of their own in pointers and clear all top bits together.
constexpr bool may_name(PointerTag place, std::uint64_t pointer, std::uint16_t tag) {
  if (!has_tag(place, pointer)) return true;
  const std::uint64_t carried = pointer & tag_mask(place);
  return carried == 0 || carried == (std::uint64_t{tag} << place.shift & tag_mask(place));
}

}  // namespace memo::guest
