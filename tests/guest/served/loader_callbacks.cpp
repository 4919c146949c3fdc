// Passes with the loader's lock held: in a callback of dl_iterate_phdr, as an unwinder's or a profiler's, while another thread
// begins passes of its own and a third loads and unloads. The plan names a library that is not loaded, so that every pass
// looks for it. Whoever waits for the loader with a lock of its own held, and for that lock with the loader's held, waits for
// ever. Failure: the alarm.
#include <link.h>
#include <pthread.h>

#include <atomic>

#include "tests/guest/served/served.h"

namespace {

using Allocate = char*(std::size_t);

// The library whose absence the plan is to notice.
Allocate* allocate_elsewhere = nullptr;

void open_library() {
  const char* path = getenv("GUEST_MODEL");
  void* library = path == nullptr ? nullptr : dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) allocate_elsewhere = reinterpret_cast<Allocate*>(dlsym(library, "plugin_allocate"));
}

void run_pass() {
  const served::Pass pass;
  for (unsigned size = 100; size < 1500; size += 100) {
    void* block = malloc(size);
    fill(block, size, size);
    EXPECT(is_filled(block, size, size));
    free(block);
  }
  if (allocate_elsewhere != nullptr) free(allocate_elsewhere(5000));
}

int run_pass_in_callback(dl_phdr_info*, std::size_t, void*) {
  run_pass();
  return 1;
}

constexpr int kRounds = 10000;
std::atomic<int> still_running{3};

void* inside(void*) {
  for (int round = 0; round < kRounds; ++round) dl_iterate_phdr(run_pass_in_callback, nullptr);
  --still_running;
  return nullptr;
}

void* outside(void*) {
  for (int round = 0; round < kRounds; ++round) run_pass();
  --still_running;
  return nullptr;
}

void* load_and_unload(void*) {
  while (still_running.load() != 0) {
    void* library = dlopen("libanl.so.1", RTLD_NOW | RTLD_LOCAL);
    EXPECT(library != nullptr);
    EXPECT(dlclose(library) == 0);
  }
  return nullptr;
}

}  // namespace

int main(int argc, char**) {
  alarm(50);
  open_library();
  if (served::recorded(argc, run_pass)) return 0;
  pthread_t threads[4];
  void* (*const work[])(void*) = {inside, inside, outside, load_and_unload};
  for (int i = 0; i < 4; ++i) EXPECT(pthread_create(&threads[i], nullptr, work[i], nullptr) == 0);
  for (pthread_t thread : threads) EXPECT(pthread_join(thread, nullptr) == 0);
  return 0;
}
