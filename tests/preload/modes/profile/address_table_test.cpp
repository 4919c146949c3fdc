// The table beside the heap: which live block holds an address, and how often its address was used.
#include "preload/modes/profile/address_table.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <thread>
#include <vector>

namespace memo::guest {
namespace {

constexpr std::uintptr_t kBase = 0x7f1234000000;  // near the end of a leaf, so that blocks lie in two

// The table as it ought to be: live blocks by address, and the generations of all.
struct Model {
  std::map<std::uintptr_t, std::uint64_t> live;
  std::map<std::uintptr_t, std::uint16_t> tags;

  [[nodiscard]] bool is_free(std::uintptr_t address, std::uint64_t size) const {
    const auto after = live.lower_bound(address);
    if (after != live.end() && after->first < address + size) return false;
    return after == live.begin() || std::prev(after)->first + std::prev(after)->second <= address;
  }
};

void claim(AddressTable& table, Model& model, std::uintptr_t address, std::uint64_t size) {
  BlockInfo block{address, size, 0, 7, 9};
  bool wrapped = true;
  RC_ASSERT(table.claim(address, block, wrapped));
  RC_ASSERT(!wrapped && block.tag != model.tags[address]);
  model.tags[address] = block.tag;
  model.live[address] = size;
}

void retire_any(AddressTable& table, Model& model) {
  if (model.live.empty()) return;
  const auto chosen =
      std::next(model.live.begin(), *rc::gen::inRange<long>(0, static_cast<long>(model.live.size())));
  BlockInfo block;
  RC_ASSERT(table.retire(chosen->first, block));
  RC_ASSERT(block.size == chosen->second && block.tag == model.tags[chosen->first] && block.pass == 7);
  RC_ASSERT(!table.retire(chosen->first, block));
  model.live.erase(chosen);
}

void look_up_any(const AddressTable& table, const Model& model) {
  const std::uintptr_t inside = kBase + *rc::gen::inRange<std::uintptr_t>(0, 1 << 16);
  const auto after = model.live.upper_bound(inside);
  const bool held =
      after != model.live.begin() && inside - std::prev(after)->first < std::prev(after)->second;
  BlockInfo block;
  RC_ASSERT(table.find_holder(inside, block) == held);
  if (held) RC_ASSERT(block.address == std::prev(after)->first && block.tag == model.tags.at(block.address));
}

// Whatever is claimed and retired: a block has another generation than the one before it at its address, each byte finds the block that holds it and no
// other, and a block is retired once.
TEST(AddressTable, KnowsWhoHoldsEachByte) {
  EXPECT_TRUE(rc::check("any blocks", [] {
    AddressTable table;
    RC_ASSERT(table.start());
    Model model;
    for (int i = 0; i < 200; ++i) {
      const std::uintptr_t address = kBase + 16 * *rc::gen::inRange<std::uintptr_t>(0, 1 << 12);
      const std::uint64_t size = *rc::gen::inRange<std::uint64_t>(1, 9000);
      if (model.is_free(address, size)) claim(table, model, address, size);
      if (*rc::gen::inRange(0, 3) == 0) retire_any(table, model);
      look_up_any(table, model);
    }
  }));
}

// The 65,536th generation is number 0 again, and the table says so.
TEST(AddressTable, SaysWhenGenerationsStartOver) {
  AddressTable table;
  ASSERT_TRUE(table.start());
  for (int generation = 1; generation <= 3 << 16; ++generation) {
    BlockInfo block{kBase, 16, 0, 0, 0};
    bool wrapped = false;
    ASSERT_TRUE(table.claim(kBase, block, wrapped));
    ASSERT_EQ(block.tag, static_cast<std::uint16_t>(generation));
    ASSERT_EQ(wrapped, block.tag == 0);
    ASSERT_TRUE(table.retire(kBase, block));
  }
}

// Addresses that no heap gives out are nobody's, and no reason to crash.
TEST(AddressTable, RefusesAddressesBeyondItsRange) {
  AddressTable table;
  ASSERT_TRUE(table.start());
  BlockInfo block{};
  bool wrapped = false;
  for (const std::uintptr_t address : {std::uintptr_t{1} << 48, UINTPTR_MAX & ~std::uintptr_t{15}}) {
    EXPECT_FALSE(table.claim(address, block, wrapped));
    EXPECT_FALSE(table.retire(address, block));
    EXPECT_FALSE(table.find_holder(address, block));
  }
  EXPECT_FALSE(table.find_holder(0, block));
}

// Threads claim and retire blocks side by side, in leaves that none of them had made, while another one asks.
TEST(AddressTable, ServesThreadsWithoutALock) {
  constexpr std::uintptr_t kThreads = 4;
  AddressTable table;
  ASSERT_TRUE(table.start());
  std::vector<std::thread> threads;
  for (std::uintptr_t own = 0; own < kThreads; ++own) {
    threads.emplace_back([&table, own] {
      for (std::uintptr_t i = 0; i < 2000; ++i) {
        const std::uintptr_t address = kBase + (i % 7 << 26) + own * 64;
        BlockInfo block{address, 32 + own, 0, 0, 0};
        bool wrapped = false;
        EXPECT_TRUE(table.claim(address, block, wrapped));
        BlockInfo found;
        EXPECT_TRUE(table.find_holder(address + 31, found) && found.address == address &&
                    found.size == 32 + own);
        EXPECT_TRUE(table.retire(address, block));
      }
    });
  }
  for (int i = 0; i < 2000; ++i) {
    BlockInfo found;
    EXPECT_TRUE(!table.find_holder(kBase + 65, found) || found.address == kBase + 64);
  }
  for (std::thread& thread : threads) thread.join();
}

constexpr std::uint64_t kPage = 4096;

void claim_in(AddressTable& table, std::uintptr_t page, std::uint64_t size) {
  BlockInfo info{kBase + page * kPage, size, 0, 0, 0};
  bool wrapped = false;
  ASSERT_TRUE(table.claim(info.address, info, wrapped));
}

// A figure of memory: what the records of small blocks take for so much of the heap, and nothing for what was only reserved.
TEST(AddressTable, CountsWhatWasTouched) {
  AddressTable table;
  ASSERT_TRUE(table.start());
  EXPECT_EQ(table.bytes_in_use(), 0u);
  for (std::uintptr_t page = 0; page < 160; page += 16) claim_in(table, page, 16);
  EXPECT_EQ(table.bytes_in_use(), (160 + 1) * kPage);
  table.forget();
  EXPECT_EQ(table.bytes_in_use(), kPage);
}

// The memory of the records, which nobody notices for blocks of a hundred bytes and more.
TEST(AddressTable, TakesTheLessTheLargerBlocksAre) {
  constexpr std::uint64_t kHeap = std::uint64_t{16} << 20;
  for (const std::uint64_t size : {32UL, 160UL, 1000UL, 4096UL}) {
    AddressTable table;
    ASSERT_TRUE(table.start());
    for (std::uint64_t at = 0; at < kHeap; at += (size + 15) & ~15UL) {
      BlockInfo info{kBase + at, size, 0, 0, 0};
      bool wrapped = false;
      ASSERT_TRUE(table.claim(info.address, info, wrapped));
    }
    EXPECT_LE(table.bytes_in_use(), 32 * kHeap / size + 8 * kPage) << size;
  }
}

// The heap of a program with large blocks would be as large once more, if each of them took a page of records.
TEST(AddressTable, TakesNextToNothingForLargeBlocks) {
  AddressTable table;
  ASSERT_TRUE(table.start());
  for (std::uintptr_t page = 0; page < 3000; page += 3) claim_in(table, page, 3 * kPage);
  EXPECT_LE(table.bytes_in_use(), 20 * kPage);
}

// The end of a block may go unseen. What begins in its place then is a block of another size.
TEST(AddressTable, ForgetsABlockWhoseEndWentUnseen) {
  AddressTable table;
  ASSERT_TRUE(table.start());
  for (const std::uint64_t size : {64UL, 2 * kPage, 2 * kPage, 64UL, 160UL, 16UL}) {
    claim_in(table, 7, size);
    BlockInfo found;
    ASSERT_TRUE(table.find_block(kBase + 7 * kPage, found));
    EXPECT_EQ(found.size, size);
  }
}

// A young heap touches page after page, and a fault for the records of each would cost more than recording itself.
TEST(AddressTable, RecordsOfSmallBlocksGetTheirMemoryInCrowds) {
  constexpr std::uint64_t kCrowd = 16;
  AddressTable table;
  ASSERT_TRUE(table.start());
  claim_in(table, 5, 16);
  EXPECT_EQ(table.bytes_in_use(), (kCrowd + 1) * kPage);
  for (std::uintptr_t page = 0; page < kCrowd; ++page) claim_in(table, page, 16);
  EXPECT_EQ(table.bytes_in_use(), (kCrowd + 1) * kPage);
  BlockInfo found;
  EXPECT_TRUE(table.find_holder(kBase + 3 * kPage + 15, found) && found.address == kBase + 3 * kPage);
}

// What a neighbour's crowd brings along is no block.
TEST(AddressTable, PagesThatAreOnlyReadyHoldNothing) {
  AddressTable table;
  ASSERT_TRUE(table.start());
  claim_in(table, 0, 64);
  BlockInfo found;
  EXPECT_FALSE(table.find_holder(kBase + 7 * kPage, found));
  EXPECT_FALSE(table.find_block(kBase + 7 * kPage, found));
}

}  // namespace
}  // namespace memo::guest
