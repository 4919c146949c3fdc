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

bool ProgressLine::is_due() const {
  return on_ && Clock::now() - drawn_ >= std::chrono::milliseconds(100);
}

void ProgressLine::draw(const std::string& text) {
  using std::chrono::duration;
  drawn_ = Clock::now();
  fmt::print(stderr, "{}{:.1f} s: {}", kEraseLine, duration<double>(drawn_ - start_).count(), text);
  std::fflush(stderr);
}

void ProgressLine::show(const planner::Progress& progress) {
  if (!is_due()) return;
  const std::string best = progress.height == 0
                               ? "no plan yet"
                               : fmt::format("{} ({} over the bound)", planner::human_bytes(progress.height),
                                             planner::over_bound(progress.height, progress.lower_bound));
  draw(fmt::format("{}, bound {}, {} nodes; Ctrl-C keeps the best so far", best,
                   planner::human_bytes(progress.lower_bound), progress.nodes));
}

void ProgressLine::show_files(std::size_t read, std::size_t all) {
  if (is_due()) draw(fmt::format("{} of {} traces read", read, all));
}

}  // namespace memo::cli
