#include "preload/modes/auto/own_planner.h"

#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <initializer_list>

#include "preload/log/log.h"
#include "preload/log/speaker.h"
#include "preload/modes/auto/plan_name.h"
#include "preload/options/options.h"
#include "preload/platform/kept_errno.h"
#include "preload/platform/platform.h"
#include "runtime/formats/plan_owner.h"
#include "runtime/platform/file_facts.h"
#include "runtime/platform/own_file.h"
#include "runtime/platform/paths.h"
#include "runtime/platform/spare_stack.h"
#include "runtime/platform/user.h"
#include "runtime/serving/plan_watch.h"

namespace memo::guest {
namespace {

using Path = char[PATH_MAX];
using runtime::Use;

// The texts that the options point to after arrange_own_learning().
Path g_work;
Path g_traces;
Path g_plan;
bool g_own = false;
const char* g_withheld = "";  // the plan that this process is kept from

// Integers and no enumeration: not every compiler accepts enumerations in the __atomic built-ins.
constexpr int kNotAsked = 0;
constexpr int kStarting = 1;
constexpr int kRuns = 2;
constexpr int kMissing = 3;
int g_planner = kNotAsked;

// Formats a path. Returns false if it is too long to be one.
__attribute__((format(printf, 2, 3))) bool print(Path& path, const char* format, ...) {
  va_list parts;
  va_start(parts, format);
  const int length = std::vsnprintf(path, sizeof path, format, parts);
  va_end(parts);
  return length > 0 && static_cast<std::size_t>(length) < sizeof path;
}

bool is_default(GuestOptionId id) {
  return std::strcmp(option_text(id), guest_option(id).fallback) == 0;
}

// Names the work folder. The random number keeps others from guessing the name and making the folder first.
// Returns false if a path is too long.
bool name_work_folder() {
  const char* parent = platform::secure_environment("TMPDIR");
  return print(g_work, "%s/memomalloc.%lu.%016llx", parent != nullptr && *parent == '/' ? parent : "/tmp",
               platform::process_id(), platform::random_number_of_start()) &&
         print(g_traces, "%s/%%c.%%p.trace", g_work);
}

void plan_in_work_folder() {
  print(g_plan, "%s/the.plan", g_work);
}

// Names the plan in $XDG_CACHE_HOME/memomalloc, or else in ~/.cache/memomalloc, as `memomalloc run` does.
// Returns false if there is no such folder to name.
bool name_cached_plan() {
  char name[NAME_MAX + 1];
  if (!write_plan_name(name, sizeof name)) return false;
  const char* named = platform::secure_environment("XDG_CACHE_HOME");
  if (named != nullptr && *named == '/') return print(g_plan, "%s/memomalloc/%s", named, name);
  const char* home = platform::secure_environment("HOME");
  return home != nullptr && *home == '/' && print(g_plan, "%s/.cache/memomalloc/%s", home, name);
}

// Returns true if every user may write to the folder in which the plan is kept: then any of them may have put it there.
// The cure is the user's; until then the plan is kept in the work folder.
bool is_cache_of_everybody() {
  Path folder;
  runtime::FileFacts about;
  std::snprintf(folder, sizeof folder, "%s", g_plan);
  char* last = std::strrchr(folder, '/');
  if (last == nullptr || are_plans_taken_of_anyone()) return false;
  *last = '\0';
  if (!runtime::look_at(folder, &about) || !may_everybody_write(about.rights)) return false;
  log_trouble("everybody may write to the cache ", static_cast<const char*>(folder),
              ": what is learned is forgotten at the end; chmod o-w, or set MEMOMALLOC_PLAN_FROM=anyone");
  return true;
}

// Whatever the umask is, not everybody may write to a folder of plans.
constexpr unsigned kFolderRights = 0775;

// Makes the folder of a file, and the folders around it. Returns false if the library may not write to it.
bool make_folder_of(const Path& file) {
  Path folder;
  std::snprintf(folder, sizeof folder, "%s", file);
  char* last = std::strrchr(folder, '/');
  if (last == nullptr) return runtime::may_use(".", Use::kWrite);
  *last = '\0';
  for (char* slash = std::strchr(folder + 1, '/'); slash != nullptr; slash = std::strchr(slash + 1, '/')) {
    *slash = '\0';
    runtime::make_folder(folder, kFolderRights);
    *slash = '/';
  }
  runtime::make_folder(folder, kFolderRights);
  return runtime::may_use(folder, Use::kWriteInside);
}

void settle_for_a_plan_that_is_forgotten() {
  log_trouble("cannot write beside ", static_cast<const char*>(g_plan),
              ": what is learned is forgotten at the end");
  plan_in_work_folder();
  runtime::watch_plan(g_plan, runtime::Absent::kExpected);
}

// Finds the folder that the library's file really lies in, even if a link loaded it.
bool find_own_folder(Path& folder) {
  runtime::OwnFile library;
  if (!library.open(platform::own_path(), runtime::Open::kPathOnly)) return false;
  const bool found = library.find_path(folder, sizeof folder);
  library.close();
  if (!found) return false;
  char* last = std::strrchr(folder, '/');
  if (last != nullptr) *last = '\0';
  return last != nullptr;
}

// Finds the command: at the path that the user names, or else as installed: in bin beside the library's folder,
// in bin beside the folder around that (lib/x86_64-linux-gnu), or in the library's folder itself.
bool find_planner(Path& planner) {
  const char* named = option_text(GuestOptionId::kPlanner);
  if (*named != '\0') return print(planner, "%s", named) && runtime::may_use(planner, Use::kRun);
  Path folder;
  if (!find_own_folder(folder)) return false;
  for (const char* place : {"../bin", "../../bin", "."}) {
    if (print(planner, "%s/%s/memomalloc", folder, place) && runtime::may_use(planner, Use::kRun))
      return true;
  }
  return false;
}

// Returns the file that the planner's lines go to, the same as the library's; null for stderr, if this process may write to it.
const char* planner_log() {
  const char* log = option_text(GuestOptionId::kLog);
  if (std::strcmp(log, "stderr") == 0 && may_speak()) return nullptr;
  const bool is_file = *log != '\0' && std::strcmp(log, "off") != 0 && std::strcmp(log, "stderr") != 0;
  return is_file ? log : "/dev/null";
}

int start(const Path& planner) {
  char process[24];
  std::snprintf(process, sizeof process, "%lu", platform::process_id());
  const bool once = std::strcmp(option_text(GuestOptionId::kLearn), "once") == 0;
  const char* format = option_text(GuestOptionId::kLogFormat);
  const char* words[] = {planner, "learn", "--plan",       g_plan, "--work",
                         g_work,  process, "--log-format", format, once ? "--once" : nullptr,
                         nullptr};
  return platform::start_detached(words, planner_log());
}

// Returns true if another process of the tree has made the work folder, and has started the planner. Only these
// processes know the folder's name; a folder of another user is not accepted in its place.
bool has_planner_of_tree() {
  runtime::FileFacts about;
  return runtime::look_at_unfollowed(g_work, &about) && about.kind == runtime::FileKind::kFolder &&
         about.owner == runtime::effective_user();
}

bool start_planner() {
  if (has_planner_of_tree()) {
    if (!make_folder_of(g_plan)) settle_for_a_plan_that_is_forgotten();
    return true;
  }
  Path planner;
  if (!find_planner(planner)) {
    const char* named = option_text(GuestOptionId::kPlanner);
    log_trouble("no planner ", *named != '\0' ? "at " : "beside the library", named,
                ": nothing is learned; name the command memomalloc in MEMOMALLOC_PLANNER");
    return false;
  }
  if (!runtime::make_folder(g_work, 0700)) {
    if (errno == EEXIST && has_planner_of_tree()) return true;
    log_trouble("cannot make the folder ", static_cast<const char*>(g_work), ": ",
                platform::describe_error(errno), "; nothing is learned");
    return false;
  }
  if (!make_folder_of(g_plan)) settle_for_a_plan_that_is_forgotten();
  const int error = start(planner);
  if (error == 0) {
    log_note("auto: the planner ", static_cast<const char*>(planner), " works in ",
             static_cast<const char*>(g_work));
    return true;
  }
  log_trouble("cannot run ", static_cast<const char*>(planner), ": ", platform::describe_error(error),
              "; nothing is learned");
  runtime::remove_folder(g_work);
  return false;
}

}  // namespace

void arrange_own_learning() {
  g_own = is_default(GuestOptionId::kTrace) && name_work_folder();
  if (!g_own) return;
  set_option(GuestOptionId::kTrace, g_traces);
  if (is_default(GuestOptionId::kKeep)) set_option(GuestOptionId::kKeep, "newest");
  if (is_default(GuestOptionId::kTraceLimit)) set_option(GuestOptionId::kTraceLimit, "64");
  if (!is_default(GuestOptionId::kPlan)) {
    print(g_plan, "%s", option_text(GuestOptionId::kPlan));
    return;
  }
  if (!name_cached_plan() || is_cache_of_everybody()) plan_in_work_folder();
  set_option(GuestOptionId::kPlan, g_plan);
}

void withhold_plan() {
  g_withheld = option_text(GuestOptionId::kPlan);
  set_option(GuestOptionId::kPlan, "");
}

void watch_withheld_plan() {
  set_option(GuestOptionId::kPlan, g_withheld);
  if (*g_withheld != '\0') runtime::watch_plan(g_withheld, runtime::Absent::kExpected);
}

bool has_planner() {
  if (!g_own) return true;
  int found = kNotAsked;
  if (__atomic_load_n(&g_planner, __ATOMIC_RELAXED) == kNotAsked &&
      __atomic_compare_exchange_n(&g_planner, &found, kStarting, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    const KeptErrno kept;
    __atomic_store_n(&g_planner, runtime::on_spare_stack(start_planner) ? kRuns : kMissing, __ATOMIC_RELEASE);
  }
  return __atomic_load_n(&g_planner, __ATOMIC_ACQUIRE) == kRuns;
}

bool planner_has_ended() {
  int runs = kRuns;
  return g_own &&
         __atomic_compare_exchange_n(&g_planner, &runs, kNotAsked, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

void look_for_planner_in_copy() {
  if (__atomic_load_n(&g_planner, __ATOMIC_RELAXED) != kMissing)
    __atomic_store_n(&g_planner, kNotAsked, __ATOMIC_RELAXED);
}

bool no_planner() {
  return __atomic_load_n(&g_planner, __ATOMIC_RELAXED) == kMissing;
}

}  // namespace memo::guest
