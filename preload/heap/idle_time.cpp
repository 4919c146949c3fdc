// Has jemalloc give back the pages that lay idle throughout its decay time (idle_pages.h), in the place of those that became dirty
// so long ago.
//
// jemalloc's own rule counts pages by when they were freed. A program that frees and wants the same pages again and again always
// has some that were freed long ago by that count, so that it touches anew what it needs: docs/heap.md has the figures.
//
// jemalloc asks decay_maybe_advance_epoch() after some thousand calls of a thread, under the lock of the arena's decay, and purges
// down to the limit that this function returns, the longest idle pages first. The linker sends the question here (--wrap). The
// limit is set through jemalloc's own functions: an account that was just begun anew, and is told of so many pages, allows so many.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "preload/heap/heap.h"
#include "preload/heap/idle_pages.h"
#include "preload/heap/idle_time.h"
#include "preload/platform/kept_errno.h"
#include "runtime/platform/clock.h"
#include "runtime/platform/spare_stack.h"

namespace {

// As jemalloc's release builds have it.
struct Time {
  std::uint64_t nanoseconds;
};

}  // namespace

extern "C" {
// Weak, for a jemalloc that does not ask: it then decays by its own rule.
[[gnu::weak]] bool memo_real_advance_epoch(void* decay, Time* now,
                                           std::size_t pages) asm("__real_je_decay_maybe_advance_epoch");
[[gnu::weak]] void memo_begin_decay_anew(void* decay, Time* now,
                                         std::ptrdiff_t milliseconds) asm("je_decay_reinit");
extern std::ptrdiff_t memo_dirty_milliseconds asm("je_opt_dirty_decay_ms");
extern std::ptrdiff_t memo_muzzy_milliseconds asm("je_opt_muzzy_decay_ms");
bool memo_advance_epoch(void* decay, Time* now, std::size_t pages) asm("__wrap_je_decay_maybe_advance_epoch");
}

namespace memo::guest::heap {
namespace {

constexpr std::uint64_t kMillisecond = 1'000'000;
constexpr std::int64_t kBetweenLooks = runtime::kSecond;
constexpr std::size_t kMostDecays = 1024;  // two for each arena; jemalloc's own rule holds for those beyond

struct Watched {
  std::atomic<const void*> decay;
  IdlePages pages;  // under the lock of this decay
};
constinit Watched g_watched[kMostDecays]{};
constinit std::atomic<std::int64_t> g_next_look{0};  // nanoseconds of the coarse clock

IdlePages* find_watched(const void* decay) {
  const std::size_t first = reinterpret_cast<std::uintptr_t>(decay) / 64;
  for (std::size_t i = 0; i < kMostDecays; ++i) {
    Watched& one = g_watched[(first + i) % kMostDecays];
    const void* held = one.decay.load(std::memory_order_relaxed);
    if (held == nullptr && one.decay.compare_exchange_strong(held, decay, std::memory_order_relaxed))
      held = decay;
    if (held == decay) return &one.pages;
  }
  return nullptr;
}

// Allows so many pages from now on: begins the account a decay time ago, and tells it of them.
void allow(void* decay, Time now, std::uint64_t window, std::size_t pages) {
  Time before{now.nanoseconds - std::min(window, now.nanoseconds)};
  memo_begin_decay_anew(decay, &before, memo_dirty_milliseconds);
  memo_real_advance_epoch(decay, &now, pages);
}

}  // namespace

void look_at_idle_pages_if_due() {
  const std::int64_t now = runtime::coarse_nanoseconds_now();
  std::int64_t due = g_next_look.load(std::memory_order_relaxed);
  if (now < due || !g_next_look.compare_exchange_strong(due, now + kBetweenLooks)) return;
  const KeptErrno kept;
  runtime::on_spare_stack([] {
    memo_je_mallctl("arena.4096.decay", nullptr, nullptr, nullptr, 0);  // 4096 is every arena
  });
}

}  // namespace memo::guest::heap

// Returns true if pages are to be purged now. A user that has pages decay in two stages gets jemalloc's own rule.
bool memo_advance_epoch(void* decay, Time* now, std::size_t pages) {
  using namespace memo::guest::heap;
  IdlePages* watched = memo_muzzy_milliseconds == 0 ? find_watched(decay) : nullptr;
  if (watched == nullptr) return memo_real_advance_epoch(decay, now, pages);
  const std::uint64_t window = static_cast<std::uint64_t>(memo_dirty_milliseconds) * kMillisecond;
  const std::uint64_t kept = watched->keep(now->nanoseconds, pages, window);
  if (kept == pages) return false;
  allow(decay, *now, window, kept);
  return true;
}
