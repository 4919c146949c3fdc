// Every planning strategy, seen from outside: a name, three sentences about it, and one function.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "planner/problem/problem.h"

namespace memo::planner {

enum class Status {
  kOptimal,     // the height is proved least
  kFeasible,    // a valid plan (within the capacity, where one was given), not proved least
  kInfeasible,  // proved: no plan fits the capacity
  kTimeout,     // the limits ran out before a plan within the capacity was found
};
[[nodiscard]] std::string_view to_string(Status status);

struct Progress {
  Bytes height = 0;  // best so far; 0 while there is none
  Bytes lower_bound = 0;
  std::uint64_t nodes = 0;
};

// The limits of a solve's cost. Only a limit of `nodes` gives the same plan on every machine. After `cancel`
// (Ctrl-C), the solve ends with the best plan so far.
struct Limits {
  std::optional<double> seconds;
  std::optional<std::uint64_t> nodes;
  unsigned threads = 1;
  std::uint64_t seed = 1;
  const std::atomic<bool>* cancel = nullptr;
  std::optional<Bytes>
      below;  // a plan that is not below this is of no use: a heuristic may give up before it has one
  std::function<void(const Progress&)> progress;  // called now and then, from one thread at a time
};

// `offsets` is empty exactly when there is no plan (infeasible, timeout, or refused). `lower_bound` is always
// proved.
struct Outcome {
  Status status = Status::kTimeout;
  Offsets offsets;
  Bytes height = 0;
  Bytes lower_bound = 0;
  std::uint64_t nodes = 0;
  std::string note;               // one more sentence where needed: why infeasible, why refused
  std::optional<double> seconds;  // what the solve took; solve_timed() says it of every strategy
};

struct Strategy {
  std::string_view name;
  std::string_view summary;
  std::string_view cost;
  std::string_view guarantee;
  bool exact;  // given enough limits, the strategy proves optimality (or infeasibility)
  // Returns why the strategy cannot take this problem ("fixed offsets are not supported"); empty when it can.
  std::function<std::string(const Problem&)> refusal;
  std::function<Outcome(const Problem&, const Limits&)> solve;
};

}  // namespace memo::planner
