#include "runtime/serving.h"

#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "runtime/anchors.h"
#include "runtime/memory_room.h"
#include "runtime/modules.h"
#include "runtime/notice.h"
#include "runtime/statistics.h"
#include "runtime/thread_state.h"
#include "runtime/workers.h"

namespace memo::runtime {

constinit std::atomic<LoadedPlan*> g_plan{nullptr};

namespace {

constexpr std::uint32_t kLanesOnDemand = 64;
constexpr std::uint32_t kSubstitutes = 8;  // for lanes that became useless
constexpr std::int64_t kLookEveryNanoseconds = 500'000'000;

// What identifies a version of a file.
struct FileStamp {
  dev_t device;
  ino_t inode;
  off_t bytes;
  timespec changed;

  friend bool operator==(const FileStamp& a, const FileStamp& b) {
    return a.device == b.device && a.inode == b.inode && a.bytes == b.bytes &&
           a.changed.tv_sec == b.changed.tv_sec && a.changed.tv_nsec == b.changed.tv_nsec;
  }
};

// Everything below `lock` is used under it; no allocation is served with it held.
struct Serving {
  std::atomic<std::uint32_t> lanes;
  std::atomic<std::int64_t> next_look;
  std::atomic<bool> watching;
  std::atomic<void (*)()> idle_heap_hook;
  std::atomic<bool> growth_wanted;
  std::atomic<std::uint32_t> retired_lanes;   // of plans that were replaced, still holding blocks or passes
  std::atomic<std::uint64_t> loader_changes;  // when the sites were found last
  bool forked;
  pthread_mutex_t lock;
  char watched[4096];
  char serving[512];
  FileStamp seen;
};
constinit Serving g_serving{.lanes = 0,
                            .next_look = 0,
                            .watching = false,
                            .idle_heap_hook = nullptr,
                            .growth_wanted = false,
                            .retired_lanes = 0,
                            .loader_changes = 0,
                            .forked = false,
                            .lock = PTHREAD_MUTEX_INITIALIZER,
                            .watched = {},
                            .serving = {},
                            .seen = {}};

class Locked {
 public:
  Locked() { pthread_mutex_lock(&g_serving.lock); }
  ~Locked() { pthread_mutex_unlock(&g_serving.lock); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
};

bool is_vacant(const Lane& lane) {
  return LaneWord{lane.word.load(std::memory_order_acquire)}.state() == LaneState::kVacant;
}

// The lowest place at which `chunks` chunks are in no lane. Lanes are few: try behind each.
std::uint32_t find_place(std::uint32_t chunks) {
  std::uint32_t place = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (const Lane& lane : g_lanes) {
      const auto begin = static_cast<std::uint32_t>(lane.first_granule / kChunkGranules);
      if (is_vacant(lane) || place + chunks <= begin || begin + lane.chunks <= place) continue;
      place = begin + lane.chunks;
      moved = true;
    }
  }
  return place;
}

// Sets up one lane of the plan, without memory yet. False: no lane or no address space is left.
bool add_lane(LoadedPlan& plan, LaneFor use) {
  const bool for_workers = use == LaneFor::kWorkers;
  const std::uint64_t bytes = for_workers ? plan.worker_bytes : plan.lane_bytes;
  const auto chunks = static_cast<std::uint32_t>(slab_chunks(bytes));
  std::uint32_t number = 0;
  while (number < kMaxLanes && !is_vacant(g_lanes[number])) ++number;
  if (number == kMaxLanes) return false;
  const std::uint32_t place = find_place(chunks);
  if (!use_chunks(std::uint64_t{place} + chunks)) return false;
  for (std::uint32_t chunk = place; chunk < place + chunks; ++chunk) {
    g_region.lane_of_chunk[chunk].store(static_cast<std::uint8_t>(number), std::memory_order_relaxed);
  }
  Lane& lane = g_lanes[number];
  lane.first_granule = static_cast<std::uint32_t>(place * kChunkGranules);
  lane.chunks = chunks;
  lane.bytes = bytes;
  lane.use.store(use, std::memory_order_relaxed);
  lane.backed.store(false, std::memory_order_relaxed);
  lane.used.store(false, std::memory_order_relaxed);
  lane.refused = lane.set_aside = false;
  lane.places_taken = lane.asked_for_another = 0;
  lane.idle_heap = IdleHeap(bytes);
  lane.next_of_name = plan.next_of_name + std::uint64_t{plan.lanes} * plan.names_per_lane;
  lane.variant.store(&plan.variants[0], std::memory_order_relaxed);
  lane.plan.store(&plan, std::memory_order_relaxed);
  ++plan.lanes;
  plan.worker_lanes += for_workers ? 1 : 0;
  const LaneWord held{lane.word.load(std::memory_order_relaxed)};
  lane.word.store(held.in(LaneState::kIdle).bits, std::memory_order_release);
  return true;
}

std::uint32_t back_lanes(const LoadedPlan& plan, std::uint32_t wanted, Pages pages) {
  std::uint32_t backed = 0;
  for (Lane& lane : g_lanes) {
    if (backed == wanted) break;
    if (!claim_lane(lane, &plan, current_thread())) continue;
    if (back_lane(lane, pages)) ++backed;
    give_lane(lane);
  }
  return backed;
}

// An idle lane of a replaced plan that holds nothing any more gives its memory and its addresses back.
bool retire_lane(Lane& lane, LoadedPlan* plan) {
  if (!claim_lane(lane, plan, current_thread())) return false;
  if (!lane_empty(lane)) {
    give_lane(lane);
    return false;
  }
  if (lane.backed.load(std::memory_order_relaxed)) give_memory_back(lane.first_granule, lane.bytes);
  vacate_lane(lane);
  if (--plan->lanes == 0) discard(plan);
  return true;
}

void retire_old_lanes() {
  const LoadedPlan* current = g_plan.load(std::memory_order_relaxed);
  std::uint32_t left = 0;
  for (Lane& lane : g_lanes) {
    LoadedPlan* plan = lane.plan.load(std::memory_order_relaxed);
    if (plan == nullptr || plan == current) continue;
    if (!retire_lane(lane, plan)) ++left;
  }
  g_serving.retired_lanes.store(left, std::memory_order_relaxed);
}

bool refuse(const char* path, const char* why) {
  add(g_statistics.plans_refused, 1);
  notice(
      "cannot serve from the plan %s: %s; %s", path, why,
      g_plan.load(std::memory_order_relaxed) == nullptr ? "the heap serves" : "the plan before it goes on");
  return false;
}

bool refuse_slab(const char* path, std::uint64_t bytes) {
  char why[160];
  const std::uint64_t room = room_in_groups();
  if (bytes <= room) return refuse(path, "no memory for the slab");
  std::snprintf(why, sizeof why,
                "no memory for the slab of %llu bytes: the control group's limit leaves %llu",
                static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(room));
  return refuse(path, why);
}

std::uint32_t most_worker_lanes(const PlanFile& file) {
  for (const PlanVariant& variant : file.variants()) {
    if (variant.pass_key == kWorkerPassKey) return kMostWorkerLanes;
  }
  return 0;
}

// Those of the passes are not the workers' to take, nor the other way round.
bool has_room_for_lane(const LoadedPlan& plan, LaneFor use) {
  if (use == LaneFor::kWorkers) return plan.worker_bytes != 0 && plan.worker_lanes < kMostWorkerLanes;
  return plan.lanes - plan.worker_lanes < plan.most_lanes - most_worker_lanes(plan.file);
}

std::uint32_t add_lanes(LoadedPlan& plan, std::uint32_t count) {
  std::uint32_t added = 0;
  while (added < count && add_lane(plan, LaneFor::kPasses)) ++added;
  return added;
}

void take_back(LoadedPlan* plan) {
  plan->lanes += 1;  // so that the plan is discarded here, whatever lanes it had
  for (Lane& lane : g_lanes) {
    if (lane.plan.load(std::memory_order_relaxed) == plan) retire_lane(lane, plan);
  }
  discard(plan);
}

// The changes are counted first: what comes in between is looked at once more.
void find_sites(LoadedPlan& plan) {
  g_serving.loader_changes.store(loader_changes(), std::memory_order_relaxed);
  resolve_sites(plan);
  set_anchors(plan);
  set_worker_sites(plan);
}

void publish(LoadedPlan* plan) {
  find_sites(*plan);
  g_plan.store(plan, std::memory_order_release);
  retire_old_lanes();
}

// What serves from now on, with lanes of its own. `before` is the same plan, for fewer bytes.
bool put_in_force(const char* path, const PlanFile& file, const LoadedPlan* before) {
  const std::uint32_t asked = g_serving.lanes.load(std::memory_order_relaxed);
  const std::uint32_t lanes = asked != 0 ? asked : kLanesOnDemand;
  LoadedPlan* plan = make_ready(file, lanes + kSubstitutes + most_worker_lanes(file), before);
  if (plan == nullptr)
    return refuse(
        path, before == nullptr ? "no memory for its tables" : "no plan can be as large as a pass asked for");
  if (!reserve_region(slab_chunks(plan->lane_bytes) * kChunkBytes * (asked != 0 ? asked : 1)) ||
      add_lanes(*plan, lanes) == 0) {
    take_back(plan);
    return refuse(path, "no address space for the slab");
  }
  // Room for one lane is made sure of now. Where a number was asked for, all of them have their pages before the first
  // pass; else a pass brings them: those of a warm-up that the plan does not match need no slab beside their heap.
  const std::uint32_t backed =
      asked != 0 ? back_lanes(*plan, asked, Pages::kPresent) : back_lanes(*plan, 1, Pages::kWhenTouched);
  if (backed == 0) {
    const std::uint64_t bytes = plan->lane_bytes;
    take_back(plan);
    return refuse_slab(path, bytes);
  }
  if (backed < asked) notice("memory for %u of %u lanes: other passes go to the heap", backed, asked);
  publish(plan);
  return true;
}

bool serve_plan_locked(const char* path) {
  PlanFile file;
  PlanFault why;
  if (!open_plan(path, &file, &why)) return refuse(path, why.text);
  if (!put_in_force(path, file, nullptr)) return false;
  add(g_statistics.plans_loaded, 1);
  std::snprintf(g_serving.serving, sizeof g_serving.serving, "%s", path);
  return true;
}

bool wants_growth(const LoadedPlan& plan) {
  for (const Variant& variant : plan.variants)
    if (variant.wanted.load(std::memory_order_relaxed) > variant.t) return true;
  return false;
}

// Or every pass of that shape would ask again.
void deny_growth(LoadedPlan& plan) {
  for (Variant& variant : plan.variants) {
    const std::uint64_t wanted = variant.wanted.exchange(variant.t, std::memory_order_relaxed);
    if (wanted > variant.t) variant.denied.store(wanted, std::memory_order_relaxed);
  }
}

// From a copy of what it was loaded from: the file may be gone by now, or be another plan.
void grow() {
  g_serving.growth_wanted.store(false, std::memory_order_relaxed);
  LoadedPlan* plan = g_plan.load(std::memory_order_relaxed);
  if (plan == nullptr || !wants_growth(*plan)) return;
  const auto bytes = static_cast<unsigned long long>(plan->lane_bytes);
  PlanFile file;
  if (!copy_plan(plan->file, &file) || !put_in_force(g_serving.serving, file, plan))
    return deny_growth(*plan);
  const auto now = static_cast<unsigned long long>(g_plan.load(std::memory_order_relaxed)->lane_bytes);
  add(g_statistics.plans_grown, 1);
  note("the plan %s grew from %llu to %llu bytes a lane, for a shape beyond its profile", g_serving.serving,
       bytes, now);
}

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

bool stamp_of(const char* path, FileStamp* stamp) {
  struct stat about {};
  if (stat(path, &about) != 0) return false;
  *stamp = {.device = about.st_dev, .inode = about.st_ino, .bytes = about.st_size, .changed = about.st_mtim};
  return true;
}

// Absolute, since the program may change its directory. A path too long to be one finds no file.
void remember_path(const char* path) {
  char directory[2048] = "";
  if (path[0] != '/' && getcwd(directory, sizeof directory) == nullptr) directory[0] = '\0';
  std::snprintf(g_serving.watched, sizeof g_serving.watched, "%s%s%s", directory, path[0] == '/' ? "" : "/",
                path);
}

void load_if_changed() {
  FileStamp stamp;
  if (!stamp_of(g_serving.watched, &stamp) || stamp == g_serving.seen) return;
  g_serving.seen = stamp;
  serve_plan_locked(g_serving.watched);
}

// True for one thread every half second.
bool time_to_look() {
  if (!g_serving.watching.load(std::memory_order_relaxed)) return false;
  const std::int64_t time = now();
  std::int64_t due = g_serving.next_look.load(std::memory_order_relaxed);
  return time >= due && g_serving.next_look.compare_exchange_strong(due, time + kLookEveryNanoseconds);
}

}  // namespace

void set_lanes(std::uint32_t count) {
  g_serving.lanes.store(count < kMaxLanes / 2 ? count : kMaxLanes / 2, std::memory_order_relaxed);
}

bool serve_plan(const char* path) {
  Locked locked;
  return serve_plan_locked(path);
}

void watch_plan(const char* path, Absent absent) {
  Locked locked;
  remember_path(path);
  g_serving.next_look.store(now() + kLookEveryNanoseconds, std::memory_order_relaxed);
  if (absent == Absent::kSay && access(g_serving.watched, F_OK) != 0)
    notice("no plan at %s yet: the heap serves until there is one", path);
  load_if_changed();
  g_serving.watching.store(true, std::memory_order_relaxed);
}

void look_after_plans() {
  const bool look = time_to_look();
  const bool wanted = g_serving.growth_wanted.load(std::memory_order_relaxed);
  if (!look && !wanted && g_serving.retired_lanes.load(std::memory_order_relaxed) == 0) return;
  if (pthread_mutex_trylock(&g_serving.lock) != 0) return;
  if (look) load_if_changed();
  if (wanted) grow();
  retire_old_lanes();
  pthread_mutex_unlock(&g_serving.lock);
}

void want_growth(LoadedPlan& plan, const Variant& variant, const WantedGrowth& wanted) {
  std::uint64_t t = wanted.t(variant.growing_count == 1);
  if (!variant.loops.empty()) t = growth_step(t);
  if (t <= variant.t || t >= variant.denied.load(std::memory_order_relaxed)) return;
  std::atomic<std::uint64_t>& most =
      plan.variants[static_cast<std::size_t>(&variant - plan.variants.data())].wanted;
  std::uint64_t before = most.load(std::memory_order_relaxed);
  while (before < t && !most.compare_exchange_weak(before, t, std::memory_order_relaxed)) {
  }
  g_serving.growth_wanted.store(true, std::memory_order_relaxed);
}

bool add_lane_on_demand(LaneFor use) {
  if (pthread_mutex_trylock(&g_serving.lock) != 0) return false;
  LoadedPlan* plan = g_plan.load(std::memory_order_relaxed);
  const bool added = plan != nullptr && has_room_for_lane(*plan, use) && add_lane(*plan, use);
  pthread_mutex_unlock(&g_serving.lock);
  return added;
}

bool substitute_lane(const Lane& worn) {
  const bool serves = worn.plan.load(std::memory_order_relaxed) == g_plan.load(std::memory_order_relaxed);
  return serves && add_lane_on_demand(worn.use.load(std::memory_order_relaxed));
}

void set_idle_heap_hook(void (*hook)()) {
  g_serving.idle_heap_hook.store(hook, std::memory_order_relaxed);
}

void give_back_idle_heap() {
  if (auto* hook = g_serving.idle_heap_hook.load(std::memory_order_relaxed)) hook();
}

// A lane that changes meanwhile is counted as it was or as it is.
void look_at_serving(ServingFigures* figures) {
  Locked locked;
  *figures = {};
  std::memcpy(figures->plan, g_serving.serving, sizeof figures->plan);
  for (const Lane& lane : g_lanes) {
    const LoadedPlan* plan = lane.plan.load(std::memory_order_relaxed);
    if (plan == nullptr || !lane.backed.load(std::memory_order_relaxed)) continue;
    const LaneWord word{lane.word.load(std::memory_order_relaxed)};
    const bool for_workers = lane.use.load(std::memory_order_relaxed) == LaneFor::kWorkers;
    ++(for_workers ? figures->worker_lanes : figures->lanes);
    if (!for_workers && lane.used.load(std::memory_order_relaxed)) ++figures->used;
    figures->slab_bytes += lane.bytes;
    figures->pinned += word.state() == LaneState::kIdle ? live_blocks(lane) : 0;
  }
}

void modules_changed() {
  if (loader_changes() == g_serving.loader_changes.load(std::memory_order_relaxed)) return;
  Locked locked;
  if (LoadedPlan* plan = g_plan.load(std::memory_order_relaxed)) find_sites(*plan);
}

void before_fork() {
  pthread_mutex_lock(&g_serving.lock);
}

void after_fork_in_parent() {
  pthread_mutex_unlock(&g_serving.lock);
}

void after_fork_in_child() {
  g_serving.lock = PTHREAD_MUTEX_INITIALIZER;
  g_serving.forked = true;
  forget_statistics();
  ThreadState& self = t_self;
  self.thread = static_cast<std::uint32_t>(gettid());
  keep_only_lane_of(self.lane, self.thread);
  g_running_passes.keep(self.depth != 0 && !self.is_worker ? 1 : 0);
}

bool is_forked_child() {
  return g_serving.forked;
}

}  // namespace memo::runtime
