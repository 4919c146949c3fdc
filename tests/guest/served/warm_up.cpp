// Warm-up leaves the heap much larger than serving needs it: weights are converted, graphs compiled. What lies idle in it
// is given back once, after the first pass that the plan serves; without a plan it is kept for the next pass. Failure: a
// heap that keeps its warm-up, or gives it back pass after pass.
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
  const std::uint64_t after_warm_up = fill_and_empty_the_heap();
  ordinary_pass();
  EXPECT(!by_plan() || (after_warm_up > kBlocks * kBytes && figure("resident") < after_warm_up / 4));
  const std::uint64_t after_more = fill_and_empty_the_heap();
  ordinary_pass();
  EXPECT(!by_plan() || figure("resident") >= after_more - after_more / 8);
}
