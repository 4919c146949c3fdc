// Blocks of the slab that are freed twice, and addresses inside blocks that are freed: each is counted, said once, and
// changes nothing. Under an ordinary allocator this corrupts the heap, so without a plan nothing is done. Failure: a
// neighbour that changed, an address handed out twice while live, or figures that do not count them all.
#include <iterator>

#include "served.h"

using namespace served;

namespace {

constexpr std::size_t kSizes[] = {40, 40, 1000, 50000, 70000};
constexpr std::size_t kBlocks = std::size(kSizes);

[[gnu::noinline]] void make_blocks(char** blocks) {
  for (std::size_t i = 0; i < kBlocks; ++i) {
    blocks[i] = static_cast<char*>(malloc(kSizes[i]));
    fill(blocks[i], kSizes[i], static_cast<unsigned>(i));
  }
}

void expect_whole(char** blocks) {
  for (std::size_t i = 0; i < kBlocks; ++i) {
    EXPECT(is_filled(blocks[i], kSizes[i], static_cast<unsigned>(i)));
    for (std::size_t other = 0; other < i; ++other) EXPECT(blocks[other] != blocks[i]);
  }
}

void free_all(char** blocks) {
  for (std::size_t i = 0; i < kBlocks; ++i) free(blocks[i]);
}

void ordinary_pass() {
  const Pass pass;
  char* blocks[kBlocks];
  make_blocks(blocks);
  expect_whole(blocks);
  free_all(blocks);
}

}  // namespace

int main(int argc, char**) {
  if (recorded(argc, ordinary_pass) || !by_plan()) return 0;
  char* blocks[kBlocks];
  for (int round = 0; round < 10; ++round) {
    {
      const Pass pass;
      make_blocks(blocks);
      for (char* block : blocks) free(block + 8);
      for (char* block : blocks) free(block + 3);
      expect_whole(blocks);
      free_all(blocks);
      free_all(blocks);
    }
    {
      const ServedSince served;
      const Pass pass;
      make_blocks(blocks);
      expect_whole(blocks);
      EXPECT(served.are(kBlocks));
      free_all(blocks);
    }
  }
  EXPECT(figure("double_free") == 10 * kBlocks);
  EXPECT(figure("bad_free") == 20 * kBlocks);
}
