// Cuts the threads into stretches at one anchor, and decides which of them are passes.
//
//   shorter than anything worth a plan                   ──► no pass
//   equal to another one                                 ──► pass
//   one of those with a few steps more                   ──► pass, and the extra steps are strays
//   equal to another one without irregular contexts      ──► pass if most of it is regular; the rest are strays
//   anything else                                        ──► warm-up, or something that happens between passes
//
// Where this yields more, a stretch that begins like most stretches is a pass, up to where they differ
// (planner/period/beginnings.h).
#pragma once

#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "planner/period/period.h"

namespace memo::planner {

// Knows where each context occurs, and the hashes that tell stretches apart.
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

  // Returns true if the context has other neighbours nearly every time: a timer, a log line, a garbage
  // collection.
  [[nodiscard]] bool irregular(ContextId context) const { return irregular_[context]; }

  // Both return equal hashes for equal stretches; regular_hash() ignores irregular contexts.
  [[nodiscard]] std::uint64_t hash(const Stretch& stretch) const;
  [[nodiscard]] std::uint64_t regular_hash(const Stretch& stretch) const;
  [[nodiscard]] std::uint32_t regular_steps(const Stretch& stretch) const;

  [[nodiscard]] double bytes_between(std::uint32_t thread, std::uint32_t begin, std::uint32_t end) const {
    return sums_[thread].bytes[end] - sums_[thread].bytes[begin];
  }

 private:
  // Rolling sums over the steps before each step. The sums of a stretch follow from those at its two ends.
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

inline constexpr std::size_t kLeastSteps = 16;  // fewest steps of a pass

// Follows these contexts in order from the begin of the stretch. A few steps between them may be none of them:
// these become its strays. Sets the end of the stretch after the last context. Returns false where a context is
// missing, or with too many strays.
[[nodiscard]] bool follow(const StepIndex& index, std::span<const ContextId> contexts, Stretch& stretch);

// Returns true if the block still lives when the next pass begins, so that no slot can hold it.
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
