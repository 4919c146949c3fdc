// The bytes behind a block: they show any change of theirs, and those of another block, of another generation or of another
// size are not taken for them.
#include "preload/modes/profile/canary.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

namespace memo::guest {
namespace {

// A block of this size somewhere in a buffer of its own.
struct Block {
  explicit Block(std::uint64_t size, std::uint16_t tag)
      : bytes(block_bytes(size)), info{reinterpret_cast<std::uintptr_t>(bytes.data()), size, tag, 0, 0} {
    write_canary(info);
  }
  std::vector<char> bytes;
  BlockInfo info;
};

TEST(Canary, FitsBehindEachBlock) {
  static_assert(block_bytes(0) == kSmallestBlock && block_bytes(8) == 16 && block_bytes(9) == 17);
  static_assert(block_bytes(1000) == 1000 + kCanaryBytes);
  static_assert(block_bytes(PTRDIFF_MAX - kCanaryBytes) == PTRDIFF_MAX);
  static_assert(block_bytes(SIZE_MAX) == SIZE_MAX, "the heap refuses it; it must not become a small one");
}

TEST(Canary, ShowsAnyChange) {
  EXPECT_TRUE(rc::check([](std::uint16_t tag) {
    const std::uint64_t size = *rc::gen::inRange<std::uint64_t>(0, 300);
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
    const Block block(*rc::gen::inRange<std::uint64_t>(0, 300), tag);
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
