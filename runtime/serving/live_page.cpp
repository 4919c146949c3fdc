#include "runtime/serving/live_page.h"

#include <cerrno>
#include <cstring>

#include "runtime/platform/own_file.h"
#include "runtime/platform/paths.h"

namespace memo::runtime {
namespace {

// The page says where plans lie and what the program does: its user alone reads it. It is not written to by accident: a
// page that is cut off under the process ends it at its next count.
constexpr unsigned kRights = 0400;
constexpr std::size_t kCounters = sizeof(Statistics) / sizeof(std::atomic<std::uint64_t>);

constinit LivePage g_private_page{.magic = {'M', 'E', 'M', 'O', 'L', 'I', 'V', 'E'},
                                  .version = kLiveVersion,
                                  .bytes = sizeof(LivePage),
                                  .sequence = 0,
                                  .release_asked = 0,
                                  .release_done = 0,
                                  .reserved = 0,
                                  .process = {},
                                  .gauges = {},
                                  .counters = {}};
constinit std::atomic<LivePage*> g_page{&g_private_page};

std::atomic<std::uint64_t>* counters_of(LivePage& page) {
  return reinterpret_cast<std::atomic<std::uint64_t>*>(&page.counters);
}

// Copies everything but the magic word, and the counters as they are now into `counted`.
void fill(LivePage& fresh, LivePage& old, std::uint64_t (&counted)[kCounters]) {
  fresh.version = old.version;
  fresh.bytes = old.bytes;
  fresh.process = old.process;
  fresh.gauges = old.gauges;
  for (std::size_t at = 0; at < kCounters; ++at) {
    counted[at] = counters_of(old)[at].load(std::memory_order_relaxed);
    counters_of(fresh)[at].store(counted[at], std::memory_order_relaxed);
  }
}

// Adds what other threads counted in the old page after it was copied.
void add_late_counts(LivePage& fresh, LivePage& old, const std::uint64_t (&counted)[kCounters]) {
  for (std::size_t at = 0; at < kCounters; ++at) {
    const std::uint64_t late = counters_of(old)[at].load(std::memory_order_relaxed) - counted[at];
    if (late != 0) counters_of(fresh)[at].fetch_add(late, std::memory_order_relaxed);
  }
}

// Stores the magic word at once, after all that was written before it.
void store_magic(LivePage& page) {
  std::uint64_t word = 0;
  std::memcpy(&word, kLiveMagic, sizeof word);
  __atomic_store_n(reinterpret_cast<std::uint64_t*>(page.magic), word, __ATOMIC_RELEASE);
}

// Writes the magic word last: a reader takes a page without it for one that is not ready.
void move_to(LivePage& fresh) {
  LivePage& old = live_page();
  std::uint64_t counted[kCounters];
  fill(fresh, old, counted);
  store_magic(fresh);
  g_page.store(&fresh, std::memory_order_release);
  add_late_counts(fresh, old, counted);
}

// Lets readers see that they copy in the middle of the change.
template <typename Change>
void change_page(Change change) {
  LivePage& page = live_page();
  std::uint32_t even = page.sequence.load(std::memory_order_relaxed) & ~std::uint32_t{1};
  if (!page.sequence.compare_exchange_strong(even, even + 1, std::memory_order_acq_rel)) return;
  change(page);
  page.sequence.store(even + 2, std::memory_order_release);
}

}  // namespace

LivePage& live_page() {
  return *g_page.load(std::memory_order_acquire);
}

void describe_process(const LiveProcess& process) {
  live_page().process = process;
}

bool is_live_page_published() {
  return g_page.load(std::memory_order_relaxed) != &g_private_page;
}

bool publish_live_page(const char* path) {
  OwnFile file;
  if (!file.open_in_place_of(path, Open::kReadAndWrite | Open::kNoLink, kRights)) return false;
  auto* fresh = static_cast<LivePage*>(file.map_shared(sizeof(LivePage)));
  const int error = errno;
  file.close();
  if (fresh == nullptr) {
    remove_file(path);
    errno = error;
    return false;
  }
  move_to(*fresh);
  return true;
}

void update_gauges(const LiveGauges& gauges) {
  change_page([&](LivePage& page) { page.gauges = gauges; });
}

void note_unspoken(const char* line) {
  change_page([&](LivePage& page) {
    char(&said)[sizeof page.process.said] = page.process.said;
    const std::size_t length = strnlen(line, sizeof said - 1);
    std::memcpy(said, line, length);
    said[length] = '\0';
  });
}

// Keeps the old mapping: a thread that was born in this copy may still add to it.
void leave_live_page() {
  for (std::size_t at = 0; at < kCounters; ++at)
    counters_of(g_private_page)[at].store(0, std::memory_order_relaxed);
  g_private_page.gauges = {};
  g_private_page.sequence.store(0, std::memory_order_relaxed);
  g_page.store(&g_private_page, std::memory_order_release);
}

}  // namespace memo::runtime
