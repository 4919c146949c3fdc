// What one pass wanted to be larger than its variant is, and when that is enough to lay the plan out anew:
//
//   sizes                          a pass shows                                              the variant grows to
//   on lines, without a loop       a t that another request confirms by half                 that t
//   on lines, in loops             requests that rise with the iterations                    the next step after that t
//   on no line                     several requests larger than their slots                  what was seen, and the numbers told
//   any, with lists                several requests after the last cell of their list        twice as long lists
//
// One request alone proves no shape, and neither it nor a pass that lost its place must make a plan huge.
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/plan/loaded_plan.h"

namespace memo::runtime {

// The values of t that the requests of one pass wanted. A single request must not make the plan huge, so the
// largest t counts only if another request wanted at least half of it; otherwise the second largest counts. A
// single remainder means that the pass has no shape on this line, whatever else it asked for.
class WantedGrowth {
 public:
  void add(const PlanFormula& line, std::uint64_t request) {
    ++requests_;
    const std::uint64_t more = request - std::min(request, line.base);
    if (more % line.factor != 0) off_the_line_ = true;
    const std::uint64_t t = more / line.factor;
    follow(t);
    if (t > most_) {
      second_ = most_;
      most_ = t;
    } else if (t > second_) {
      second_ = t;
    }
  }

  [[nodiscard]] std::uint64_t requests() const { return requests_; }

  // Returns the t that a pass through a loop wanted; 0 if none. Only what rose to it counts: each iteration wants a little more than
  // the one before. What a pass asks for at a wrong place in the loop is far beyond, and does not rise.
  [[nodiscard]] std::uint64_t risen() const { return off_the_line_ ? 0 : risen_; }

  // Returns the t that the pass wanted; 0 if none. `alone` says that the variant has no other slot that could
  // confirm it.
  [[nodiscard]] std::uint64_t t(bool alone) const {
    if (off_the_line_) return 0;
    return alone || most_ / 2 <= second_ ? most_ : second_;
  }

 private:
  static constexpr std::uint64_t kRise = 2;  // at most from one request to the next of those that rise

  void follow(std::uint64_t t) {
    const auto is_next = [t](std::uint64_t before) { return before < t && t <= before + kRise; };
    if (is_next(risen_) || (t > risen_ && is_next(begun_))) risen_ = t;
    if (t > risen_) begun_ = t;
  }

  std::uint64_t most_;
  std::uint64_t second_;
  std::uint64_t risen_;
  std::uint64_t begun_;  // where the rise may have begun, beyond what rose before
  std::uint64_t requests_;
  bool off_the_line_;
};

// All that a pass wanted of its variant.
class Wishes {
 public:
  void forget() {
    on_line_ = {};
    outgrown_ = 0;
    past_lists_ = 0;
  }

  // Notes a request for a slot that is too small for it.
  void add(const Variant& variant, std::uint32_t slot, std::uint64_t size);

  // Notes a request that found its list used up.
  void add_past_list() { ++past_lists_; }

  // Returns how many requests were larger than what was expected.
  [[nodiscard]] std::uint64_t too_large() const { return on_line_.requests() + outgrown_; }

  // Notes in the variant what it is to grow to. Returns false if that is nothing new, or if it may not.
  [[nodiscard]] bool pass_on(LoadedPlan& plan, Variant& variant) const;

 private:
  [[nodiscard]] bool pass_on_t(Variant& variant) const;
  [[nodiscard]] bool pass_on_sizes(Variant& variant) const;
  [[nodiscard]] bool pass_on_lists(const LoadedPlan& plan, Variant& variant) const;

  WantedGrowth on_line_;
  std::uint64_t outgrown_;    // requests larger than slots on no line
  ToldProducts products_;     // of these requests, if there are any
  std::uint64_t past_lists_;  // requests after the last cell of their list
};

// Returns true if some variant has a wish that it may have.
[[nodiscard]] bool has_wishes(const LoadedPlan& plan);

// Remembers that no plan of these sizes could be had, so that passes of such shapes stop asking.
void deny_wishes(LoadedPlan& plan);

}  // namespace memo::runtime
