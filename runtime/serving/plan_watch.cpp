#include "runtime/serving/plan_watch.h"

#include <cstdio>

#include "runtime/platform/clock.h"
#include "runtime/platform/file_facts.h"
#include "runtime/platform/notice.h"
#include "runtime/platform/paths.h"
#include "runtime/platform/spare_stack.h"
#include "runtime/serving/exchange.h"
#include "runtime/serving/growing.h"
#include "runtime/serving/lanes_of_plans.h"

namespace memo::runtime {

namespace {

constexpr std::int64_t kLookEveryNanoseconds = 500'000'000;

bool stamp_of(const char* path, FileStamp* stamp) {
  FileFacts about;
  if (!look_at(path, &about)) return false;
  *stamp = {.device = about.device, .inode = about.inode, .bytes = about.bytes, .changed = about.changed};
  return true;
}

// Remembers the absolute path, since the program may change its directory. A path that is too long finds no
// file.
void remember_path(const char* path) {
  char directory[2048] = "";
  if (path[0] != '/' && !working_folder(directory, sizeof directory)) directory[0] = '\0';
  std::snprintf(g_serving.watched, sizeof g_serving.watched, "%s%s%s", directory, path[0] == '/' ? "" : "/",
                path);
}

FreshPlan prepare_if_changed() {
  FileStamp stamp;
  if (!stamp_of(g_serving.watched, &stamp) || stamp == g_serving.seen) return {};
  g_serving.seen = stamp;
  return prepare_file(g_serving.watched);
}

// Returns true for one thread every half second.
bool time_to_look() {
  if (!g_serving.watching.load(std::memory_order_relaxed)) return false;
  const std::int64_t time = coarse_nanoseconds_now();
  std::int64_t due = g_serving.next_look.load(std::memory_order_relaxed);
  return time >= due && g_serving.next_look.compare_exchange_strong(due, time + kLookEveryNanoseconds);
}

// Prepares a file that has changed, if it is time to look. Does nothing if another thread changes the plans at this
// moment.
FreshPlan prepare_what_is_due(bool look) {
  FreshPlan fresh;
  const TriedLock tried;
  if (!tried.may_change()) return fresh;
  if (look) fresh = prepare_if_changed();
  retire_old_lanes();
  return fresh;
}

}  // namespace

void watch_plan(const char* path, Absent absent) {
  FreshPlan fresh;
  {
    const Locked locked;
    if (!locked.may_change()) return;
    remember_path(path);
    g_serving.next_look.store(coarse_nanoseconds_now() + kLookEveryNanoseconds, std::memory_order_relaxed);
    if (absent == Absent::kSay && !may_use(g_serving.watched, Use::kFind))
      notice("no plan at %s yet: the heap serves until there is one", path);
    fresh = prepare_if_changed();
    g_serving.watching.store(true, std::memory_order_relaxed);
  }
  put_in_force(fresh);
}

void look_after_plans() {
  const bool look = time_to_look();
  const bool wanted = g_serving.growth_wanted.load(std::memory_order_relaxed);
  if (!look && !wanted && !old_lanes_are_due()) return;
  on_spare_stack([=] {
    put_in_force(prepare_what_is_due(look));
    if (wanted) grow_if_wanted();
  });
}

}  // namespace memo::runtime
