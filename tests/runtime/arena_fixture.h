// Holds what the arena's tests share: plans over made-up call sites, and a shadow of every block that is live.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "planner/layout/small_cells.h"
#include "planner/plan/plan_writer.h"
#include "runtime/pass/arena.h"
#include "runtime/serving/plan_in_force.h"
#include "runtime/serving/statistics.h"
#include "runtime/slab/progress.h"

namespace memo::runtime::testing {

using planner::PlanDescription;
using planner::PlanScopeDescription;
using planner::PlanSlotDescription;
using planner::PlanVariantDescription;

// Makes a plan of one module without build-id and path: its sites are absolute numbers.
inline PlanDescription empty_plan() {
  return {.modules = {{}}, .cells = {}, .variants = {}};
}

inline PlanSlotDescription cell_slot(std::uint64_t site, std::uint64_t size, std::uint64_t cell,
                                     std::uint32_t scope = kNoScope) {
  return {.site = {0, site}, .size = size, .scope = scope, .zone = PlanZone::kCell, .place = cell};
}

inline PlanSlotDescription large_slot(std::uint64_t site, std::uint64_t size, std::uint64_t place,
                                      std::uint32_t scope = kNoScope) {
  return {.site = {0, site}, .size = size, .scope = scope, .zone = PlanZone::kLarge, .place = place};
}

inline PlanSlotDescription heap_slot(std::uint64_t site, std::uint64_t size) {
  return {.site = {0, site}, .size = size, .zone = PlanZone::kHeap};
}

inline PlanSlotDescription kept_slot(std::uint64_t site, std::uint64_t size) {
  return {.site = {0, site}, .size = size, .zone = PlanZone::kKept};
}

inline std::filesystem::path plan_path() {
  return std::filesystem::temp_directory_path() / ("memomalloc-test-" + std::to_string(getpid()) + ".plan");
}

// Returns false if the plan is refused, as it may be while other threads' passes and blocks hold the lanes of many plans
// before it.
inline bool try_to_serve(const PlanDescription& plan) {
  planner::write_plan(plan, plan_path());
  const bool served = serve_plan(plan_path().c_str());
  std::filesystem::remove(plan_path());
  return served;
}

inline void serve(const PlanDescription& plan) {
  ASSERT_TRUE(try_to_serve(plan));
}

// Knows every live block and refuses one that shares a byte with another. May be used from several threads.
class Shadow {
 public:
  // Notes `block`, an address that the arena has just handed out for `size` bytes.
  void born(void* block, std::size_t size) {
    const std::lock_guard lock(mutex_);
    const auto begin = reinterpret_cast<std::uintptr_t>(block);
    const auto next = live_.lower_bound(begin);
    ASSERT_TRUE(next == live_.end() || begin + size <= next->first) << "overlaps the block behind it";
    ASSERT_TRUE(next == live_.begin() || std::prev(next)->second <= begin) << "overlaps the block before it";
    live_.emplace(begin, begin + size);
  }

  // Must be called before the block is released.
  void dies(void* block) {
    const std::lock_guard lock(mutex_);
    live_.erase(reinterpret_cast<std::uintptr_t>(block));
  }

  [[nodiscard]] std::size_t live() const { return live_.size(); }

 private:
  std::mutex mutex_;
  std::map<std::uintptr_t, std::uintptr_t> live_;  // begin -> end
};

inline std::uint64_t fallbacks(Reason reason) {
  return statistics().fallback[static_cast<int>(reason)].load();
}

// Returns true once the condition holds; false if it does not for long.
template <typename Condition>
bool comes_true(Condition holds) {
  constexpr std::chrono::seconds kLongest{60};
  const auto end = std::chrono::steady_clock::now() + kLongest;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

// A pass that ends with the block of code, however it is left.
struct Pass {
  explicit Pass(std::uint64_t key = 0) { pass_begin(key, __builtin_frame_address(0)); }
  ~Pass() { pass_end(); }
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;
};

}  // namespace memo::runtime::testing
