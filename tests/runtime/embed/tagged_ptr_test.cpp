// Tags in the top bits of a pointer come off again, in either half of the address space.
#include "memomalloc/tagged_ptr.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <memory>
#include <utility>

namespace memo {
namespace {

constexpr std::uint64_t kUser = 0x00007f1234567890;
constexpr std::uint64_t kKernel = 0xffff888812345678;
constexpr std::uint64_t kUserFiveLevels = 0x00ff7f1234567890;
constexpr std::uint64_t kKernelFiveLevels = 0xff11888812345678;

static_assert(canonicalize(with_tag(kUser, 0xffff)) == kUser);
static_assert(canonicalize(with_tag(kKernel, 0)) == kKernel);
static_assert(canonicalize<57>(kUserFiveLevels | std::uint64_t{0x55} << 57) == kUserFiveLevels);
static_assert(canonicalize<57>(kKernelFiveLevels & ~(std::uint64_t{0x55} << 57)) == kKernelFiveLevels);
static_assert(tag_of(with_tag(kUser, 0xbeef)) == 0xbeef);

// Addresses of either half, whatever stands in the bits above them: for four and five levels of page tables, and for
// processors that ignore the top byte.
template <int address_bits>
void check_canonical(const char* name) {
  EXPECT_TRUE(rc::check(name, [](std::uint64_t address, std::uint64_t above) {
    constexpr std::uint64_t kLow = (std::uint64_t{1} << address_bits) - 1;
    const bool upper_half = (address >> (address_bits - 1) & 1) != 0;
    const std::uint64_t canonical = upper_half ? address | ~kLow : address & kLow;
    const std::uint64_t tagged = (canonical & kLow) | (above & ~kLow);
    RC_ASSERT(canonicalize<address_bits>(tagged) == canonical);
    RC_ASSERT(canonicalize<address_bits>(canonical) == canonical);
    auto* pointer = reinterpret_cast<char*>(tagged);
    RC_ASSERT(reinterpret_cast<std::uint64_t>(canonicalize<address_bits>(pointer)) == canonical);
  }));
}

TEST(TaggedPointer, IsCanonicalForEveryProcessor) {
  check_canonical<48>("four levels");
  check_canonical<57>("five levels, or linear address masking");
  check_canonical<56>("top byte ignored");
}

// Whatever the tag and the address, both come back.
TEST(TaggedPointer, GivesBackAddressAndTag) {
  EXPECT_TRUE(rc::check("48 bits", [](std::uint64_t address, std::uint16_t tag) {
    const std::uint64_t canonical = canonicalize(address);
    const std::uint64_t tagged = with_tag(canonical, tag);
    RC_ASSERT(canonicalize(tagged) == canonical);
    RC_ASSERT(tag_of(tagged) == tag);
    RC_ASSERT(canonicalize(canonical) == canonical);
  }));
}

TEST(TaggedPointer, IsUsedLikeAPointer) {
  const auto numbers = std::make_unique<int[]>(4);
  const tagged_ptr<int> first(numbers.get(), 0x8001);
  for (int i = 0; i < 4; ++i) first[i] = i;
  tagged_ptr<int> walk = first;
  ++walk;
  EXPECT_EQ(*walk, 1);
  EXPECT_EQ(*(walk + 2), 3);
  EXPECT_EQ((walk - 1), first);
  EXPECT_EQ(walk.tag(), 0x8001);
  EXPECT_EQ(first.get(), numbers.get());
  auto pair = std::make_pair(1, 2);
  EXPECT_EQ((tagged_ptr<std::pair<int, int>>(&pair, 7))->second, 2);
  EXPECT_EQ((tagged_ptr<void>(&pair, 7)).get(), &pair);
}

// Two generations of one address are two things.
TEST(TaggedPointer, ComparesTheGenerationToo) {
  int number = 0;
  EXPECT_EQ(tagged_ptr<int>(&number, 1), tagged_ptr<int>(&number, 1));
  EXPECT_NE(tagged_ptr<int>(&number, 1), tagged_ptr<int>(&number, 2));
  EXPECT_FALSE(static_cast<bool>(tagged_ptr<int>()));
  EXPECT_FALSE(static_cast<bool>(tagged_ptr<int>(nullptr)));
  EXPECT_TRUE(static_cast<bool>(tagged_ptr<int>(&number, 0)));
}

}  // namespace
}  // namespace memo
