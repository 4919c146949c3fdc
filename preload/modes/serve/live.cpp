#include "preload/modes/serve/live.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "preload/log/log.h"
#include "preload/modes/serve/stats_file.h"
#include "preload/options/options.h"
#include "preload/platform/kept_errno.h"
#include "preload/platform/platform.h"
#include "runtime/platform/spare_stack.h"
#include "runtime/serving/live_page.h"
#include "runtime/serving/statistics.h"

namespace memo::guest {
namespace {

constexpr std::int64_t kBetweenRefreshes = 1'000'000'000;  // nanoseconds

constinit char g_path[PATH_MAX]{};                      // "" where no file shall be made
constinit std::atomic<bool> g_tried{false};             // to make the file, in this process
constinit std::atomic<std::int64_t> g_next_refresh{0};  // nanoseconds of the coarse clock

std::int64_t nanoseconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

bool is_named_by_user() {
  return *option_text(GuestOptionId::kLive) != '\0';
}

// Makes the user's own folder. Returns false if it is not the user's alone: somebody else may have made it first.
bool make_own_folder(char* path, std::size_t capacity) {
  std::snprintf(path, capacity, "%s%u", kLiveFolder, geteuid());
  struct stat about {};
  if (mkdir(path, 0700) != 0 && errno != EEXIST) return false;
  return lstat(path, &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid() &&
         (about.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// Returns false where no file shall be made: the user switched it off, or the kernel would end the program for a
// file of that size.
bool find_folder(char* path, std::size_t capacity) {
  if (platform::greatest_file_bytes() < sizeof(LivePage)) return false;
  if (!is_named_by_user()) return make_own_folder(path, capacity);
  if (std::strcmp(option_text(GuestOptionId::kLive), "off") == 0) return false;
  std::snprintf(path, capacity, "%s", option_text(GuestOptionId::kLive));
  return true;
}

const char* base_name(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

void describe_on_spare_stack() {
  const std::int64_t started = nanoseconds(CLOCK_REALTIME);
  LiveProcess process{.process = platform::process_id(),
                      .started = static_cast<std::uint64_t>(started),
                      .parent = static_cast<std::uint64_t>(getppid()),
                      .library = MEMOMALLOC_VERSION,
                      .mode = {},
                      .program = {}};
  std::snprintf(process.mode, sizeof process.mode, "%s", option_text(GuestOptionId::kMode));
  std::snprintf(process.program, sizeof process.program, "%s", base_name(platform::program_path()));
  runtime::describe_process(process);
}

// Names the file after the process and the time: two processes of one number, in two containers or one after the
// other, have two files.
void name_file() {
  char folder[PATH_MAX];
  if (!find_folder(folder, sizeof folder)) return;
  const int length = std::snprintf(g_path, sizeof g_path, "%s/%lu.%llx%s", folder, platform::process_id(),
                                   static_cast<unsigned long long>(nanoseconds(CLOCK_REALTIME)), kLiveSuffix);
  if (length < 0 || static_cast<std::size_t>(length) >= sizeof g_path) *g_path = '\0';
}

void create_file() {
  name_file();
  if (*g_path == '\0') return;
  if (runtime::publish_live_page(g_path)) return refresh_live_page();
  log_note("no live page at ", static_cast<const char*>(g_path), ": ", platform::describe_error(errno),
           "; `memomalloc status` shows less of this process");
  *g_path = '\0';
}

}  // namespace

void describe_live_page() {
  *g_path = '\0';
  g_tried.store(false, std::memory_order_relaxed);
  runtime::on_spare_stack(describe_on_spare_stack);
}

void show_live_page() {
  if (g_tried.load(std::memory_order_relaxed) || g_tried.exchange(true, std::memory_order_relaxed)) return;
  const KeptErrno kept;
  runtime::on_spare_stack(create_file);
}

void refresh_live_page() {
  if (!runtime::is_live_page_published()) return;
  g_next_refresh.store(nanoseconds(CLOCK_MONOTONIC_COARSE) + kBetweenRefreshes, std::memory_order_relaxed);
  runtime::on_spare_stack([] {
    LiveGauges gauges;
    if (runtime::measure_without_waiting(heap_figures(), &gauges)) runtime::update_gauges(gauges);
  });
}

void refresh_live_page_if_due() {
  show_live_page();
  const std::int64_t now = nanoseconds(CLOCK_MONOTONIC_COARSE);
  std::int64_t due = g_next_refresh.load(std::memory_order_relaxed);
  if (now < due || !g_next_refresh.compare_exchange_strong(due, now + kBetweenRefreshes)) return;
  const KeptErrno kept;
  refresh_live_page();
}

void finish_live_page() {
  refresh_live_page();
  if (*g_path != '\0' && !is_named_by_user() && runtime::is_live_page_published()) unlink(g_path);
}

}  // namespace memo::guest
