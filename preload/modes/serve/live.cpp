#include "preload/modes/serve/live.h"

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
#include "runtime/platform/clock.h"
#include "runtime/platform/file_facts.h"
#include "runtime/platform/paths.h"
#include "runtime/platform/spare_stack.h"
#include "runtime/platform/try_flag.h"
#include "runtime/platform/user.h"
#include "runtime/serving/idle_lanes.h"
#include "runtime/serving/live_page.h"
#include "runtime/serving/statistics.h"

namespace memo::guest {
namespace {

constexpr std::int64_t kBetweenRefreshes = runtime::kSecond;

constinit char g_path[PATH_MAX]{};                      // "" where no file shall be made
constinit std::atomic<bool> g_tried{false};             // to make the file, in this process
constinit std::atomic<std::int64_t> g_next_refresh{0};  // nanoseconds of the coarse clock

constinit runtime::TryFlag g_releases;  // a thread does what the page asks for

bool is_release_asked() {
  const LivePage& page = runtime::live_page();
  return page.release_asked.load(std::memory_order_relaxed) !=
         page.release_done.load(std::memory_order_relaxed);
}

bool is_named_by_user() {
  return *option_text(GuestOptionId::kLive) != '\0';
}

// Makes the user's own folder. Returns false if it is not the user's alone: another user may have made it first.
bool make_own_folder(char* path, std::size_t capacity) {
  std::snprintf(path, capacity, "%s%u", kLiveFolder, runtime::effective_user());
  if (!runtime::make_folder(path, 0700) && errno != EEXIST) return false;
  runtime::FileFacts about;
  return runtime::look_at_unfollowed(path, &about) && about.kind == runtime::FileKind::kFolder &&
         about.owner == runtime::effective_user() && !about.is_writable_for_others();
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

void describe_on_spare_stack() {
  LiveProcess process{.process = platform::process_id(),
                      .started = static_cast<std::uint64_t>(runtime::nanoseconds_since_1970()),
                      .parent = platform::parent_process_id(),
                      .library = MEMOMALLOC_VERSION,
                      .mode = {},
                      .program = {},
                      .said = {}};
  std::snprintf(process.mode, sizeof process.mode, "%s", option_text(GuestOptionId::kMode));
  std::snprintf(process.program, sizeof process.program, "%s", runtime::base_name(platform::program_path()));
  runtime::describe_process(process);
}

// Names the file after the process and the time: two processes of one number, in two containers or one after the
// other, have two files.
void name_file() {
  char folder[PATH_MAX];
  if (!find_folder(folder, sizeof folder)) return;
  const int length =
      std::snprintf(g_path, sizeof g_path, "%s/%lu.%llx%s", folder, platform::process_id(),
                    static_cast<unsigned long long>(runtime::nanoseconds_since_1970()), kLiveSuffix);
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
  set_unspoken_sink(runtime::note_unspoken);
  *g_path = '\0';
  g_tried.store(false, std::memory_order_relaxed);
  g_releases.give_up_in_copy();
  runtime::on_spare_stack(describe_on_spare_stack);
}

void show_live_page() {
  if (g_tried.load(std::memory_order_relaxed) || g_tried.exchange(true, std::memory_order_relaxed)) return;
  const KeptErrno kept;
  runtime::on_spare_stack(create_file);
}

void refresh_live_page() {
  if (!runtime::is_live_page_published()) return;
  g_next_refresh.store(runtime::coarse_nanoseconds_now() + kBetweenRefreshes, std::memory_order_relaxed);
  runtime::on_spare_stack([] {
    LiveGauges gauges;
    if (runtime::measure_without_waiting(heap_figures(), &gauges)) runtime::update_gauges(gauges);
  });
}

void refresh_live_page_if_due() {
  show_live_page();
  const std::int64_t now = runtime::coarse_nanoseconds_now();
  std::int64_t due = g_next_refresh.load(std::memory_order_relaxed);
  if (now < due || !g_next_refresh.compare_exchange_strong(due, now + kBetweenRefreshes)) return;
  const KeptErrno kept;
  refresh_live_page();
}

void release_if_asked() {
  if (!is_release_asked()) return;
  const runtime::HeldFlag releasing(g_releases);
  if (!releasing.is_mine()) return;
  const KeptErrno kept;
  LivePage& page = runtime::live_page();
  const std::uint32_t asked = page.release_asked.load(std::memory_order_relaxed);
  runtime::release_memory();
  refresh_live_page();
  page.release_done.store(asked, std::memory_order_release);
}

void finish_live_page() {
  refresh_live_page();
  if (*g_path != '\0' && !is_named_by_user() && runtime::is_live_page_published())
    runtime::remove_file(g_path);
}

}  // namespace memo::guest
