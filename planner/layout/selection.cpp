#include "planner/layout/selection.h"

#include "planner/problem/bounds.h"

namespace memo::planner {
namespace {

bool has_slot(const Demand& demand) {
  return demand.site.module != kNone && demand.alignment <= static_cast<Bytes>(kMaxPlanAlignment) &&
         demand.size <= static_cast<Bytes>(kMaxPlanHeight / 2);
}

// Counts times in slots instead of demands.
class SlotTimes {
 public:
  explicit SlotTimes(const std::vector<Demand>& demands) {
    slots_before_.push_back(0);
    for (const Demand& demand : demands)
      slots_before_.push_back(slots_before_.back() + (has_slot(demand) ? 1 : 0));
  }

  [[nodiscard]] Time at(Time demand) const { return slots_before_[static_cast<std::size_t>(demand)]; }
  void count(Lifetime& life) const { life = {at(life.begin), at(life.end)}; }

 private:
  std::vector<Time> slots_before_;
};

}  // namespace

Variant with_slots(const Variant& variant) {
  const SlotTimes times(variant.demands);
  Variant selected = variant;
  std::erase_if(selected.demands, [](const Demand& demand) { return !has_slot(demand); });
  for (Demand& demand : selected.demands) times.count(demand.life);
  for (VariantScope& scope : selected.scopes) times.count(scope.life);
  for (std::size_t i = 0; i < variant.loops.size(); ++i) {
    const Time first = times.at(variant.loops[i].begin());
    const auto slots = static_cast<std::uint32_t>(times.at(variant.loops[i].end()) - first);
    selected.loops[i].first_demand = static_cast<std::uint32_t>(first);
    selected.loops[i].demands = slots / variant.loops[i].period;
  }
  return selected;
}

Bytes lower_bound(const Variant& variant) {
  Problem problem;
  for (const Demand& demand : variant.demands)
    if (has_place(demand)) problem.buffers.push_back({.life = demand.life, .size = demand.size});
  return peak_live_bytes(problem);
}

}  // namespace memo::planner
