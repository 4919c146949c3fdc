// Blocks of a pass that other threads free: while the pass runs, after it, after its thread has ended, or never. Threads
// that end in the middle of their pass, by the hundred. Failure: a crash, a block that changed, or lanes that stay with
// threads that are gone: after all of it an ordinary pass is served in full.
#include <pthread.h>

#include <atomic>

#include "served.h"

using namespace served;

namespace {

constexpr std::size_t kBlocks = 24;
constexpr int kRounds = 150;

std::size_t size_of(std::size_t i) {
  return 16 + i * 37 % 700 + (i % 8 == 0 ? 60000 : 0);
}

[[gnu::noinline]] void make_blocks(void** blocks) {
  for (std::size_t i = 0; i < kBlocks; ++i) {
    blocks[i] = malloc(size_of(i));
    EXPECT(blocks[i] != nullptr);
    fill(blocks[i], size_of(i), static_cast<unsigned>(i));
  }
}

void check_and_free(void* block, std::size_t i) {
  EXPECT(is_filled(block, size_of(i), static_cast<unsigned>(i)));
  free(block);
}

void ordinary_pass() {
  const Pass pass;
  void* blocks[kBlocks];
  make_blocks(blocks);
  for (std::size_t i = 0; i < kBlocks; ++i) check_and_free(blocks[i], i);
}

void in_thread(void* (*work)(void*), void* argument) {
  pthread_t thread;
  EXPECT(pthread_create(&thread, nullptr, work, argument) == 0);
  pthread_join(thread, nullptr);
}

void* free_odd_ones(void* argument) {
  auto** blocks = static_cast<void**>(argument);
  for (std::size_t i = 1; i < kBlocks; i += 2) check_and_free(blocks[i], i);
  return nullptr;
}

// Half of the blocks while the pass runs, the other half after it, all in another thread.
void freed_during_and_after_the_pass() {
  void* blocks[kBlocks];
  {
    const Pass pass;
    make_blocks(blocks);
    in_thread(free_odd_ones, blocks);
  }
  in_thread(
      [](void* argument) -> void* {
        auto** rest = static_cast<void**>(argument);
        for (std::size_t i = 0; i < kBlocks; i += 2) check_and_free(rest[i], i);
        return nullptr;
      },
      blocks);
}

void* end_in_the_middle(void* argument) {
  if (memo_pass_begin != nullptr) memo_pass_begin(0);
  open_scope("left open");
  make_blocks(static_cast<void**>(argument));
  pthread_exit(nullptr);
}

// Nobody ends the pass; the blocks live on and are freed here.
void freed_after_the_thread_has_ended() {
  void* blocks[kBlocks];
  in_thread(end_in_the_middle, blocks);
  for (std::size_t i = 0; i < kBlocks; ++i) check_and_free(blocks[i], i);
}

// A few that nobody ever frees pin their slots and nothing else.
void never_freed() {
  static void* kept[3][kBlocks];
  for (void** blocks : kept) {
    const Pass pass;
    make_blocks(blocks);
    for (std::size_t i = 0; i < kBlocks - 2; ++i) check_and_free(blocks[i], i);
  }
  for (void** blocks : kept) {
    for (std::size_t i = kBlocks - 2; i < kBlocks; ++i)
      EXPECT(is_filled(blocks[i], size_of(i), static_cast<unsigned>(i)));
  }
}

}  // namespace

int main(int argc, char**) {
  if (recorded(argc, ordinary_pass)) return 0;
  for (int round = 0; round < kRounds; ++round) {
    freed_during_and_after_the_pass();
    freed_after_the_thread_has_ended();
  }
  const ServedSince served;
  ordinary_pass();
  EXPECT(served.are(kBlocks));
  EXPECT(figure("double_free") == 0 && figure("bad_free") == 0);
  never_freed();
}
