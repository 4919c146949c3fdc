#include "preload/heap/heap.h"

#include <cerrno>
#include <cstdint>

#include "runtime/platform/spare_stack.h"

namespace memo::guest::heap {

namespace {

// Tells the first arena from which size on blocks that are freed go back at once, as the settings have it: jemalloc 5.3.0 makes this
// arena before it reads them, with 8 MiB.
void settle_first_arena() {
  constexpr std::size_t kNoBlock = std::size_t{7} << 60;  // jemalloc's largest size class
  const std::size_t set = figure("opt.oversize_threshold");
  std::size_t threshold = set != 0 ? set : kNoBlock;
  memo_je_mallctl("arena.0.oversize_threshold", nullptr, nullptr, &threshold, sizeof threshold);
}

}  // namespace

void* no_memory() {
  errno = ENOMEM;
  return nullptr;
}

void start() {
  memo_je_free(memo_je_malloc(1));
  settle_first_arena();
}

std::size_t figure(const char* name) {
  std::size_t value = 0;
  std::size_t length = sizeof value;
  return memo_je_mallctl(name, &value, &length, nullptr, 0) == 0 ? value : 0;
}

void refresh_figures() {
  std::uint64_t epoch = 1;
  memo_je_mallctl("epoch", nullptr, nullptr, &epoch, sizeof epoch);
}

void give_back_idle() {
  runtime::on_spare_stack([] {
    memo_je_mallctl("thread.tcache.flush", nullptr, nullptr, nullptr, 0);
    memo_je_mallctl("arena.4096.purge", nullptr, nullptr, nullptr, 0);  // 4096 is every arena
  });
}

std::uint64_t give_back_idle_and_count() {
  refresh_figures();
  const std::size_t before = figure("stats.resident");
  give_back_idle();
  refresh_figures();
  const std::size_t after = figure("stats.resident");
  return after < before ? before - after : 0;
}

}  // namespace memo::guest::heap
