// Numbers the demands and operators of a variant with a loop: those before the loop, `period` iterations of its
// body, and those after it.
//
//   demands   0 1 | 2 3 4 | 5 6 7 | 8        before() = 2, a body of three, period 2, behind() = 8
#pragma once

#include <cstdint>

#include "planner/variants/loop_runs.h"

namespace memo::planner {

class LoopLayout {
 public:
  // The reference is the run that the variant's frame and operators are taken from. `exact` is an iteration of
  // it that equals the body.
  LoopLayout(const Numbered& body, const Run& reference, std::size_t exact, std::uint32_t period)
      : body_(body), reference_(reference), exact_(exact), period_(period) {}

  [[nodiscard]] const Run& reference() const { return reference_; }
  [[nodiscard]] const Numbered& body() const { return body_; }
  [[nodiscard]] std::size_t exact() const { return exact_; }
  [[nodiscard]] std::uint32_t period() const { return period_; }

  [[nodiscard]] std::uint32_t before() const { return reference_.made.front(); }
  [[nodiscard]] std::uint32_t behind() const { return before() + period_ * body_.allocations; }
  [[nodiscard]] std::uint32_t scopes_before() const { return reference_.scopes.front(); }

  // Returns the number of the demand at this place of an iteration.
  [[nodiscard]] Time rank(std::size_t iteration, std::uint32_t place) const {
    if (iteration >= period_) return behind();
    return Time{before()} + static_cast<Time>(iteration) * body_.allocations + place;
  }
  [[nodiscard]] Time rank(const Location& at) const {
    if (at.before) return at.place;
    return at.iteration == Location::kBehind ? Time{behind()} + at.place : rank(at.iteration, at.place);
  }

  // Turns a scope number of the reference run into one of the variant, in which the exact iteration becomes this
  // iteration.
  [[nodiscard]] ScopeIndex scope_number(ScopeIndex scope, std::uint32_t iteration) const {
    if (scope == kNone || scope < scopes_before()) return scope;
    if (scope >= reference_.scopes.back())
      return scope - reference_.scopes.back() + scopes_before() + period_ * body_.scopes;
    return scope - reference_.scopes[exact_] + scopes_before() + iteration * body_.scopes;
  }

 private:
  const Numbered& body_;
  const Run& reference_;
  std::size_t exact_;
  std::uint32_t period_;
};

}  // namespace memo::planner
