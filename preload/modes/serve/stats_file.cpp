#include "preload/modes/serve/stats_file.h"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>

#include "preload/heap/heap.h"
#include "preload/log/log.h"
#include "preload/modes/profile/recording.h"
#include "preload/platform/platform.h"
#include "preload/platform/whole_file.h"
#include "runtime/pass/arena.h"
#include "runtime/plan/anchors.h"
#include "runtime/platform/clock.h"
#include "runtime/platform/file_facts.h"
#include "runtime/platform/limits.h"
#include "runtime/platform/own_file.h"
#include "runtime/platform/own_memory.h"
#include "runtime/platform/spare_stack.h"
#include "runtime/platform/user.h"
#include "runtime/serving/copies.h"
#include "runtime/serving/statistics.h"

namespace memo::guest {
namespace {

using runtime::FileKind;
using runtime::Open;

constinit std::atomic<std::int64_t> g_period{0};  // seconds
constinit std::atomic<std::int64_t> g_due{0};     // seconds_now() at the next writing

std::int64_t seconds_now() {
  return runtime::coarse_nanoseconds_now() / runtime::kSecond;
}

// Writes to the existing file. Does not block: a pipe without a reader must not hold up the program's end.
int write_in_place(const char* path, Open how, const char* bytes, std::size_t length) {
  runtime::OwnFile file;
  return file.open(path, how | Open::kWrite | Open::kEmpty | Open::kNoWaiting)
             ? platform::write_and_close(file, bytes, length)
             : errno;
}

// Replaces a plain file. Writes in place to anything else (a terminal, a pipe, /dev/stderr), but not through a
// link of another user, root excepted; and to a file that cannot be replaced, such as one that is mounted into
// a container. Returns 0, or the error number.
int write_file(const char* path, const char* bytes, std::size_t length) {
  if (platform::leads_to_another_standard_file(path)) return EBADF;
  runtime::FileFacts about{};
  const bool there = runtime::look_at_unfollowed(path, &about);
  if (there && about.kind == FileKind::kLink && about.owner != 0 && about.owner != runtime::effective_user())
    return ELOOP;
  if (there && about.kind != FileKind::kPlain) return write_in_place(path, Open::kWrite, bytes, length);
  const int error = platform::replace_file(path, bytes, length);
  return there && (error == EBUSY || error == EACCES) ? write_in_place(path, Open::kNoLink, bytes, length)
                                                      : error;
}

// Returns true if the statistics are worth a file. A wrapper around the server runs no pass, and its file would
// take the place of the server's.
bool has_something_to_tell() {
  return runtime::statistics().passes.load(std::memory_order_relaxed) != 0 || runtime::passes_never_came();
}

// Returns the resident bytes of the heap, at most those of the whole process: jemalloc counts every page that
// it has not given back, whether the program touched it or not.
std::uint64_t resident_of_heap() {
  const std::uint64_t counted = heap::figure("stats.resident");
  const std::uint64_t of_process = runtime::own_pages().resident;
  return of_process != 0 && of_process < counted ? of_process : counted;
}

std::size_t describe(char* out, std::size_t capacity) {
  const runtime::HeapFigures figures = heap_figures();
  runtime::end_passes_of_ended_threads();
  return runtime::statistics_json(out, capacity, &figures);
}

void describe_in_file(const char* path) {
  char text[4096];
  char name[4096];
  std::size_t length = describe(text, sizeof text - 1);
  if (length > sizeof text - 2) length = sizeof text - 2;
  text[length++] = '\n';
  const bool forked = runtime::is_forked_child();
  const int cut = std::snprintf(name, sizeof name, "%s", path);
  if (forked)
    std::snprintf(name + cut, sizeof name - static_cast<std::size_t>(cut), ".%lu", platform::process_id());
  const int error = write_file(name, text, length);
  if (error != 0) log_trouble("cannot write the statistics to ", name, ": ", platform::describe_error(error));
}

}  // namespace

runtime::HeapFigures heap_figures() {
  heap::refresh_figures();
  runtime::set_own(runtime::Own::kTable, recorder_table_bytes());
  return {.allocated = heap::figure("stats.allocated"), .resident = resident_of_heap()};
}

// May run on a spare stack: the figures of the calling thread's pass come from its thread-local state.
std::size_t describe_statistics(char* out, std::size_t capacity) {
  return runtime::on_spare_stack([&] { return describe(out, capacity); });
}

void write_statistics(const char* path) {
  if (*path == '\0' || !runtime::is_settled_here()) return;
  if (!has_something_to_tell()) return;
  runtime::on_spare_stack([&] { describe_in_file(path); });
}

void write_statistics_every(unsigned long seconds) {
  constexpr unsigned long kLongest = 1ul << 31;
  g_period.store(static_cast<std::int64_t>(seconds < kLongest ? seconds : kLongest),
                 std::memory_order_relaxed);
  g_due.store(seconds_now() + g_period.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

void write_statistics_if_due(const char* path) {
  const std::int64_t period = g_period.load(std::memory_order_relaxed);
  if (period == 0) return;
  const std::int64_t now = seconds_now();
  std::int64_t due = g_due.load(std::memory_order_relaxed);
  if (now >= due && g_due.compare_exchange_strong(due, now + period)) write_statistics(path);
}

}  // namespace memo::guest
