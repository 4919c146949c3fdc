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

std::string passes_of(const FamilyFigures& figures) {
  std::string passes = count_of(figures.all.passes, "pass", "passes");
  if (figures.processes < 2) return passes;
  return fmt::format("{} in {} processes", passes, figures.processes);
}

// Returns what came before the steady state, or "" where nothing did.
std::string before_steady(const FamilyFigures& figures) {
  const Served before = figures.all.since(figures.steady);
  if (before.passes == 0) return "";
  return fmt::format(" (warm-up and passes without a plan: {}, {:.1f} %)", before.passes,
                     100 * before.share());
}

std::string memory_of(const FamilyFigures& figures) {
  return fmt::format("; a slab of {} beside a heap of {}",
                     planner::human_bytes(static_cast<planner::Bytes>(figures.slab_bytes)),
                     planner::human_bytes(static_cast<planner::Bytes>(figures.heap_resident)));
}

}  // namespace

std::string closing_line(const FamilyFigures& figures) {
  if (figures.processes == 0 || figures.all.passes == 0) return "no pass was served: none was seen";
  if (figures.steady.passes == 0)
    return fmt::format("{}, and none after the warm-up with a plan: {} were served", passes_of(figures),
                       describe_shares(figures.all));
  std::string line = fmt::format(
      "{}; in the steady state {} were served{}{}{}", passes_of(figures), describe_shares(figures.steady),
      planner::shares_without_kept(figures.steady, 1), before_steady(figures), memory_of(figures));
  if (!figures.plan.empty()) line += fmt::format("; the plan is {}", figures.plan);
  return line;
}

}  // namespace memo::status
