// Tags in the pointers that the program itself gets, in bits that the processor ignores (--tag=hardware).
//
//                        63  62     57 56                                    0
//     x86-64 with LAM    | 0 | 6 bits |               address                |
//     AArch64            |  8 bits  |                 address                |
//                        63       56 55                                      0
//
// The pointer carries the lowest bits of the 16-bit tag, the generation of its address. So a pointer to a freed
// block differs from a pointer to the block that has its address now, also in the program's own comparisons,
// and the recorder recognises a stale pointer when the program frees it or asks about it.
#pragma once

#include <cstdint>

namespace memo::guest {

// The bits of a pointer that the processor leaves to programs: `bits` of them, beginning at bit `shift`.
struct HardwareTag {
  int shift;
  int bits;
};

inline constexpr HardwareTag kNoHardwareTag{0, 0};
inline constexpr HardwareTag kTopByteIgnored{56, 8};        // AArch64
inline constexpr HardwareTag kLinearAddressMasking{57, 6};  // x86-64, LAM_U57; bit 63 must stay 0

constexpr std::uint64_t tag_mask(HardwareTag place) {
  return ((std::uint64_t{1} << place.bits) - 1) << place.shift;
}

// Removes the tag. The bits become 0, as in every untagged pointer of a program: it lies in the lower half of
// the address space.
constexpr std::uint64_t without_hardware_tag(HardwareTag place, std::uint64_t pointer) {
  return pointer & ~tag_mask(place);
}

constexpr std::uint64_t with_hardware_tag(HardwareTag place, std::uint64_t address, std::uint16_t tag) {
  return address | (std::uint64_t{tag} << place.shift & tag_mask(place));
}

// Returns true if the pointer may name the generation `tag` of its address. An untagged pointer may name any
// generation: some programs keep bits of their own in pointers and clear all top bits together.
constexpr bool may_name(HardwareTag place, std::uint64_t pointer, std::uint16_t tag) {
  const std::uint64_t carried = pointer & tag_mask(place);
  return carried == 0 || carried == with_hardware_tag(place, 0, tag);
}

}  // namespace memo::guest
