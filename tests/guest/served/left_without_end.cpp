// Passes and operators that are left by an exception or a longjmp, passes inside passes, and blocks that outlive theirs.
// Failure: a block that changed, or a plan that is lost for good: the pass after each of these is served in full.
#include <setjmp.h>

#include <initializer_list>

#include <stdexcept>

#include "served.h"

using namespace served;

namespace {

constexpr std::size_t kBlocks = 12;
void* g_kept[kBlocks];

std::size_t size_of(std::size_t i) {
  return 48 * (i + 1) + (i % 4 == 3 ? 40000 : 0);
}

[[gnu::noinline]] void* make_block(std::size_t i) {
  void* block = malloc(size_of(i));
  EXPECT(block != nullptr);
  fill(block, size_of(i), static_cast<unsigned>(i));
  return block;
}

void check_and_free(void* block, std::size_t i) {
  EXPECT(is_filled(block, size_of(i), static_cast<unsigned>(i)));
  free(block);
}

// Does an operator's work; `leave` may not come back.
template <typename Leave>
void run_operators(Leave leave) {
  for (std::size_t i = 0; i < kBlocks; ++i) {
    open_scope(i % 3 == 0 ? "convolve" : "add");
    g_kept[i] = make_block(i);
    leave(i);
    close_scope();
  }
}

void free_kept() {
  for (std::size_t i = 0; i < kBlocks; ++i) {
    if (g_kept[i] != nullptr) check_and_free(g_kept[i], i);
    g_kept[i] = nullptr;
  }
}

[[gnu::noinline]] void ordinary_pass() {
  const Pass pass;
  run_operators([](std::size_t) {});
  free_kept();
}

void expect_served_in_full() {
  const ServedSince served;
  ordinary_pass();
  EXPECT(served.are(kBlocks));
}

void left_by_exception() {
  for (std::size_t when : {0u, 5u, 11u}) {
    try {
      const Pass pass;
      run_operators([&](std::size_t i) {
        if (i == when) throw std::runtime_error("an operator failed");
      });
      EXPECT(false);
    } catch (const std::runtime_error&) {
    }
    free_kept();
    expect_served_in_full();
  }
}

jmp_buf g_back;

// A pass that is left has no end at all; the next one begins where it began.
[[gnu::noinline]] void pass_that_may_be_left(std::size_t when) {
  if (setjmp(g_back) != 0) return;
  if (memo_pass_begin != nullptr) memo_pass_begin(0);
  run_operators([&](std::size_t i) {
    if (i == when) longjmp(g_back, 1);
  });
  if (memo_pass_end != nullptr) memo_pass_end();
}

void left_by_longjmp() {
  for (std::size_t when : {0u, 5u, 11u}) {
    pass_that_may_be_left(when);
    free_kept();
    const ServedSince served;
    pass_that_may_be_left(kBlocks);
    EXPECT(served.are(kBlocks));
    free_kept();
    expect_served_in_full();
  }
}

// The inner pass belongs to the outer: as much is served as the outer's plan holds.
void nested() {
  const ServedSince served;
  {
    const Pass outer;
    ordinary_pass();
    EXPECT(served.are(kBlocks));
  }
  expect_served_in_full();
}

// While they live another pass runs, from whatever is not pinned.
void outlive_their_pass() {
  void* first[kBlocks];
  {
    const Pass pass;
    run_operators([](std::size_t) {});
  }
  memcpy(first, g_kept, sizeof first);
  ordinary_pass();
  for (std::size_t i = 0; i < kBlocks; ++i) check_and_free(first[i], i);
  expect_served_in_full();
}

}  // namespace

int main(int argc, char**) {
  if (recorded(argc, ordinary_pass)) return 0;
  for (int round = 0; round < 5; ++round) {
    left_by_exception();
    left_by_longjmp();
    nested();
    outlive_their_pass();
  }
}
