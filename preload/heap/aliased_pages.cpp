#include "preload/heap/aliased_pages.h"

#include <algorithm>
#include <cstdint>

#include "preload/platform/relaxed.h"
#include "runtime/formats/rounding.h"
#include "runtime/platform/lock_order.h"
#include "runtime/platform/notice.h"
#include "runtime/platform/process_lock.h"

namespace memo::guest::heap {
namespace {

constexpr std::size_t kStep = std::size_t{64} << 20;  // bytes that are opened at once, at least
constexpr std::size_t kHuge = std::size_t{2} << 20;   // jemalloc wants extents of this size aligned to it

struct AliasedPages {
  platform::PageWindows windows;
  std::size_t taken;   // bytes of each window that jemalloc has
  std::size_t opened;  // bytes of each window that may be touched
  bool give_none;      // to be read without the lock, and changed under it
  bool parted;
  runtime::ProcessLock changing;  // held for some calls of mprotect or mremap
};
constinit AliasedPages g_pages{};

class Changing {
 public:
  Changing() {
    runtime::expect_may_wait_for(runtime::Lock::kHeapPages);
    holds_ = g_pages.changing.lock();
    if (holds_) runtime::note_taken(runtime::Lock::kHeapPages);
  }
  ~Changing() {
    if (!holds_) return;
    runtime::note_given_back(runtime::Lock::kHeapPages);
    g_pages.changing.unlock();
  }
  Changing(const Changing&) = delete;
  Changing& operator=(const Changing&) = delete;

  [[nodiscard]] bool holds() const { return holds_; }

 private:
  bool holds_;
};

std::size_t window_bytes() {
  return std::size_t{1} << g_pages.windows.shift;
}

void* address_at(std::size_t offset) {
  return reinterpret_cast<void*>(g_pages.windows.first + offset);
}

[[gnu::cold, gnu::noinline]] void give_no_more(const char* reason) {
  write_relaxed(g_pages.give_none, true);
  runtime::notice("%s: from here on the heap grows elsewhere, where pointers have no tag (--tag=alias)",
                  reason);
}

bool open_up_to(std::size_t end) {
  if (end <= g_pages.opened) return true;
  const std::size_t bytes = std::max(kStep, end - g_pages.opened);
  const std::size_t most = std::min(bytes, window_bytes() - g_pages.opened);
  if (!platform::open_windows(g_pages.windows, g_pages.opened, most)) return false;
  g_pages.opened += most;
  return true;
}

}  // namespace

// Opens the first step at once: opening more then moves the ends of mappings, and makes no new ones. What is taken begins
// one extent above the window's begin, so that no extent of elsewhere lies right below it.
const char* show_pages_in_windows(int bits) {
  const char* refusal = platform::make_windows(bits, g_pages.windows);
  if (refusal != nullptr) return refusal;
  g_pages.taken = kHuge;
  if (!open_up_to(kStep)) {
    g_pages.windows = {};
    return "the kernel has too few mappings left";
  }
  return nullptr;
}

const platform::PageWindows& windows() {
  return g_pages.windows;
}

void part_windows() {
  if (g_pages.windows.bits == 0 || __atomic_load_n(&g_pages.parted, __ATOMIC_ACQUIRE)) return;
  const Changing alone;
  if (!alone.holds() || g_pages.parted) return;
  write_relaxed(g_pages.give_none, true);
  if (!platform::part_windows(g_pages.windows, g_pages.opened))
    runtime::notice(
        "the kernel refuses to part the heap from that of a forked child: what the child writes there changes "
        "the parent's blocks; record without --tag=alias");
  __atomic_store_n(&g_pages.parted, true, __ATOMIC_RELEASE);
}

void* take_aliased_pages(std::size_t bytes) {
  if (g_pages.windows.bits == 0 || read_relaxed(g_pages.give_none)) return nullptr;
  const Changing alone;
  if (!alone.holds() || g_pages.give_none) return nullptr;
  const std::size_t begin = bytes < kHuge ? g_pages.taken : runtime::round_up(g_pages.taken, kHuge);
  if (begin > window_bytes() || bytes > window_bytes() - begin) {
    give_no_more("the heap is larger than a window");
    return nullptr;
  }
  if (!open_up_to(begin + bytes)) {
    give_no_more("the kernel opens no more windows");
    return nullptr;
  }
  g_pages.taken = begin + bytes;
  return address_at(begin);
}

bool are_aliased(const void* pages) {
  if (g_pages.windows.bits == 0) return false;
  return reinterpret_cast<std::uintptr_t>(pages) - g_pages.windows.first < window_bytes();
}

bool empty_aliased_pages(const void* pages, std::size_t bytes) {
  return !read_relaxed(g_pages.parted) && platform::empty_windows(pages, bytes);
}

}  // namespace memo::guest::heap
