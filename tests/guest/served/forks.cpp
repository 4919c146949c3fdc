// fork in the middle of a pass. The child owns a copy of the slab: what lives in it is as it was, its pass goes on, and
// whatever it writes stays its own. Other threads are in the middle of passes meanwhile; the child does not have them, so
// their lanes are its to use. vfork and posix_spawn inside a pass start other programs. Failure: a block of the parent or
// the child that changed, a child that crashes or hangs, or one in which the plan does not serve.
#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>

#include <atomic>

#include "served.h"

using namespace served;

namespace {

constexpr std::size_t kBlocks = 20;
constexpr std::size_t kHalf = kBlocks / 2;
std::atomic<bool> g_stop;

std::size_t size_of(std::size_t i) {
  return 100 * (i + 1) + (i % 5 == 4 ? 80000 : 0);
}

[[gnu::noinline]] void make_blocks(void** blocks, std::size_t from, std::size_t to, unsigned seed) {
  for (std::size_t i = from; i < to; ++i) {
    blocks[i] = malloc(size_of(i));
    EXPECT(blocks[i] != nullptr);
    fill(blocks[i], size_of(i), seed + static_cast<unsigned>(i));
  }
}

void check_and_free(void** blocks, std::size_t from, std::size_t to, unsigned seed) {
  for (std::size_t i = from; i < to; ++i) {
    EXPECT(is_filled(blocks[i], size_of(i), seed + static_cast<unsigned>(i)));
    free(blocks[i]);
  }
}

// Interrupted by `in_between` when half of its blocks are made.
template <typename Between>
void run_pass(unsigned seed, Between in_between) {
  const Pass pass;
  void* blocks[kBlocks];
  make_blocks(blocks, 0, kHalf, seed);
  in_between();
  make_blocks(blocks, kHalf, kBlocks, seed);
  check_and_free(blocks, 0, kBlocks, seed);
}

void ordinary_pass() {
  run_pass(0, [] {});
}

void* run_passes(void*) {
  for (unsigned seed = 1; !g_stop.load(); ++seed) run_pass(seed, [] {});
  return nullptr;
}

void expect_success(pid_t child) {
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

void* run_some(void*) {
  const ServedSince served;
  for (int pass = 0; pass < 3; ++pass) ordinary_pass();
  EXPECT(served.are(3 * kBlocks));
  return nullptr;
}

// The rest of the pass in which it was born, passes of its own, and passes of a thread of its own.
void live_as_child(unsigned seed, void** blocks) {
  make_blocks(blocks, kHalf, kBlocks, seed);
  check_and_free(blocks, 0, kBlocks, seed);
  if (memo_pass_end != nullptr) memo_pass_end();
  run_some(nullptr);
  pthread_t thread;
  EXPECT(pthread_create(&thread, nullptr, run_some, nullptr) == 0);
  pthread_join(thread, nullptr);
}

void fork_in_the_middle(unsigned seed) {
  const Pass pass;
  void* blocks[kBlocks];
  make_blocks(blocks, 0, kHalf, seed);
  const pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) {
    live_as_child(seed, blocks);
    _exit(0);
  }
  make_blocks(blocks, kHalf, kBlocks, seed);
  expect_success(child);
  check_and_free(blocks, 0, kBlocks, seed);
}

void vfork_in_the_middle() {
  run_pass(9, [] {
    const pid_t child = vfork();
    if (child == 0) {
      execl("/bin/true", "true", static_cast<char*>(nullptr));
      _exit(127);
    }
    expect_success(child);
  });
}

void spawn_in_the_middle() {
  run_pass(9, [] {
    char name[] = "true";
    char* arguments[] = {name, nullptr};
    pid_t child = 0;
    EXPECT(posix_spawn(&child, "/bin/true", nullptr, nullptr, arguments, environ) == 0);
    expect_success(child);
  });
}

}  // namespace

int main(int argc, char**) {
  if (recorded(argc, ordinary_pass)) return 0;
  for (unsigned seed = 0; seed < 5; ++seed) fork_in_the_middle(seed);
  pthread_t threads[3];
  for (pthread_t& thread : threads) EXPECT(pthread_create(&thread, nullptr, run_passes, nullptr) == 0);
  for (unsigned seed = 0; seed < 20; ++seed) fork_in_the_middle(seed);
  vfork_in_the_middle();
  spawn_in_the_middle();
  g_stop = true;
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
}
