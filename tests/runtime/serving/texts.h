// A plan of texts, whose sizes lie on no line, and a pass over it. What the tests of growth share.
#pragma once

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/serving/growing.h"
#include "tests/runtime/arena_fixture.h"

namespace memo::runtime::testing {

inline constexpr std::uint64_t kCell = 1;
inline constexpr std::uint64_t kFirst = 2;
inline constexpr std::uint64_t kSecond = 3;
inline constexpr std::size_t kBytes = 8192;

// A cell and two large slots that live together, of sizes on no line.
inline PlanDescription plan_of_texts() {
  PlanDescription plan = empty_plan();
  plan.cells = {64};
  plan.variants = {{.slots = {cell_slot(kCell, 40, 0), large_slot(kFirst, kBytes, 0),
                              large_slot(kSecond, kBytes, kBytes)}}};
  for (PlanSlotDescription& slot : plan.variants[0].slots) slot.freed_at = 3;
  return plan;
}

// Returns how many of its three blocks the pass was served. Writes all of each, and looks at the end whether they are as
// they were written.
inline int run_pass(std::size_t bytes, char mark, Shadow& shadow) {
  struct Block {
    char* begin;
    std::size_t size;
  };
  std::vector<Block> blocks;
  const Pass pass;
  for (const auto& [size, site] : {std::pair{std::size_t{40}, kCell}, {bytes, kFirst}, {bytes, kSecond}}) {
    auto* block = static_cast<char*>(allocate(size, site));
    if (block == nullptr) continue;
    shadow.born(block, size);
    std::memset(block, mark, size);
    blocks.push_back({block, size});
  }
  for (const Block& block : blocks) {
    EXPECT_EQ(std::count(block.begin, block.begin + block.size, mark),
              static_cast<std::ptrdiff_t>(block.size));
    shadow.dies(block.begin);
    EXPECT_TRUE(release(block.begin));
  }
  return static_cast<int>(blocks.size());
}

inline int run_pass(std::size_t bytes) {
  Shadow shadow;
  return run_pass(bytes, 'a', shadow);
}

// Makes this a program of several threads, for good.
inline void have_had_a_thread() {
  std::thread([] {}).join();
  let_growths_run_beside();
}

}  // namespace memo::runtime::testing
