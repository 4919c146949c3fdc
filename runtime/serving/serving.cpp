#include "runtime/serving/serving.h"

#include <sched.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "runtime/plan/anchors.h"
#include "runtime/plan/call_sites.h"
#include "runtime/plan/worker_sites.h"
#include "runtime/platform/loader.h"
#include "runtime/platform/lock_order.h"
#include "runtime/platform/memory_limits.h"
#include "runtime/platform/notice.h"
#include "runtime/platform/process_lock.h"
#include "runtime/platform/spare_stack.h"
#include "runtime/serving/copies.h"
#include "runtime/serving/statistics.h"
#include "runtime/slab/accounts.h"
#include "runtime/slab/heap_purge_policy.h"
#include "runtime/slab/thread_state.h"

namespace memo::runtime {

constinit std::atomic<LoadedPlan*> g_plan{nullptr};

namespace {

constexpr std::uint32_t kLanesOnDemand = 64;
constexpr std::uint32_t kSubstitutes = 8;    // lanes that may replace useless ones
constexpr std::uint64_t kLeastOutgrown = 2;  // requests of one pass that were larger than their slots,
constexpr std::uint64_t kOutgrownOneInLarge =
    8;  // and one for each 8 large slots: others come from a lost place
constexpr std::int64_t kLookEveryNanoseconds = 500'000'000;

// The identity of one version of a file.
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

// The state of serving. Everything below `lock` is used under it. While a thread holds it, it serves no
// allocation and does not ask the loader (runtime/platform/lock_order.h).
struct Serving {
  std::atomic<std::uint32_t> lanes;
  std::atomic<std::int64_t> next_look;
  std::atomic<bool> watching;
  std::atomic<std::uint64_t (*)()> idle_heap_hook;
  IdleHeap idle_heap;
  std::atomic<bool> growth_wanted;
  std::atomic<std::uint32_t> retired_lanes;   // lanes of replaced plans that still hold blocks or passes
  std::atomic<std::uint64_t> loader_changes;  // the loader's count at the last look-up of sites
  ProcessLock lock;
  char watched[4096];
  char serving[512];
  std::uint64_t plan_hash;             // checksum of the plan that serves
  std::atomic<std::uint64_t> warm_up;  // passes of each kind before it serves steadily
  FileStamp seen;
  std::uint64_t files_read;
};
constinit Serving g_serving{.lanes = 0,
                            .next_look = 0,
                            .watching = false,
                            .idle_heap_hook = nullptr,
                            .idle_heap = {},
                            .growth_wanted = false,
                            .retired_lanes = 0,
                            .loader_changes = 0,
                            .lock = {},
                            .watched = {},
                            .serving = {},
                            .plan_hash = 0,
                            .warm_up = 0,
                            .seen = {},
                            .files_read = 0};

// Returns false in a copy of the process that was made while another thread changed plans or lanes, or asked
// the loader for sites. No thread of the copy can complete what that one left half done: the plan in force
// serves on, unchanged.
bool may_change() {
  return !g_serving.lock.was_taken_over() && loader_can_be_asked();
}

class Locked {
 public:
  Locked() : holds_(is_settled_here() && g_serving.lock.lock()) {}
  ~Locked() {
    if (holds_) g_serving.lock.unlock();
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  [[nodiscard]] bool may_change() const { return holds_ && runtime::may_change(); }

 private:
  const bool holds_;
  [[no_unique_address]] HoldsLock held_;
};

// For a thread that must not wait for the lock.
class TriedLock {
 public:
  TriedLock() : got_(g_serving.lock.try_lock()) {}
  ~TriedLock() {
    if (got_) g_serving.lock.unlock();
  }
  TriedLock(const TriedLock&) = delete;
  TriedLock& operator=(const TriedLock&) = delete;
  [[nodiscard]] bool got() const { return got_; }
  [[nodiscard]] bool may_change() const { return got_ && runtime::may_change(); }

 private:
  const bool got_;
  [[no_unique_address]] HoldsLock held_;
};

bool is_vacant(const Lane& lane) {
  return LaneWord{lane.word.load(std::memory_order_acquire)}.state() == LaneState::kVacant;
}

// Returns the first chunk of the lowest place at which `chunks` chunks are in no lane. Lanes are few, so this
// tries the place after each of them.
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

// Sets up one lane of the plan, without memory yet. Returns false if no lane or no address space is left.
bool add_lane(LoadedPlan& plan, LaneFor use, bool in_place_of_another = false) {
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
  lane.in_place_of_another = in_place_of_another || plan.has_grown;
  lane.places_taken = lane.asked_for_another = 0;
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

void discard_if_unused(LoadedPlan* plan) {
  if (plan->lanes == 0 && plan->holders == 0) discard(plan);
}

// Gives back the memory and the addresses of an idle lane of a replaced plan, if no block lies in it any more.
// Returns true if it did.
bool retire_lane(Lane& lane, LoadedPlan* plan) {
  if (!claim_lane(lane, plan, current_thread())) return false;
  if (!lane_empty(lane)) {
    give_lane(lane);
    return false;
  }
  if (lane.backed.load(std::memory_order_relaxed)) give_memory_back(lane.first_granule, lane.bytes);
  vacate_lane(lane);
  --plan->lanes;
  discard_if_unused(plan);
  return true;
}

// Returns true if the plan neither serves nor is being prepared to serve.
bool is_replaced(const LoadedPlan* plan) {
  return plan != nullptr && plan->holders == 0 && plan != g_plan.load(std::memory_order_relaxed);
}

void retire_old_lanes() {
  std::uint32_t left = 0;
  for (Lane& lane : g_lanes) {
    LoadedPlan* plan = lane.plan.load(std::memory_order_relaxed);
    if (is_replaced(plan) && !retire_lane(lane, plan)) ++left;
  }
  g_serving.retired_lanes.store(left, std::memory_order_relaxed);
}

bool refuse(const char* path, const char* why) {
  add(statistics().plans_refused, 1);
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

// Pass lanes and worker lanes have separate quotas.
bool has_room_for_lane(const LoadedPlan& plan, LaneFor use) {
  if (use == LaneFor::kWorkers) return plan.worker_bytes != 0 && plan.worker_lanes < kMostWorkerLanes;
  return plan.lanes - plan.worker_lanes < plan.most_lanes - most_worker_lanes(plan.file);
}

std::uint32_t add_lanes(LoadedPlan& plan, std::uint32_t count) {
  std::uint32_t added = 0;
  while (added < count && add_lane(plan, LaneFor::kPasses)) ++added;
  return added;
}

// Discards a plan that never served: its lanes are idle, and the plan goes with the last of them.
void take_back(LoadedPlan* plan) {
  plan->holders = 0;
  if (plan->lanes == 0) return discard(plan);
  for (Lane& lane : g_lanes) {
    if (lane.plan.load(std::memory_order_relaxed) == plan) retire_lane(lane, plan);
  }
}

void use_sites(const LoadedPlan& plan, std::uint64_t changes) {
  g_serving.loader_changes.store(changes, std::memory_order_relaxed);
  set_anchors(plan);
  set_worker_sites(plan);
}

void publish(LoadedPlan* plan, std::uint64_t changes) {
  use_sites(*plan, changes);
  plan->holders = 0;
  g_plan.store(plan, std::memory_order_release);
  retire_old_lanes();
}

// Returns a plan with lanes of its own, held by the caller, whose sites are still to be looked up; nullptr if
// it cannot be used. `before` is the same plan as it serves now, if it is to grow.
LoadedPlan* prepare(const char* path, const PlanFile& file, const LoadedPlan* before) {
  const std::uint32_t asked = g_serving.lanes.load(std::memory_order_relaxed);
  const std::uint32_t lanes = asked != 0 ? asked : kLanesOnDemand;
  LoadedPlan* plan = make_ready(file, lanes + kSubstitutes + most_worker_lanes(file), before);
  if (plan == nullptr) {
    refuse(path,
           before == nullptr ? "no memory for its tables" : "no plan can be as large as a pass asked for");
    return nullptr;
  }
  plan->holders = 1;
  plan->has_grown = before != nullptr;
  if (!reserve_region(slab_chunks(plan->lane_bytes) * kChunkBytes * (asked != 0 ? asked : 1)) ||
      add_lanes(*plan, lanes) == 0) {
    take_back(plan);
    refuse(path, "no address space for the slab");
    return nullptr;
  }
  // Makes sure of room for one lane now. Where a number of lanes was asked for, all have their pages before the
  // first pass; otherwise a pass brings them, since the passes of a warm-up that do not match the plan need no
  // slab beside their heap.
  const std::uint32_t backed =
      asked != 0 ? back_lanes(*plan, asked, Pages::kPresent) : back_lanes(*plan, 1, Pages::kWhenTouched);
  if (backed == 0) {
    const std::uint64_t bytes = plan->lane_bytes;
    take_back(plan);
    refuse_slab(path, bytes);
    return nullptr;
  }
  if (backed < asked) notice("memory for %u of %u lanes: other passes go to the heap", backed, asked);
  return plan;
}

// A plan that is about to serve: prepared under the lock, its sites looked up without it, published under it
// again.
struct FreshPlan {
  LoadedPlan* plan = nullptr;    // nullptr: there is nothing to do
  LoadedPlan* before = nullptr;  // the plan that it grew from, if any
  char path[sizeof g_serving.serving] = "";
};

FreshPlan prepare_file(const char* path) {
  FreshPlan fresh;
  PlanFile file;
  PlanFault why;
  if (!open_plan(path, &file, &why)) return refuse(path, why.text), fresh;
  fresh.plan = prepare(path, file, nullptr);
  if (fresh.plan != nullptr) fresh.plan->number = ++g_serving.files_read;
  std::snprintf(fresh.path, sizeof fresh.path, "%s", path);
  return fresh;
}

// Returns true if another thread was quicker: with a later file, or by replacing the plan that was to grow.
bool is_overtaken(const FreshPlan& fresh) {
  const LoadedPlan* current = g_plan.load(std::memory_order_relaxed);
  if (current == nullptr) return false;
  if (fresh.before != nullptr) return current != fresh.before || current->number != fresh.plan->number;
  return current->number > fresh.plan->number;
}

void say_growth(const FreshPlan& fresh) {
  add(statistics().plans_grown, 1);
  note("the plan %s grew from %llu to %llu bytes a lane, for a shape beyond its profile", g_serving.serving,
       static_cast<unsigned long long>(fresh.before->lane_bytes),
       static_cast<unsigned long long>(fresh.plan->lane_bytes));
}

void say_load(const FreshPlan& fresh) {
  add(statistics().plans_loaded, 1);
  std::memcpy(g_serving.serving, fresh.path, sizeof fresh.path);
  g_serving.plan_hash = fresh.plan->file.header().checksum;
  std::uint32_t warm_up = 0;
  for (const PlanVariant& variant : fresh.plan->file.variants()) warm_up = std::max(warm_up, variant.warm_up);
  g_serving.warm_up.store(warm_up, std::memory_order_relaxed);
  forget_accounts();
}

void put_in_force(const FreshPlan& fresh) {
  if (fresh.plan == nullptr) return;
  const std::uint64_t changes =
      loader_changes().count();  // before the look-up, so that later changes are looked up again
  resolve_sites(*fresh.plan);
  const Locked locked;
  if (!locked.may_change()) return;
  if (is_overtaken(fresh)) return take_back(fresh.plan);
  fresh.before != nullptr ? say_growth(fresh) : say_load(fresh);
  publish(fresh.plan, changes);
}

bool wants_growth(const LoadedPlan& plan) {
  for (const Variant& variant : plan.variants)
    if (variant.wanted.load(std::memory_order_relaxed) > variant.t ||
        variant.outgrown.load(std::memory_order_relaxed))
      return true;
  return false;
}

// Remembers the refused size, so that passes of this shape stop requesting it.
void deny_growth(LoadedPlan& plan) {
  for (Variant& variant : plan.variants) {
    const std::uint64_t wanted = variant.wanted.exchange(variant.t, std::memory_order_relaxed);
    if (wanted > variant.t) variant.denied.store(wanted, std::memory_order_relaxed);
  }
}

// Prepares the larger plan from a copy of the bytes in memory: the file may be gone by now, or be another plan.
FreshPlan prepare_growth() {
  FreshPlan fresh;
  g_serving.growth_wanted.store(false, std::memory_order_relaxed);
  LoadedPlan* plan = g_plan.load(std::memory_order_relaxed);
  if (plan == nullptr || !wants_growth(*plan)) return fresh;
  PlanFile file;
  if (copy_plan(plan->file, &file)) {
    enlarge_slots(*plan, file);
    fresh.plan = prepare(g_serving.serving, file, plan);
  }
  if (fresh.plan == nullptr) return deny_growth(*plan), fresh;
  fresh.plan->number = plan->number;
  fresh.before = plan;
  return fresh;
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

// Remembers the absolute path, since the program may change its directory. A path that is too long finds no
// file.
void remember_path(const char* path) {
  char directory[2048] = "";
  if (path[0] != '/' && getcwd(directory, sizeof directory) == nullptr) directory[0] = '\0';
  std::snprintf(g_serving.watched, sizeof g_serving.watched, "%s%s%s", directory, path[0] == '/' ? "" : "/",
                path);
}

FreshPlan prepare_if_changed() {
  FileStamp stamp;
  if (!stamp_of(g_serving.watched, &stamp) || stamp == g_serving.seen) return {};
  g_serving.seen = stamp;
  return prepare_file(g_serving.watched);
}

FreshPlan prepare_under_lock(const char* path) {
  const Locked locked;
  if (locked.may_change()) return prepare_file(path);
  refuse(path, "this process is a copy, made while another thread changed plans");
  return {};
}

// Prepares what is due. Returns false if another thread changes the plans at this moment.
bool prepare_what_is_due(bool look, bool wanted, FreshPlan* fresh) {
  const TriedLock tried;
  if (!tried.may_change()) return false;
  if (look) *fresh = prepare_if_changed();
  if (wanted && fresh->plan == nullptr) *fresh = prepare_growth();
  retire_old_lanes();
  return true;
}

// Returns the plan that serves, held for a look-up. Returns nullptr if none serves, or if another thread looks
// its sites up already: that thread then does it once more.
LoadedPlan* begin_look_up() {
  const Locked locked;
  LoadedPlan* plan = g_plan.load(std::memory_order_relaxed);
  if (!locked.may_change()) return nullptr;
  if (plan == nullptr || plan->sites_looked_up) {
    if (plan != nullptr) plan->look_up_again = true;
    return nullptr;
  }
  plan->sites_looked_up = true;
  ++plan->holders;
  return plan;
}

// Ends a look-up. Returns false if something was loaded meanwhile and the caller shall look again.
bool end_look_up(LoadedPlan* plan, std::uint64_t changes) {
  const Locked locked;
  if (!locked.may_change()) return true;
  const bool again = std::exchange(plan->look_up_again, false);
  if (plan == g_plan.load(std::memory_order_relaxed)) {
    use_sites(*plan, changes);
    if (again) return false;
  }
  plan->sites_looked_up = false;
  --plan->holders;
  discard_if_unused(plan);
  return true;
}

bool add_lane_if_room(LaneFor use, bool in_place_of_another) {
  const TriedLock tried;
  LoadedPlan* plan = g_plan.load(std::memory_order_relaxed);
  return tried.may_change() && plan != nullptr && has_room_for_lane(*plan, use) &&
         add_lane(*plan, use, in_place_of_another);
}

std::uint64_t give_back_idle_heap() {
  auto* hook = g_serving.idle_heap_hook.load(std::memory_order_relaxed);
  return hook != nullptr ? hook() : 0;
}

// Returns true for one thread every half second.
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
  return on_spare_stack([path] {
    const FreshPlan fresh = prepare_under_lock(path);
    put_in_force(fresh);
    return fresh.plan != nullptr;
  });
}

void watch_plan(const char* path, Absent absent) {
  FreshPlan fresh;
  {
    const Locked locked;
    if (!locked.may_change()) return;
    remember_path(path);
    g_serving.next_look.store(now() + kLookEveryNanoseconds, std::memory_order_relaxed);
    if (absent == Absent::kSay && access(g_serving.watched, F_OK) != 0)
      notice("no plan at %s yet: the heap serves until there is one", path);
    fresh = prepare_if_changed();
    g_serving.watching.store(true, std::memory_order_relaxed);
  }
  put_in_force(fresh);
}

void look_after_plans() {
  const bool look = time_to_look();
  const bool wanted = g_serving.growth_wanted.load(std::memory_order_relaxed);
  if (!look && !wanted && g_serving.retired_lanes.load(std::memory_order_relaxed) == 0) return;
  on_spare_stack([=] {
    FreshPlan fresh;
    if (prepare_what_is_due(look, wanted, &fresh)) put_in_force(fresh);
  });
}

namespace {

Variant& variant_of(LoadedPlan& plan, const Variant& variant) {
  return plan.variants[static_cast<std::size_t>(&variant - plan.variants.data())];
}

// Where sizes lie on a line, a slot off the line is of another shape. One request alone proves no shape either.
void want_larger_slots(LoadedPlan& plan, const Variant& variant, std::uint64_t outgrown) {
  const std::uint64_t least =
      std::max<std::uint64_t>(kLeastOutgrown, variant.large_count / kOutgrownOneInLarge);
  if (outgrown < least || variant.growing_count != 0 || is_for_workers(variant)) return;
  if (variant.confined.load(std::memory_order_relaxed)) return;
  variant_of(plan, variant).outgrown.store(true, std::memory_order_relaxed);
  g_serving.growth_wanted.store(true, std::memory_order_relaxed);
}

}  // namespace

void want_growth(LoadedPlan& plan, const Variant& variant, const WantedGrowth& wanted,
                 std::uint64_t outgrown) {
  want_larger_slots(plan, variant, outgrown);
  std::uint64_t t = wanted.t(variant.growing_count == 1);
  if (!variant.loops.empty()) t = growth_step(t);
  if (t <= variant.t || t >= variant.denied.load(std::memory_order_relaxed)) return;
  raise(variant_of(plan, variant).wanted, t);
  g_serving.growth_wanted.store(true, std::memory_order_relaxed);
}

bool add_lane_on_demand(LaneFor use) {
  return add_lane_if_room(use, false);
}

bool substitute_lane(const Lane& worn) {
  const bool serves = worn.plan.load(std::memory_order_relaxed) == g_plan.load(std::memory_order_relaxed);
  return serves && add_lane_if_room(worn.use.load(std::memory_order_relaxed), true);
}

void set_idle_heap_hook(std::uint64_t (*hook)()) {
  g_serving.idle_heap_hook.store(hook, std::memory_order_relaxed);
}

void heap_provides(std::uint64_t bytes, std::uint64_t lane_bytes) {
  IdleHeap& heap = g_serving.idle_heap;
  if (heap.provide(bytes, much_of_the_heap(lane_bytes))) heap.gave_back_in_pass(give_back_idle_heap());
}

// No pass is charged for what the heap gives back of the warm-up's garbage. What it gives back later, some pass
// may want again: the pass that ends next is charged for it.
void heap_has_provided(std::uint64_t bytes, std::uint64_t lane_bytes) {
  IdleHeap& heap = g_serving.idle_heap;
  if (bytes > much_of_the_heap(lane_bytes)) {
    if (heap.wanted(now(), bytes)) give_back_idle_heap();
    return;
  }
  if (!heap.is_in_use()) return;
  const bool past_warm_up = heap.is_past_warm_up();
  if (!heap.not_wanted(now())) return;
  const std::uint64_t given_back = give_back_idle_heap();
  if (past_warm_up) owe_pages_of(given_back);
}

namespace {

// Counts a lane that changes meanwhile as it was or as it is. To be called under the lock.
void add_lane(const Lane& lane, ServingFigures* figures) {
  const bool for_workers = lane.use.load(std::memory_order_relaxed) == LaneFor::kWorkers;
  ++(for_workers ? figures->worker_lanes : figures->lanes);
  if (!for_workers && lane.used.load(std::memory_order_relaxed)) ++figures->used;
  figures->slab_bytes += lane.bytes;
}

bool is_backed(const Lane& lane) {
  return lane.plan.load(std::memory_order_relaxed) != nullptr && lane.backed.load(std::memory_order_relaxed);
}

void look_under_lock(ServingFigures* figures) {
  *figures = {};
  figures->plan_hash = g_serving.plan_hash;
  figures->warm_up = g_serving.warm_up.load(std::memory_order_relaxed);
  std::memcpy(figures->plan, g_serving.serving, sizeof figures->plan);
  for (const Lane& lane : g_lanes)
    if (is_backed(lane)) add_lane(lane, figures);
}

std::uint64_t pinned_in(const Lane& lane) {
  const LaneWord word{lane.word.load(std::memory_order_relaxed)};
  return word.state() == LaneState::kIdle ? live_blocks(lane) : 0;
}

}  // namespace

void look_at_serving(ServingFigures* figures) {
  const Locked locked;
  look_under_lock(figures);
  for (const Lane& lane : g_lanes)
    if (is_backed(lane)) figures->pinned += pinned_in(lane);
}

bool look_at_serving_without_waiting(ServingFigures* figures) {
  const TriedLock locked;
  if (!locked.got()) return false;
  look_under_lock(figures);
  return true;
}

bool is_past_warm_up(std::uint64_t pass_number) {
  return g_plan.load(std::memory_order_relaxed) != nullptr &&
         pass_number > g_serving.warm_up.load(std::memory_order_relaxed);
}

void modules_changed() {
  std::uint64_t changes = loader_changes().count();
  if (changes == g_serving.loader_changes.load(std::memory_order_relaxed)) return;
  LoadedPlan* plan = begin_look_up();
  if (plan == nullptr) return;
  for (resolve_sites(*plan); !end_look_up(plan, changes); resolve_sites(*plan))
    changes = loader_changes().count();
}

void forget_look_ups() {
  for (const Lane& lane : g_lanes) {
    LoadedPlan* plan = lane.plan.load(std::memory_order_relaxed);
    if (plan == nullptr || plan->holders == 0) continue;
    plan->holders = 0;
    plan->sites_looked_up = plan->look_up_again = false;
    g_serving.loader_changes.store(0, std::memory_order_relaxed);
  }
  g_serving.retired_lanes.store(1, std::memory_order_relaxed);  // makes look_after_plans() look for them
}

void before_fork() {
  hold_visits_for_fork();
  t_self.holds_for_fork = g_serving.lock.lock();
}

void after_fork_in_parent() {
  if (t_self.holds_for_fork) g_serving.lock.unlock();
  t_self.holds_for_fork = false;
  allow_visits_after_fork();
}

void let_go_after_fork() {
  if (t_self.holds_for_fork) g_serving.lock.give_up_in_copy();
  t_self.holds_for_fork = false;
}

}  // namespace memo::runtime
