// Passes that all begin before any of them touches its block, where a control group has room for few such blocks. Each pass that
// gets a lane is promised memory that the group does not count yet. Failure: more lanes than the group has room for, or a block that
// changed.
#include <pthread.h>

#include "served.h"

using namespace served;

namespace {

constexpr std::size_t kThreads = 8;
constexpr std::size_t kBytes = 24 << 20;
pthread_barrier_t all_run;

void run_pass(bool at_once) {
  const Pass pass;
  if (at_once) pthread_barrier_wait(&all_run);
  auto* block = static_cast<char*>(malloc(kBytes));
  EXPECT(block != nullptr);
  fill(block, 1000, 5);
  EXPECT(is_filled(block, 1000, 5));
  free(block);
}

void* run_with_others(void*) {
  run_pass(true);
  return nullptr;
}

}  // namespace

int main(int argc, char**) {
  if (recorded(argc, [] { run_pass(false); })) return 0;
  EXPECT(pthread_barrier_init(&all_run, nullptr, kThreads) == 0);
  pthread_t threads[kThreads];
  for (pthread_t& thread : threads) EXPECT(pthread_create(&thread, nullptr, run_with_others, nullptr) == 0);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
}
