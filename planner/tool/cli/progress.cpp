#include "planner/tool/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "planner/tool/text/numbers.h"

namespace memo::cli {
namespace {

constexpr std::string_view kEraseLine = "\r\x1b[K";

}  // namespace

ProgressLine::ProgressLine(bool quiet) : on_(!quiet && isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
  if (drawn_ != Clock::time_point{}) fmt::print(stderr, "{}", kEraseLine);
}

void ProgressLine::show(const planner::Progress& progress) {
  using std::chrono::duration;
  const Clock::time_point now = Clock::now();
  if (!on_ || now - drawn_ < std::chrono::milliseconds(100)) return;
  drawn_ = now;
  const std::string best = progress.height == 0
                               ? "no plan yet"
                               : fmt::format("{} ({} over the bound)", planner::human_bytes(progress.height),
                                             planner::over_bound(progress.height, progress.lower_bound));
  fmt::print(stderr, "{}{:.1f} s: {}, bound {}, {} nodes; Ctrl-C keeps the best so far", kEraseLine,
             duration<double>(now - start_).count(), best, planner::human_bytes(progress.lower_bound),
             progress.nodes);
  std::fflush(stderr);
}

}  // namespace memo::cli
