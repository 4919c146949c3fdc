// Blocks that live while the library goes from recording to serving, back to recording and to serving again, under
// `memomalloc run`: made in passes and beside them, by several threads, and freed or resized by another one in whatever
// state it finds. Passes of one kind come first. Once they are served, those of another kind follow, with operators and call
// sites of their own: the first plan cannot grow into theirs. Failure: a crash, a block that changed, or no second plan.
#include <pthread.h>
#include <unistd.h>

#include <atomic>

#include "served.h"

using namespace served;

namespace {

constexpr std::size_t kBlocks = 40;
constexpr std::size_t kShelves = 512;
constexpr int kThreads = 3;
constexpr int kMostWaits = 60'000;       // of a millisecond
constexpr unsigned kPassesBehind = 200;  // that the second plan serves

struct Kept {
  unsigned char* block;
  std::size_t size;
  unsigned number;
};

pthread_mutex_t g_lock = PTHREAD_MUTEX_INITIALIZER;
Kept g_shelves[kShelves];
std::atomic<unsigned> g_step{0};
std::atomic<unsigned> g_passes{0};
std::atomic<bool> g_second_kind{false};
std::atomic<bool> g_over{false};

Kept take(std::size_t shelf) {
  pthread_mutex_lock(&g_lock);
  const Kept taken = g_shelves[shelf];
  g_shelves[shelf] = {};
  pthread_mutex_unlock(&g_lock);
  return taken;
}

void check_and_free(const Kept& kept) {
  if (kept.block == nullptr) return;
  EXPECT(is_filled(kept.block, kept.size, kept.number));
  free(kept.block);
}

// Puts the block in the place of one from long before, which is freed, or grows and goes.
void keep(Kept fresh) {
  const unsigned step = g_step++;
  Kept old = take(step % kShelves);
  if (old.block != nullptr && step % 3 == 0) {
    EXPECT(is_filled(old.block, old.size, old.number));
    old.block = static_cast<unsigned char*>(realloc(old.block, old.size * 2));
    EXPECT(is_filled(old.block, old.size, old.number));
  }
  check_and_free(old);
  pthread_mutex_lock(&g_lock);
  const Kept between = g_shelves[step % kShelves];
  g_shelves[step % kShelves] = fresh;
  pthread_mutex_unlock(&g_lock);
  check_and_free(between);
}

template <bool kSecondKind>
std::size_t size_of(std::size_t i) {
  const std::size_t small = 24 + i * 52 % 900;
  return kSecondKind ? small * 3 + (i % 5 == 0 ? 90000 : 0) : small + (i % 10 == 0 ? 30000 : 0);
}

// Has a call site for each kind of passes.
template <bool kSecondKind>
[[gnu::noinline]] Kept make_block_of_kind(std::size_t i) {
  const std::size_t size = size_of<kSecondKind>(i);
  auto* block = static_cast<unsigned char*>(malloc(size));
  EXPECT(block != nullptr);
  fill(block, size, static_cast<unsigned>(i));
  return {block, size, static_cast<unsigned>(i)};
}

Kept make_block(std::size_t i) {
  return g_second_kind ? make_block_of_kind<true>(i) : make_block_of_kind<false>(i);
}

const char* operator_of(std::size_t i) {
  if (g_second_kind) return i % 2 == 0 ? "pool" : "normalise";
  return i % 2 == 0 ? "convolve" : "add";
}

void one_pass(unsigned number) {
  const Pass pass;
  Kept blocks[kBlocks];
  for (std::size_t i = 0; i < kBlocks; ++i) {
    open_scope(operator_of(i));
    blocks[i] = make_block(i);
    close_scope();
  }
  for (std::size_t i = 0; i < kBlocks; ++i) {
    number % 4 == 0 && i == number / 4 % kBlocks ? keep(blocks[i]) : check_and_free(blocks[i]);
  }
}

void* work(void*) {
  for (unsigned number = 0; !g_over; ++number) {
    one_pass(number);
    keep(make_block(number % kBlocks));
    ++g_passes;
    usleep(300);  // leaves the processors to the planner
  }
  return nullptr;
}

bool says(const char* state) {
  char text[4096];
  return memo_stats_json != nullptr && memo_stats_json(text, sizeof text) < sizeof text &&
         strstr(text, state) != nullptr;
}

void wait_for_plan(unsigned number) {
  for (int waits = 0; waits < kMostWaits; ++waits) {
    if (figure("plans_loaded") >= number && says("\"state\":\"serving\"")) return;
    usleep(1000);
  }
  EXPECT(!"the plan came");
}

}  // namespace

// No event tells that threads made passes, nor, above, that a plan came: both are asked for again and again.
void wait_for_passes(unsigned number) {
  for (int waits = 0; waits < kMostWaits && g_passes < number; ++waits) usleep(1000);
  EXPECT(g_passes >= number);
}

int main() {
  pthread_t threads[kThreads];
  for (pthread_t& thread : threads) EXPECT(pthread_create(&thread, nullptr, work, nullptr) == 0);
  if (memo_stats_json != nullptr) wait_for_plan(1);
  g_second_kind = true;
  if (memo_stats_json != nullptr) wait_for_plan(2);
  wait_for_passes(g_passes + kPassesBehind);
  g_over = true;
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  for (const Kept& kept : g_shelves) check_and_free(kept);
  return 0;
}
