// A program leaves much idle in the heap between its passes: weights are converted, inputs prepared. But for the first one, passes
// leave it alone: the program may want it again at once. Failure: a heap that gives back because of passes.
#include "served.h"

using namespace served;

namespace {

constexpr std::size_t kBlocks = 100;
constexpr std::size_t kBytes = std::size_t{1} << 20;

[[gnu::noinline]] void ordinary_pass() {
  const Pass pass;
  void* block = malloc(50000);
  EXPECT(block != nullptr);
  fill(block, 50000, 1);
  free(block);
}

// Returns what the heap kept of a hundred megabytes that came and went.
[[gnu::noinline]] std::uint64_t fill_and_empty_the_heap() {
  void* blocks[kBlocks];
  for (void*& block : blocks) {
    block = malloc(kBytes);
    EXPECT(block != nullptr);
    memset(block, 1, kBytes);
  }
  for (void* block : blocks) free(block);
  return figure("resident");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) return recorded(argc, ordinary_pass) ? 0 : static_cast<int>(argv[1][0]);
  expect_right_allocator();
  ordinary_pass();  // before the first one, what was idle goes back once
  for (int time = 0; time < 3; ++time) {
    const std::uint64_t left = fill_and_empty_the_heap();
    for (int pass = 0; pass < 20; ++pass) ordinary_pass();
    EXPECT(!by_plan() || (left > kBlocks * kBytes && figure("resident") >= left - left / 8));
  }
}
