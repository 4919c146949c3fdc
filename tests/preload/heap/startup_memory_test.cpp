// Proves the memory that serves while the library starts: blocks are zeroed, aligned, apart and known again, and memory that
// is used up says so.
#include "preload/heap/startup_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "preload/route/route.h"

namespace memo::guest {
namespace {

TEST(StartupMemory, BlocksAreZeroedAlignedAndApart) {
  unsigned char* end = nullptr;
  for (const std::size_t alignment : {1UL, 16UL, 64UL, 512UL}) {
    auto* block = static_cast<unsigned char*>(startup_memory::allocate(100, alignment));
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % std::max(alignment, alignof(std::max_align_t)), 0);
    EXPECT_TRUE(std::all_of(block, block + 100, [](unsigned char byte) { return byte == 0; }));
    EXPECT_GE(block, end);
    EXPECT_EQ(startup_memory::usable_size(block), 100);
    EXPECT_TRUE(startup_memory::owns(block));
    EXPECT_TRUE(is_watched(block)) << "its release would go to the heap";
    std::memset(block, 0xff, 100);
    end = block + 100;
  }
}

TEST(StartupMemory, KnowsOtherBlocksFromItsOwn) {
  const int other = 0;
  EXPECT_FALSE(startup_memory::owns(&other));
  EXPECT_FALSE(startup_memory::owns(nullptr));
}

TEST(StartupMemory, SaysThatItIsUsedUp) {
  errno = 0;
  EXPECT_EQ(startup_memory::allocate(SIZE_MAX, 16), nullptr);
  EXPECT_EQ(errno, ENOMEM);
  constexpr int kMoreThanFit = 65;
  int served = 0;
  while (served < kMoreThanFit && startup_memory::allocate(1024, 16) != nullptr) ++served;
  EXPECT_LT(served, kMoreThanFit);
}

}  // namespace
}  // namespace memo::guest
