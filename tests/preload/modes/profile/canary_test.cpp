// The bytes behind a block: they cost no memory, they show any change of theirs, and those of another block, of another
// generation or of another size are not taken for them.
#include "preload/modes/profile/canary.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

namespace memo::guest {
namespace {

// A block of this size somewhere in a buffer of its own.
struct Block {
  explicit Block(std::uint64_t size, std::uint16_t tag)
      : bytes(heap::size_class(block_bytes(size))),
        info{reinterpret_cast<std::uintptr_t>(bytes.data()), size, tag, 0, 0} {
    write_canary(info);
  }
  std::vector<char> bytes;
  BlockInfo info;
};

// Returns a size whose class has room for a canary.
std::uint64_t any_size_with_canary() {
  return *rc::gen::suchThat(rc::gen::inRange<std::uint64_t>(0, 300), [](std::uint64_t size) {
    return has_canary({0, size, 0, 0, 0});
  });
}

TEST(Canary, TakesNoMemoryOfItsOwn) {
  static_assert(block_bytes(0) == kSmallestBlock && block_bytes(17) == 17 &&
                block_bytes(SIZE_MAX) == SIZE_MAX);
  for (const std::uint64_t size : {16U, 4'089U, 4'096U, 1U << 20U})
    EXPECT_FALSE(has_canary({0, size, 0, 0, 0})) << size;
  for (const std::uint64_t size : {0U, 8U, 17U, 4'088U, (1U << 20U) + 1U})
    EXPECT_TRUE(has_canary({0, size, 0, 0, 0})) << size;
}

TEST(Canary, StaysWithinItsBlock) {
  EXPECT_TRUE(rc::check([](std::uint16_t tag) {
    const std::uint64_t size = *rc::gen::inRange<std::uint64_t>(0, 1U << 15U);
    Block block(size, tag);
    RC_ASSERT(block.bytes.size() >= size + (has_canary(block.info) ? kCanaryBytes : 0));
    RC_ASSERT(canary_is_intact(block.info));
  }));
}

TEST(Canary, ShowsAnyChange) {
  EXPECT_TRUE(rc::check([](std::uint16_t tag) {
    const std::uint64_t size = any_size_with_canary();
    Block block(size, tag);
    RC_ASSERT(canary_is_intact(block.info));
    char& byte = block.bytes[size + *rc::gen::inRange<std::size_t>(0, kCanaryBytes)];
    byte = static_cast<char>(byte ^ *rc::gen::inRange(1, 256));
    RC_ASSERT(!canary_is_intact(block.info));
  }));
}

TEST(Canary, IsThatOfOneBlock) {
  EXPECT_TRUE(rc::check([](std::uint16_t tag, std::uint16_t other_tag) {
    RC_PRE(tag != other_tag);
    const Block block(any_size_with_canary(), tag);
    BlockInfo later = block.info;
    later.tag = other_tag;
    RC_ASSERT(!canary_is_intact(later));
    BlockInfo elsewhere = block.info;
    elsewhere.address += 16 * *rc::gen::inRange<std::uintptr_t>(1, 1000);
    RC_ASSERT(canary_of(elsewhere) != canary_of(block.info));
    BlockInfo longer = block.info;
    longer.size += *rc::gen::inRange<std::uint64_t>(1, 16);
    RC_ASSERT(canary_of(longer) != canary_of(block.info));
  }));
}

}  // namespace
}  // namespace memo::guest
