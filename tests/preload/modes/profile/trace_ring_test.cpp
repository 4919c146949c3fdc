// Places in a file that is a ring: never two live blocks on the same bytes, what lasts is never given away.
#include "preload/modes/profile/trace_ring.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <thread>
#include <vector>

namespace memo::guest {
namespace {

constexpr std::uint64_t kChunk = TraceRing::kChunkBytes;
using Use = TraceRing::Use;

// The file as it ought to be: what lies where, by its offset.
struct Model {
  std::map<std::uint64_t, std::pair<std::uint64_t, Use>> blocks;

  // Removes a chunk's blocks; false where one of them was to last.
  bool empty(std::uint64_t begin) {
    auto at = blocks.lower_bound(begin);
    bool gave_way = true;
    while (at != blocks.end() && at->first < begin + kChunk) {
      gave_way = gave_way && at->second.second == Use::kEvents;
      at = blocks.erase(at);
    }
    return gave_way;
  }

  // False where the place is taken or crosses the end of a chunk.
  bool add(std::uint64_t begin, std::uint64_t bytes, Use use) {
    const auto after = blocks.lower_bound(begin);
    if (after != blocks.end() && after->first < begin + bytes) return false;
    if (after != blocks.begin() && std::prev(after)->first + std::prev(after)->second.first > begin)
      return false;
    blocks[begin] = {bytes, use};
    return begin / kChunk == (begin + bytes - 1) / kChunk;
  }
};

// Any sequence of blocks: within the file's size, within one chunk, on free bytes; a chunk is emptied only where
// nothing in it lasts. And there is no end to events as long as what lasts leaves a chunk.
TEST(TraceRing, NeverOverwritesWhatIsKept) {
  EXPECT_TRUE(rc::check("any blocks", [] {
    TraceRing ring;
    ring.start(8 * kChunk);
    Model model;
    std::uint64_t lasting = 0;
    for (int i = 0; i < 300; ++i) {
      const std::uint64_t bytes = *rc::gen::inRange<std::uint64_t>(1, kChunk / 2);
      const Use use = lasting < 2 * kChunk && *rc::gen::inRange(0, 10) == 0 ? Use::kLasting : Use::kEvents;
      if (use == Use::kLasting) lasting += bytes;
      bool only_events = true;
      const std::uint64_t at =
          ring.place(use, bytes, [&](std::uint64_t begin) { only_events = model.empty(begin); });
      RC_ASSERT(at != TraceRing::kNoPlace && at + bytes <= 8 * kChunk);
      RC_ASSERT(only_events);
      RC_ASSERT(model.add(at, bytes, use));
    }
  }));
}

// Events give way in the order they came in.
TEST(TraceRing, GivesTheOldestAway) {
  TraceRing ring;
  ring.start(4 * kChunk);
  std::vector<std::uint64_t> emptied;
  const auto note = [&](std::uint64_t begin) { emptied.push_back(begin / kChunk); };
  EXPECT_EQ(ring.place(Use::kLasting, 10, note), 0U);
  for (int i = 0; i < 9; ++i) ring.place(Use::kEvents, kChunk, note);
  EXPECT_EQ(emptied, (std::vector<std::uint64_t>{1, 2, 3, 1, 2, 3}));
}

// What lasts has filled the file: there is no place any more, and nothing of it was given away.
TEST(TraceRing, SaysWhenThereIsNoPlace) {
  TraceRing ring;
  ring.start(0);
  bool given_away = false;
  const auto note = [&](std::uint64_t) { given_away = true; };
  for (std::uint64_t i = 0; i < TraceRing::kFewestChunks; ++i) {
    EXPECT_EQ(ring.place(Use::kLasting, kChunk, note), i * kChunk);
  }
  EXPECT_EQ(ring.place(Use::kLasting, 1, note), TraceRing::kNoPlace);
  EXPECT_EQ(ring.place(Use::kEvents, 1, note), TraceRing::kNoPlace);
  EXPECT_FALSE(given_away);
}

// Threads at the same time get places that do not overlap.
TEST(TraceRing, GivesEachThreadPlacesOfItsOwn) {
  constexpr std::uint64_t kThreads = 4;
  constexpr std::uint64_t kBlocks = 2000;
  constexpr std::uint64_t kBytes = 60'000;
  TraceRing ring;
  ring.start(kThreads * kBlocks * 2 * kBytes);  // nothing is given away
  std::vector<std::vector<std::uint64_t>> places(kThreads);
  std::vector<std::thread> threads;
  for (std::vector<std::uint64_t>& own : places) {
    threads.emplace_back([&ring, &own] {
      for (std::uint64_t i = 0; i < kBlocks; ++i) {
        own.push_back(ring.place(i % 16 == 0 ? Use::kLasting : Use::kEvents, kBytes, [](std::uint64_t) {}));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<std::uint64_t> all;
  for (const auto& own : places) all.insert(all.end(), own.begin(), own.end());
  std::sort(all.begin(), all.end());
  for (std::size_t i = 1; i < all.size(); ++i) ASSERT_GE(all[i], all[i - 1] + kBytes);
  // Chunks that two threads took at once were not wasted: all but the last ones hold as many blocks as fit.
  EXPECT_LE(all.back() / kChunk, kThreads * kBlocks / (kChunk / kBytes) + kThreads);
}

}  // namespace
}  // namespace memo::guest
