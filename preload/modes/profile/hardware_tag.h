// Tags in the pointers that the program itself gets, where the processor looks past them (--tag=hardware).
//
//                        63  62     57 56                                    0
//     x86-64 with LAM    | 0 | 6 bits |               address                |
//     AArch64            |  8 bits  |                 address                |
//                        63       56 55                                      0
//
// The pointer carries the lowest bits of the 16-bit tag, the generation of its address. So a pointer to a block that is
// gone differs from one to the block that has its address now, for the program's own comparisons too, and the recorder
// knows a stale pointer when it is freed or asked about.
#pragma once

#include <cstdint>

namespace memo::guest {

// Which bits of a pointer the processor leaves to programs; none of them with `bits` 0.
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

// What programs hold has zeros there without a tag: it lies in their half of the address space.
constexpr std::uint64_t without_hardware_tag(HardwareTag place, std::uint64_t pointer) {
  return pointer & ~tag_mask(place);
}

constexpr std::uint64_t with_hardware_tag(HardwareTag place, std::uint64_t address, std::uint16_t tag) {
  return address | (std::uint64_t{tag} << place.shift & tag_mask(place));
}

// Could the pointer name the generation `tag` of its address? One without any tag names whatever is there: some
// programs keep bits of their own in pointers and take off all of them together.
constexpr bool may_name(HardwareTag place, std::uint64_t pointer, std::uint16_t tag) {
  const std::uint64_t carried = pointer & tag_mask(place);
  return carried == 0 || carried == with_hardware_tag(place, 0, tag);
}

}  // namespace memo::guest
