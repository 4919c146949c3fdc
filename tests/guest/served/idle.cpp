// What a burst of passes took goes back while a single thread runs passes, and the rest once none runs any more and threads
// only allocate. Blocks that outlive their passes stay as they are. Failure: memory that never goes, although somebody looks
// time after time, or a block that changed.
#include <pthread.h>

#include "served.h"

using namespace served;

namespace {

constexpr std::size_t kThreads = 8;
constexpr std::size_t kSmall = 30;
constexpr std::size_t kLargeBytes = 1 << 18;
pthread_barrier_t all_run;

void run_pass(bool at_once, char** kept) {
  const Pass pass;
  if (at_once) pthread_barrier_wait(&all_run);
  char* blocks[kSmall];
  for (std::size_t i = 0; i < kSmall; ++i) fill(blocks[i] = static_cast<char*>(malloc(100 + i)), 100 + i, 1);
  auto* large = static_cast<char*>(malloc(kLargeBytes));
  fill(large, kLargeBytes, 2);
  for (std::size_t i = 0; i < kSmall; ++i) {
    EXPECT(is_filled(blocks[i], 100 + i, 1));
    free(blocks[i]);
  }
  EXPECT(is_filled(large, kLargeBytes, 2));
  if (kept == nullptr) free(large);
  if (kept != nullptr) *kept = large;
}

void* run_in_burst(void* kept) {
  run_pass(true, static_cast<char**>(kept));
  return nullptr;
}

// Waits for the library to give back so much of its lanes; whoever started this program waits for it no longer than its
// patience is.
template <typename Act>
void until_lanes_gave_back(std::uint64_t bytes, Act act) {
  while (by_plan() && figure("lane_bytes") < bytes) act();
}

void allocate_outside() {
  for (int i = 0; i < 64; ++i) free(malloc(1 << 16));
}

}  // namespace

int main(int argc, char**) {
  if (recorded(argc, [] { run_pass(false, nullptr); })) return 0;
  EXPECT(pthread_barrier_init(&all_run, nullptr, kThreads) == 0);
  pthread_t threads[kThreads];
  char* kept = nullptr;
  for (std::size_t i = 0; i < kThreads; ++i)
    EXPECT(pthread_create(&threads[i], nullptr, run_in_burst, i == 0 ? &kept : nullptr) == 0);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  until_lanes_gave_back((kThreads - 2) * kLargeBytes, [] { run_pass(false, nullptr); });
  until_lanes_gave_back((kThreads - 1) * kLargeBytes, allocate_outside);
  EXPECT(is_filled(kept, kLargeBytes, 2));
  free(kept);
  run_pass(false, nullptr);
}
