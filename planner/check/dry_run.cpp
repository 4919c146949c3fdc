#include "planner/check/dry_run.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "memomalloc/arena.h"
#include "planner/plan/plan_writer.h"
#include "planner/system/temporary_folder.h"
#include "planner/trace/same_module.h"

namespace memo::planner {
namespace {

constexpr int kModuleShift = 40;  // bits: no binary is larger than a terabyte
constexpr std::uint64_t kOffsetMask = (std::uint64_t{1} << kModuleShift) - 1;

std::uint64_t invented_address(std::size_t module, std::uint64_t offset) {
  return (static_cast<std::uint64_t>(module) + 1) << kModuleShift | (offset & kOffsetMask);
}

// Rewrites the plan to one module without a name, whose sites are absolute: the invented addresses.
PlanDescription at_invented_addresses(PlanDescription plan) {
  for (PlanVariantDescription& variant : plan.variants)
    for (PlanSlotDescription& slot : variant.slots)
      slot.site = {.module = 0, .offset = invented_address(slot.site.module, slot.site.offset)};
  for (PlanAnchorDescription& anchor : plan.anchors)
    anchor.site = {.module = 0, .offset = invented_address(anchor.site.module, anchor.site.offset)};
  plan.modules = {{}};
  return plan;
}

// Returns trace module → plan module; kNone for a module that the plan does not know.
std::vector<std::uint32_t> map_modules(const PlanDescription& plan, const Trace& trace) {
  std::vector<std::uint32_t> map;
  for (const Module& module : trace.modules) {
    const auto at =
        std::find_if(plan.modules.begin(), plan.modules.end(),
                     [&](const PlanModuleDescription& known) { return is_same_module(module, known); });
    map.push_back(at == plan.modules.end() ? kNone : static_cast<std::uint32_t>(at - plan.modules.begin()));
  }
  return map;
}

// The kinds of events in a pass, which follow the order of its positions. At one position, scopes end before
// others begin, and both come before the allocation or the free at this position.
enum class Step : std::uint8_t { kScopeEnd, kScopeBegin, kFree, kAllocate };
struct Moment {
  Time position;
  Step step;
  std::uint32_t index;
  friend auto operator<=>(const Moment&, const Moment&) = default;
};

std::vector<Moment> moments_of(const Pass& pass) {
  std::vector<Moment> moments;
  for (std::uint32_t i = 0; i < pass.scopes.size(); ++i) {
    if (pass.scopes[i].life.length() == 0) continue;
    moments.push_back({pass.scopes[i].life.begin, Step::kScopeBegin, i});
    moments.push_back({pass.scopes[i].life.end, Step::kScopeEnd, UINT32_MAX - i});
  }
  for (std::uint32_t i = 0; i < pass.allocations.size(); ++i) {
    const Allocation& allocation = pass.allocations[i];
    moments.push_back({allocation.life.begin, Step::kAllocate, i});
    if (!allocation.escapes) moments.push_back({allocation.life.end, Step::kFree, i});
  }
  std::sort(moments.begin(), moments.end());
  return moments;
}

class Replay {
 public:
  Replay(const Trace& trace, std::vector<std::uint32_t> modules, bool anchored)
      : trace_(trace), modules_(std::move(modules)), anchored_(anchored) {}
  ~Replay() {
    for (const Kept& block : kept_) release(block.block);
  }
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  // Calls `missed` with each allocation that went to the heap.
  template <typename Missed>
  void run(const Pass& pass, const Missed& missed) {
    release_what_ends_before(pass.begin_ns);
    blocks_.assign(pass.allocations.size(), nullptr);
    arena::pass_begin(pass.key, __builtin_frame_address(0));
    for (const Moment& moment : moments_of(pass)) {
      step(pass, moment);
      if (moment.step == Step::kAllocate && blocks_[moment.index] == nullptr)
        missed(pass.allocations[moment.index]);
    }
    arena::pass_end();
    keep_what_escapes(pass);
  }

 private:
  // A block that outlives its pass, which keeps its place from later ones.
  struct Kept {
    std::uint64_t end_ns;  // 0: it is never freed
    void* block;
  };

  void keep_what_escapes(const Pass& pass) {
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      if (blocks_[i] != nullptr) kept_.push_back({pass.allocations[i].end_ns, blocks_[i]});
  }
  void release_what_ends_before(std::uint64_t now) {
    const auto over = std::partition(kept_.begin(), kept_.end(), [now](const Kept& block) {
      return block.end_ns == 0 || block.end_ns >= now;
    });
    std::for_each(over, kept_.end(), [](const Kept& block) { release(block.block); });
    kept_.erase(over, kept_.end());
  }

  void step(const Pass& pass, const Moment& moment) {
    switch (moment.step) {
      case Step::kScopeBegin:
        return arena::scope_begin(std::string(trace_.name(pass.scopes[moment.index].name)).c_str());
      case Step::kScopeEnd:
        return arena::scope_end();
      case Step::kAllocate:
        return allocate(pass.allocations[moment.index], blocks_[moment.index]);
      case Step::kFree:
        release(std::exchange(blocks_[moment.index], nullptr));
    }
  }
  void allocate(const Allocation& allocation, void*& block) {
    const std::uint32_t module =
        allocation.site.module < modules_.size() ? modules_[allocation.site.module] : kNone;
    const std::uint64_t site = invented_address(module, allocation.site.offset);
    if (anchored_ && arena::pass_is_used_up(site)) arena::pass_end();
    block = arena::allocate(static_cast<std::size_t>(allocation.size),
                            static_cast<std::size_t>(allocation.alignment), site);
  }
  static void release(void* block) {
    if (block != nullptr) static_cast<void>(arena::release(block));
  }

  const Trace& trace_;
  std::vector<std::uint32_t> modules_;
  bool anchored_;  // with anchors, passes end where their plan does
  std::vector<void*> blocks_;
  std::vector<Kept> kept_;
};

std::uint64_t missed_for(const arena::Figures& figures, std::string_view name) {
  std::uint64_t missed = 0;
  for (unsigned reason = 0; reason < arena::kReasons; ++reason)
    if (arena::reason_name(reason) == name) missed = figures.missed_for[reason];
  return missed;
}

std::uint64_t kept_of(const arena::Figures& figures) {
  return missed_for(figures, "kept");
}

std::uint64_t foreseen_of(const arena::Figures& figures) {
  return missed_for(figures, "unplanned") + kept_of(figures);
}

// Returns what this dry run added, since the arena counts for the life of the process.
DryRun difference(const arena::Figures& after, const arena::Figures& before) {
  DryRun result{.passes = after.passes - before.passes,
                .served = after.served - before.served,
                .served_bytes = after.served_bytes - before.served_bytes,
                .searched = after.searched - before.searched,
                .fallback_bytes = after.missed_bytes - before.missed_bytes,
                .kept_bytes = after.kept_bytes - before.kept_bytes};
  for (unsigned reason = 0; reason < arena::kReasons; ++reason)
    result.fallback[arena::reason_name(reason)] = after.missed_for[reason] - before.missed_for[reason];
  return result;
}

// Returns what the arena counted between two looks.
DryPasses passes_between(const arena::Figures& before, const arena::Figures& after) {
  return {.served = after.served - before.served,
          .missed = after.missed - before.missed,
          .foreseen = foreseen_of(after) - foreseen_of(before),
          .kept = kept_of(after) - kept_of(before),
          .served_bytes = after.served_bytes - before.served_bytes,
          .missed_bytes = after.missed_bytes - before.missed_bytes,
          .kept_bytes = after.kept_bytes - before.kept_bytes};
}

void add(DryPasses& sum, const DryPasses& more) {
  sum.served += more.served;
  sum.missed += more.missed;
  sum.foreseen += more.foreseen;
  sum.kept += more.kept;
  sum.served_bytes += more.served_bytes;
  sum.missed_bytes += more.missed_bytes;
  sum.kept_bytes += more.kept_bytes;
}

// Returns how many passes of each kind the plan takes for the warm-up.
std::uint64_t warm_up_of(const PlanDescription& plan) {
  std::uint64_t most = 0;
  for (const PlanVariantDescription& variant : plan.variants)
    most = std::max<std::uint64_t>(most, variant.warm_up);
  return most;
}

std::vector<std::string> foreign_modules(const Trace& trace, const std::vector<std::uint32_t>& modules) {
  std::vector<std::string> foreign;
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const bool allocates = std::any_of(trace.passes.begin(), trace.passes.end(), [&](const Pass& pass) {
      return std::any_of(pass.allocations.begin(), pass.allocations.end(),
                         [&](const Allocation& allocation) { return allocation.site.module == i; });
    });
    if (modules[i] == kNone && allocates) foreign.push_back(trace.modules[i].path);
  }
  return foreign;
}

}  // namespace

std::uint64_t DryRun::missed() const {
  std::uint64_t sum = 0;
  for (const auto& [reason, count] : fallback) sum += count;
  return sum;
}

DryRun dry_run(const PlanDescription& plan, const Trace& trace, const MissVisitor& missed) {
  const process::TemporaryFolder folder("dry-run");
  const std::string file = (folder.path() / "dry-run.plan").string();
  write_plan(at_invented_addresses(plan), file);
  if (!arena::serve_plan(file.c_str())) throw std::runtime_error("the arena refuses the plan");
  const std::vector<std::uint32_t> modules = map_modules(plan, trace);
  Replay replay(trace, modules, !plan.anchors.empty());
  const arena::Figures before = arena::figures();
  arena::Figures middle = before;
  const std::uint64_t warm_up = warm_up_of(plan);
  std::map<std::uint64_t, std::uint64_t> passes_of_key;
  std::uint64_t fully_served = 0;
  DryPasses steady;
  for (std::size_t i = 0; i < trace.passes.size(); ++i) {
    const arena::Figures begin = arena::figures();
    if (i == trace.passes.size() / 2) middle = begin;
    const bool is_steady = ++passes_of_key[trace.passes[i].key] > warm_up;
    replay.run(trace.passes[i], [&](const Allocation& made) {
      if (is_steady) missed(trace.passes[i], made);
    });
    const DryPasses pass = passes_between(begin, arena::figures());
    if (pass.missed == 0) ++fully_served;
    if (is_steady) add(steady, pass);
  }
  const arena::Figures after = arena::figures();
  DryRun result = difference(after, before);
  result.steady = steady;
  result.later = passes_between(middle, after);
  result.fully_served = fully_served;
  result.foreign = foreign_modules(trace, modules);
  return result;
}

}  // namespace memo::planner
