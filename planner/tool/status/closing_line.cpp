#include "planner/tool/status/closing_line.h"

#include <fmt/format.h>

#include "planner/tool/text/numbers.h"

namespace memo::status {
namespace {

using planner::Served;

// Returns "99.8 % of the allocations and 97.1 % of the bytes".
std::string describe_shares(const Served& served) {
  return fmt::format("{:.1f} % of the allocations and {:.1f} % of the bytes", 100 * served.share(),
                     100 * served.share_of_bytes());
}

std::string count_of(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string passes_of(const ProgramFigures& figures) {
  std::string passes = count_of(figures.all.passes, "pass", "passes");
  if (figures.processes < 2) return passes;
  return fmt::format("{} in {} processes", passes, figures.processes);
}

// Returns what was served of which passes. Those that serving stood aside for are among them.
std::string served_of(const ProgramFigures& figures) {
  const std::string passes = passes_of(figures);
  if (figures.steady.passes == 0)
    return fmt::format("{}, and none after the warm-up with a plan: {} were served", passes,
                       describe_shares(figures.all));
  if (figures.aside_passes == 0)
    return fmt::format("{}; in the steady state {} were served", passes, describe_shares(figures.steady));
  return fmt::format(
      "{}; serving stood aside for {} of them; in the steady state {} of all passes were served", passes,
      figures.aside_passes, describe_shares(figures.steady));
}

// Returns what was not of the steady state, or "" where all was.
std::string before_steady(const ProgramFigures& figures) {
  const Served before = figures.all.since(figures.steady);
  if (before.passes == 0 || figures.steady.passes == 0) return "";
  return fmt::format(" (warm-up and others: {}, {:.1f} %)", before.passes, 100 * before.share());
}

std::string others_of(const ProcessTreeFigures& figures) {
  if (figures.other_passes == 0) return "";
  return fmt::format("; {}, such as {}, are not counted",
                     count_of(figures.other_passes, "pass of another program", "passes of other programs"),
                     figures.other_program);
}

std::string memory_of(const ProgramFigures& figures) {
  return fmt::format("a slab of {} beside a heap of {}",
                     planner::human_bytes(static_cast<planner::Bytes>(figures.slab_bytes)),
                     planner::human_bytes(static_cast<planner::Bytes>(figures.heap_resident)));
}

// Says so where there is little to gain by the plan, or what to change.
std::string worth_of(const ProgramFigures& figures, const std::string& cure) {
  if (!planner::is_little_beside(figures.slab_bytes, figures.heap_resident)) return "";
  return "; " + (cure.empty() ? planner::kLittleToGain : cure);
}

// Takes parts as long as they fit.
class Line {
 public:
  explicit Line(std::string text) : text_(std::move(text)) {}

  void add(const std::string& part) {
    static constexpr std::size_t kPrefix = sizeof "memomalloc: " - 1;
    if (kPrefix + text_.size() + part.size() <= kLongestLine) text_ += part;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Returns a line with what serving was worth, and what it took, of one process.
Line line_of_process(const ProgramFigures& figures) {
  const std::string which = figures.processes < 2 ? "" : "in the process with most passes ";
  if (figures.worth.empty()) return Line(which + memory_of(figures));
  Line line(which + figures.worth);
  line.add("; " + memory_of(figures));
  return line;
}

void add_files(Line& line, const Epilogue& epilogue) {
  if (!epilogue.statistics.empty()) line.add("; the statistics are in " + epilogue.statistics);
  if (!epilogue.plan.empty()) line.add("; the plan is " + epilogue.plan);
}

}  // namespace

std::vector<std::string> closing_lines(const ProcessTreeFigures& figures, const Epilogue& epilogue) {
  const ProgramFigures& own = figures.own;
  if (own.all.passes == 0) {
    Line line("no pass was served: none was seen");
    if (!epilogue.statistics.empty()) line.add("; the statistics are in " + epilogue.statistics);
    return {line.text()};
  }
  Line served(served_of(own));
  served.add(planner::shares_without_kept(own.steady, 1));
  served.add(before_steady(own));
  served.add(others_of(figures));
  Line memory = line_of_process(own);
  memory.add(worth_of(own, epilogue.arena_cure));
  add_files(memory, epilogue);
  return {served.text(), memory.text()};
}

}  // namespace memo::status
