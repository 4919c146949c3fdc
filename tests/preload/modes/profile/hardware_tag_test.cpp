// Tags that the program's own pointers carry: they come off again, and tell one generation of an address from another.
#include "preload/modes/profile/hardware_tag.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cerrno>
#include <string>

#include "memomalloc/tagged_ptr.h"
#include "preload/platform/platform.h"

namespace memo::guest {
namespace {

static_assert(with_hardware_tag(kTopByteIgnored, 0x7f1234567890, 0x1ab) == 0xab007f1234567890);
static_assert(with_hardware_tag(kLinearAddressMasking, 0x7f1234567890, 0xffff) == 0x7e007f1234567890);
static_assert(with_hardware_tag(kNoHardwareTag, 0x7f1234567890, 0xffff) == 0x7f1234567890);

void check_place(const char* name, HardwareTag place) {
  EXPECT_TRUE(rc::check(name, [place](std::uint64_t any, std::uint16_t tag, std::uint16_t other) {
    const std::uint64_t address = any & 0x00007fffffffffff;
    const std::uint64_t pointer = with_hardware_tag(place, address, tag);
    RC_ASSERT(without_hardware_tag(place, pointer) == address);
    RC_ASSERT(without_hardware_tag(place, address) == address);
    RC_ASSERT(may_name(place, pointer, tag) && may_name(place, address, tag));
    const bool same = pointer == address || pointer == with_hardware_tag(place, address, other);
    RC_ASSERT(may_name(place, pointer, other) == same);
    RC_ASSERT(pointer >> 63 == 0 || place.shift + place.bits == 64);
  }));
}

// Each refusal has another cause, and only one of them a cure.
TEST(HardwareTag, ARefusalOfTheKernelSaysWhy) {
  const auto says = [](int error, const char* words) {
    return std::string(platform::why_no_address_masking(error)).find(words) != std::string::npos;
  };
  EXPECT_TRUE(says(ENODEV, "this processor has no linear address masking"));
  EXPECT_TRUE(says(EBUSY, "second thread") && says(EBUSY, "first in LD_PRELOAD"));
  EXPECT_TRUE(says(EINVAL, "this kernel has no linear address masking"));
}

TEST(HardwareTag, ComesOffAgain) {
  check_place("AArch64", kTopByteIgnored);
  check_place("x86-64", kLinearAddressMasking);
  check_place("none", kNoHardwareTag);
}

// What the recorder hands out, frameworks can take off with the public header.
TEST(HardwareTag, IsTakenOffByCanonicalize) {
  constexpr std::uint64_t kAddress = 0x7f1234567890;
  for (std::uint32_t value = 0; value <= 0xffff; value += 0x55) {
    const auto tag = static_cast<std::uint16_t>(value);
    EXPECT_EQ(canonicalize<56>(with_hardware_tag(kTopByteIgnored, kAddress, tag)), kAddress);
    EXPECT_EQ(canonicalize<57>(with_hardware_tag(kLinearAddressMasking, kAddress, tag)), kAddress);
  }
}

}  // namespace
}  // namespace memo::guest
