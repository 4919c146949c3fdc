// Passes that are joined to one variant, and a checker of its layout that knows nothing of how structures are found, for tests. Call
// sites are unique, so that each allocation of a pass has one slot, or one for each iteration that the variant has; the slot must be
// large enough, and the blocks, where their slots lie and while they live, must not share a byte.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "planner/check/check.h"
#include "planner/check/check_plan.h"
#include "planner/layout/plan_variants.h"
#include "planner/sizes/structures.h"

namespace memo::testing {

class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  std::size_t below(std::size_t limit) { return random_() % limit; }

 private:
  std::mt19937 random_;
};

inline planner::Trace trace_of_net(std::vector<planner::Pass> passes) {
  planner::Trace trace;
  trace.names = {"?", "forward"};
  trace.modules = {{.path = "/srv/libnet.so", .build_id = "aa"}};
  trace.passes = std::move(passes);
  return trace;
}

// Joins the passes of the trace, each of which counts as a shape of its own. There is no variant where no loop tells them apart.
inline planner::Variants join(const planner::Trace& trace) {
  planner::ModuleTable modules;
  const planner::TraceView view(trace, modules);
  std::vector<planner::Member> members;
  for (const planner::Pass& pass : trace.passes)
    members.push_back({.trace = &trace,
                       .pass = &pass,
                       .runs = 1,
                       .first = pass.number,
                       .view = &view,
                       .fingerprint = pass.number});
  planner::Variants joined;
  joined.variants = planner::join_structures(members);
  EXPECT_TRUE(joined.variants.empty() || members.empty()) << members.size() << " passes are left over";
  joined.modules = modules.release();
  return joined;
}

// Checks passes of the plan's first variant.
class LayoutChecker {
 public:
  explicit LayoutChecker(const planner::PlanDescription& plan)
      : variant_(plan.variants.front()),
        laid_out_(lay_out(plan, variant_)),
        buffer_of_(variant_.slots.size(), planner::kNone) {
    for (std::uint32_t slot = 0; slot < variant_.slots.size(); ++slot)
      slots_of_[variant_.slots[slot].site.offset].push_back(slot);
    for (std::uint32_t buffer = 0; buffer < laid_out_.slots.size(); ++buffer)
      buffer_of_[laid_out_.slots[buffer]] = buffer;
  }

  // Returns what is wrong with the pass in this layout, "" for nothing. `slot_of` says which of its site's slots an allocation has.
  template <typename SlotOf>
  [[nodiscard]] std::string fault(const planner::Pass& pass, const SlotOf& slot_of) const {
    planner::Problem problem;
    planner::Offsets offsets;
    for (std::size_t i = 0; i < pass.allocations.size(); ++i) {
      const planner::Allocation& made = pass.allocations[i];
      const auto known = slots_of_.find(made.site.offset);
      if (known == slots_of_.end()) return "a call site without a slot";
      const std::uint32_t slot = slot_of(i, known->second);
      if (variant_.slots[slot].site.offset != made.site.offset) return "a slot of another site";
      if (variant_.slots[slot].size < static_cast<std::uint64_t>(made.size))
        return "a slot that is too small";
      if (buffer_of_[slot] == planner::kNone) continue;  // on the heap, or in a list
      problem.buffers.push_back(laid_out_.problem.buffers[buffer_of_[slot]]);
      problem.buffers.back().life = made.life;
      offsets.push_back(laid_out_.offsets[buffer_of_[slot]]);
    }
    return check_by_sweep(problem, offsets).sentence;
  }

 private:
  const planner::PlanVariantDescription& variant_;
  planner::LaidOut laid_out_;
  std::vector<std::uint32_t> buffer_of_;  // slot → its buffer in the layout, or kNone
  std::map<std::uint64_t, std::vector<std::uint32_t>> slots_of_;
};

}  // namespace memo::testing
