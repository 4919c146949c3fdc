// A program that writes its own trace, for tests: what it allocates in a pass, and in which operators.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "planner/trace/trace.h"

namespace memo::testing {

class TracedProgram {
 public:
  // Names its operators, or has call sites alone.
  explicit TracedProgram(bool operators) : operators_(operators) {}
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 protected:
  // Returns what `run` does, as a pass.
  template <typename Run>
  planner::Pass traced(std::uint64_t number, const Run& run) {
    pass_ = {.number = number, .name = 1, .complete = true, .scopes = {}, .allocations = {}};
    open_.clear();
    run();
    for (planner::Allocation& made : pass_.allocations)
      if (!made.freed) made.life.end = pass_.events;
    return std::move(pass_);
  }

  std::size_t add(std::uint64_t site, planner::Bytes bytes) {
    pass_.allocations.push_back({.size = bytes,
                                 .escapes = true,
                                 .life = {pass_.events, pass_.events + 1},
                                 .site = {.module = 0, .offset = site},
                                 .scope = open_.empty() ? planner::kNone : open_.back()});
    ++pass_.events;
    return pass_.allocations.size() - 1;
  }
  void release(std::size_t index) {
    planner::Allocation& made = pass_.allocations[index];
    made.freed = true;
    made.escapes = false;
    made.life.end = pass_.events++;
  }

  template <typename Inside>
  void in_operator(const std::string& name, const Inside& inside) {
    if (!operators_) return inside();
    pass_.scopes.push_back({.name = number_of(name),
                            .parent = open_.empty() ? planner::kNone : open_.back(),
                            .life = {pass_.events, pass_.events}});
    open_.push_back(static_cast<planner::ScopeIndex>(pass_.scopes.size() - 1));
    inside();
    pass_.scopes[open_.back()].life.end = pass_.events;
    open_.pop_back();
  }
  std::size_t make(const std::string& name, std::uint64_t site, planner::Bytes bytes) {
    std::size_t made = 0;
    in_operator(name, [&] { made = add(site, bytes); });
    return made;
  }
  // A block that is freed within its operator.
  void pass_through(const std::string& name, std::uint64_t site, planner::Bytes bytes) {
    release(make(name, site, bytes));
  }

 private:
  planner::NameIndex number_of(const std::string& name) {
    const auto at = std::find(names_.begin(), names_.end(), name);
    const auto number = static_cast<planner::NameIndex>(at - names_.begin());
    if (at == names_.end()) names_.push_back(name);
    return number;
  }

  bool operators_;
  std::vector<std::string> names_ = {"?", "forward"};
  planner::Pass pass_;
  std::vector<planner::ScopeIndex> open_;
};

}  // namespace memo::testing
