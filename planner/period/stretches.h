// The threads cut into stretches by one anchor, and which of them are passes.
//
//   shorter than anything worth a plan                   ──► no pass
//   equal to another one                                 ──► pass
//   one of those with a few steps more                   ──► pass, the others are strays
//   equal to another one without irregular contexts      ──► pass, and those are strays, if most of it is regular
//   anything else                                        ──► warm-up, or something that happens between passes
//
// Or, where more comes of it: what begins like most of them ──► pass, up to where they differ (planner/period/beginnings.h).
#pragma once

#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "planner/period/period.h"

namespace memo::planner {

// Where each context occurs, and what tells stretches apart at a glance.
class StepIndex {
 public:
  explicit StepIndex(std::span<const Sequence> threads);

  struct Place {
    std::uint32_t thread;
    std::uint32_t step;
  };
  [[nodiscard]] std::span<const Sequence> threads() const { return threads_; }
  [[nodiscard]] std::size_t contexts() const { return places_.size(); }
  [[nodiscard]] const std::vector<Place>& places(ContextId context) const { return places_[context]; }
  [[nodiscard]] std::size_t occurrences(ContextId context) const { return places_[context].size(); }

  // It turns up behind and before something else nearly every time: a timer, a log line, a garbage collection.
  [[nodiscard]] bool irregular(ContextId context) const { return irregular_[context]; }

  // Equal for equal stretches; the second of them as if there were no irregular contexts.
  [[nodiscard]] std::uint64_t hash(const Stretch& stretch) const;
  [[nodiscard]] std::uint64_t regular_hash(const Stretch& stretch) const;
  [[nodiscard]] std::uint32_t regular_steps(const Stretch& stretch) const;

  [[nodiscard]] double bytes_between(std::uint32_t thread, std::uint32_t begin, std::uint32_t end) const {
    return sums_[thread].bytes[end] - sums_[thread].bytes[begin];
  }

 private:
  // Rolling sums over the steps before: those of a stretch follow from its two ends.
  struct Sums {
    std::vector<std::uint64_t> all;
    std::vector<std::uint64_t> regular;
    std::vector<std::uint32_t> regular_steps;
    std::vector<double> bytes;
  };
  void find_places();
  void find_irregular();
  void add_up(const Sequence& thread, Sums& sums);
  [[nodiscard]] std::uint64_t power(std::uint32_t exponent) const { return powers_[exponent]; }

  std::span<const Sequence> threads_;
  std::vector<std::vector<Place>> places_;
  std::vector<bool> irregular_;
  std::vector<Sums> sums_;
  std::vector<std::uint64_t> powers_;
};

inline constexpr std::size_t kLeastSteps = 16;  // of a pass

// The stretch goes through these contexts in order, with a few steps in between that are none of them: those become its
// strays, and it ends behind the last context. False: it does not, or there are too many strays.
[[nodiscard]] bool follow(const StepIndex& index, std::span<const ContextId> contexts, Stretch& stretch);

// The block lives on when the next pass begins, so no slot can hold it.
inline bool outlives(const Step& step, const Stretch& pass) {
  return step.freed_at > pass.next;
}

template <typename Visit>
void for_each_own_step(const Stretch& pass, const Visit& visit) {
  auto stray = pass.strays.begin();
  for (std::uint32_t step = pass.begin; step < pass.end; ++step) {
    if (stray != pass.strays.end() && *stray == step)
      ++stray;
    else
      visit(step);
  }
}

struct Division {
  std::vector<Stretch> passes;  // by thread, then in order
  std::size_t stretches = 0;
};

[[nodiscard]] Division divide(const StepIndex& index, ContextId anchor);

}  // namespace memo::planner
