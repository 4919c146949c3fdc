// Tags that the program's own pointers carry: they come off again, and tell one generation of an address from another.
#include "preload/modes/profile/pointer_tag.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cerrno>
#include <string>

#include "memomalloc/tagged_ptr.h"
#include "preload/platform/platform.h"

namespace memo::guest {
namespace {

static_assert(with_tag(kTopByteIgnored, 0x7f1234567890, 0x1ab) == 0xab007f1234567890);
static_assert(with_tag(kLinearAddressMasking, 0x7f1234567890, 0xffff) == 0x7e007f1234567890);
static_assert(with_tag(kNoPointerTag, 0x7f1234567890, 0xffff) == 0x7f1234567890);

// As --tag=alias lays them out: 16 windows of 64 GiB.
constexpr PointerTag kWindows = tag_of_windows(0x7f0000000000, 36, 4);
static_assert(with_tag(kWindows, 0x7f0234567890, 0x1a5) == 0x7f5234567890);
static_assert(without_tag(kWindows, 0x7f5234567890) == 0x7f0234567890);

void check_place(const char* name, PointerTag place) {
  EXPECT_TRUE(rc::check(name, [place](std::uint64_t any, std::uint16_t tag, std::uint16_t other) {
    const std::uint64_t address = any & 0x00007fffffffffff;
    const std::uint64_t pointer = with_tag(place, address, tag);
    RC_ASSERT(without_tag(place, pointer) == address);
    RC_ASSERT(without_tag(place, address) == address);
    RC_ASSERT(may_name(place, pointer, tag) && may_name(place, address, tag));
    const bool same = pointer == address || pointer == with_tag(place, address, other);
    RC_ASSERT(may_name(place, pointer, other) == same);
    RC_ASSERT(pointer >> 63 == 0 || place.shift + place.bits == 64);
  }));
}

// Each refusal has another cause, and only one of them a cure.
TEST(PointerTag, ARefusalOfTheKernelSaysWhy) {
  const auto says = [](int error, const char* words) {
    return std::string(platform::why_no_address_masking(error)).find(words) != std::string::npos;
  };
  EXPECT_TRUE(says(ENODEV, "this processor has no linear address masking"));
  EXPECT_TRUE(says(EBUSY, "second thread") && says(EBUSY, "first in LD_PRELOAD"));
  EXPECT_TRUE(says(EINVAL, "this kernel has no linear address masking"));
}

TEST(PointerTag, ComesOffAgain) {
  check_place("AArch64", kTopByteIgnored);
  check_place("x86-64", kLinearAddressMasking);
  check_place("none", kNoPointerTag);
}

// Pointers of other memory have the same bits and no tag: they stay as they are, and may name any generation.
TEST(PointerTag, OfWindowsIsOfTheirPointersAlone) {
  EXPECT_TRUE(rc::check("windows", [](std::uint64_t any, std::uint16_t tag, std::uint16_t other) {
    const std::uint64_t address = kWindows.base + (any & 0xfffffffff);
    const std::uint64_t pointer = with_tag(kWindows, address, tag);
    RC_ASSERT(has_tag(kWindows, pointer) && without_tag(kWindows, pointer) == address);
    RC_ASSERT(may_name(kWindows, pointer, other) == ((tag & 15) == 0 || (tag & 15) == (other & 15)));
    for (const std::uint64_t foreign :
         {kWindows.base - 1 - (any & 0xffffff), kWindows.base + kWindows.length + (any & 0xffffff)}) {
      RC_ASSERT(with_tag(kWindows, foreign, tag) == foreign && without_tag(kWindows, foreign) == foreign);
      RC_ASSERT(may_name(kWindows, foreign, tag));
    }
  }));
}

// What the recorder hands out, frameworks can take off with the public header.
TEST(PointerTag, IsTakenOffByCanonicalize) {
  constexpr std::uint64_t kAddress = 0x7f1234567890;
  for (std::uint32_t value = 0; value <= 0xffff; value += 0x55) {
    const auto tag = static_cast<std::uint16_t>(value);
    EXPECT_EQ(canonicalize<56>(with_tag(kTopByteIgnored, kAddress, tag)), kAddress);
    EXPECT_EQ(canonicalize<57>(with_tag(kLinearAddressMasking, kAddress, tag)), kAddress);
  }
}

}  // namespace
}  // namespace memo::guest
