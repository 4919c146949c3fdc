#include "planner/tool/cli/solving.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "planner/tool/cli/strategies.h"
#include "planner/tool/text/numbers.h"

namespace memo::cli {
namespace {

// Returns the limits. With --nodes alone the default time limit does not apply: it could end the search early,
// and the plan would no longer be the same on every machine.
planner::Limits limits_of(const Options& options) {
  planner::Limits limits;
  const std::int64_t nodes = options.number("nodes");
  if (nodes > 0) limits.nodes = static_cast<std::uint64_t>(nodes);
  const double seconds = options.seconds("timeout");
  if (seconds > 0 && (nodes == 0 || options.given("timeout"))) limits.seconds = seconds;
  limits.threads = thread_count(options);
  limits.seed = static_cast<std::uint64_t>(options.number("seed"));
  return limits;
}

std::string describe(const planner::Progress& best) {
  const std::string bound = planner::human_bytes(best.lower_bound);
  if (best.height == 0) return fmt::format("no plan yet, bound {}", bound);
  return fmt::format("{}, {} over the bound {}; Ctrl-C keeps it", planner::human_bytes(best.height),
                     planner::over_bound(best.height, best.lower_bound), bound);
}

}  // namespace

const planner::Strategy& chosen_strategy(const Options& options) {
  return strategy_named(options.text("strategy"));
}

unsigned thread_count(const Options& options) {
  constexpr std::int64_t kMostThreads = 1024;
  const std::int64_t wanted = options.number("threads");
  if (wanted == 0) return std::max(1u, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::min(wanted, kMostThreads));
}

SolveSession::SolveSession(const Options& options, ProgressLine& line, std::size_t solves)
    : line_(line), limits_(limits_of(options)) {
  limits_.cancel = &InterruptGuard::requested();
  limits_.progress = [this](const planner::Progress& best) { tell(best); };
  state_.all = static_cast<double>(solves);
  if (limits_.seconds) state_.step_limit = progress::Seconds(*limits_.seconds);
}

void SolveSession::begin(const std::string& what) {
  state_.done = static_cast<double>(begun_++);
  state_.what = what;
  line_.show(state_);
}

void SolveSession::tell(const planner::Progress& best) {
  progress::State told = state_;
  told.what = fmt::format("{}: {}", state_.what, describe(best));
  line_.show(told);
}

}  // namespace memo::cli
