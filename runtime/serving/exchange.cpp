#include "runtime/serving/exchange.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "runtime/plan/anchors.h"
#include "runtime/plan/call_sites.h"
#include "runtime/plan/worker_sites.h"
#include "runtime/platform/limits.h"
#include "runtime/platform/loader.h"
#include "runtime/platform/notice.h"
#include "runtime/serving/idle_heap.h"
#include "runtime/serving/lanes_of_plans.h"
#include "runtime/serving/plan_in_force.h"
#include "runtime/serving/statistics.h"
#include "runtime/slab/skipping.h"
#include "runtime/worth/worth.h"

namespace memo::runtime {

namespace {

bool refuse_slab(const char* path, std::uint64_t bytes) {
  char why[200];
  const MemoryBudget budget = memory_budget();
  if (bytes > budget.left) {
    std::snprintf(
        why, sizeof why,
        "no room for its slab of %llu bytes: the memory budget of %llu leaves %llu; raise --memory-budget",
        static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(budget.bytes),
        static_cast<unsigned long long>(budget.left));
    return refuse(path, why);
  }
  const std::uint64_t room = room_in_groups();
  if (bytes <= room) return refuse(path, "no memory for the slab");
  std::snprintf(why, sizeof why,
                "no memory for the slab of %llu bytes: the control group's limit leaves %llu",
                static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(room));
  return refuse(path, why);
}

// Returns true if another thread was quicker, with a later file.
bool is_overtaken(const FreshPlan& fresh) {
  const LoadedPlan* current = g_plan.load(std::memory_order_relaxed);
  return current != nullptr && current->number > fresh.plan->number;
}

void note_facts(const FreshPlan& fresh) {
  std::memcpy(g_serving.serving, fresh.path, sizeof fresh.path);
  g_serving.plan_hash = fresh.plan->file.header().checksum;
  std::uint32_t warm_up = 0;
  for (const PlanVariant& variant : fresh.plan->file.variants()) warm_up = std::max(warm_up, variant.warm_up);
  g_serving.warm_up.store(warm_up, std::memory_order_relaxed);
  forget_findings();
  skip_no_passes();
}

}  // namespace

bool refuse(const char* path, const char* why) {
  add(statistics().plans_refused, 1);
  notice(
      "cannot serve from the plan %s: %s; %s", path, why,
      g_plan.load(std::memory_order_relaxed) == nullptr ? "the heap serves" : "the plan before it goes on");
  return false;
}

LoadedPlan* try_tables(const PlanFile& file, const LoadedPlan* before) {
  const std::uint32_t asked = g_serving.lanes.load(std::memory_order_relaxed);
  LoadedPlan* plan = make_ready(file, most_lanes(file, asked), before);
  if (plan == nullptr) return nullptr;
  plan->holders = 1;
  plan->lanes_asked = asked;
  return plan;
}

LoadedPlan* make_tables(const char* path, const PlanFile& file, const LoadedPlan* before) {
  LoadedPlan* plan = try_tables(file, before);
  if (plan == nullptr)
    refuse(path,
           before == nullptr ? "no memory for its tables" : "no plan can be as large as a pass asked for");
  return plan;
}

bool give_lanes(LoadedPlan* plan, const char* path, LoadedPlan* before) {
  const std::uint32_t asked = plan->lanes_asked;
  find_nodes();
  if (before != nullptr) hand_over_lanes(*before, *plan);
  if (!reserve_region(slab_chunks(plan->lane_bytes) * kChunkBytes * (asked != 0 ? asked : 1)) ||
      !add_lanes(*plan, asked)) {
    take_back(plan);
    return refuse(path, "no address space for the slab");
  }
  if (before != nullptr) move_pages_of_lanes(*before, *plan);
  // Makes sure of room for one lane now. Where a number of lanes was asked for, all have their pages before the
  // first pass; otherwise a pass brings them, since the passes of a warm-up that do not match the plan need no
  // slab beside their heap.
  const std::uint32_t backed =
      asked != 0 ? back_lanes(*plan, asked, Pages::kPresent) : back_lanes(*plan, 1, Pages::kWhenTouched);
  if (backed == 0) {
    const std::uint64_t bytes = plan->lane_bytes;
    take_back(plan);
    return refuse_slab(path, bytes);
  }
  if (backed < asked) notice("memory for %u of %u lanes: other passes go to the heap", backed, asked);
  return true;
}

void publish(LoadedPlan* plan, std::uint64_t changes) {
  use_sites(*plan, changes);
  plan->holders = 0;
  g_plan.store(plan, std::memory_order_release);
  retire_old_lanes();
}

void use_sites(const LoadedPlan& plan, std::uint64_t changes) {
  g_serving.loader_changes.store(changes, std::memory_order_relaxed);
  g_serving.modules_missing.store(plan.missing_modules.load(std::memory_order_relaxed) != 0,
                                  std::memory_order_relaxed);
  set_anchors(plan);
  set_worker_sites(plan);
}

FreshPlan prepare_file(const char* path) {
  FreshPlan fresh;
  PlanFile file;
  PlanFault why;
  if (!open_plan(path, &file, &why)) return refuse(path, why.text), fresh;
  LoadedPlan* plan = make_tables(path, file, nullptr);
  if (plan == nullptr || !give_lanes(plan, path, nullptr)) return fresh;
  plan->number = ++g_serving.files_read;
  fresh.plan = plan;
  std::snprintf(fresh.path, sizeof fresh.path, "%s", path);
  return fresh;
}

void put_in_force(const FreshPlan& fresh) {
  if (fresh.plan == nullptr) return;
  const std::uint64_t changes =
      loader_changes().count();  // before the look-up, so that later changes are looked up again
  resolve_sites(*fresh.plan);
  const Locked locked;
  if (!locked.may_change()) return;
  if (is_overtaken(fresh)) return take_back(fresh.plan);
  if (g_plan.load(std::memory_order_relaxed) == nullptr) give_back_before_next_pass();
  note_facts(fresh);
  publish(fresh.plan, changes);
  // Comes last: who sees a plan counted finds it in force.
  statistics().plans_loaded.fetch_add(1, std::memory_order_release);
}

}  // namespace memo::runtime
