#include "planner/tool/compare/heap_locks.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/formats/guest_options.h"

namespace memo::compare {
namespace {

// Has jemalloc print its statistics at the end. Our library makes no page for `memomalloc status`, since that asks
// jemalloc for its figures now and then, which takes all its locks.
void print_statistics_at_the_end(process::Command& command) {
  command.set.emplace_back(guest_option(GuestOptionId::kLive).variable, "off");
  const auto conf =
      std::ranges::find(command.set, "MALLOC_CONF", [](const auto& pair) { return pair.first; });
  if (conf == command.set.end()) {
    command.set.emplace_back("MALLOC_CONF", kPrintStatistics);
  } else {
    conf->second += fmt::format(",{}", kPrintStatistics);
  }
}

// Returns the differences for one line. The start of two runs is not quite the same, so a difference can be negative:
// then there was no operation that shows.
std::map<std::string, double> differences(const JemallocStatistics& longer, const JemallocStatistics& shorter,
                                          std::size_t lines) {
  std::map<std::string, double> of_a_line;
  for (const auto& [name, sums] : longer.locks) {
    const auto before = shorter.locks.find(name);
    const double operations =
        sums.operations - (before == shorter.locks.end() ? 0 : before->second.operations);
    of_a_line[name] = std::max(0.0, operations) / static_cast<double>(lines);
  }
  return of_a_line;
}

}  // namespace

std::optional<double> HeapLocks::all_operations_a_line() const {
  if (!operations_a_line) return std::nullopt;
  double all = 0;
  for (const auto& [name, operations] : *operations_a_line) all += operations;
  return all;
}

std::optional<HeapLocks> measure_heap_locks(process::Command command, const Turns& turns,
                                            const RunOnce& run) {
  print_statistics_at_the_end(command);
  const auto statistics_of = [&](std::size_t count) {
    Turns some = turns;
    some.count = count;
    return jemalloc_statistics(run(command, some).errors);
  };
  const std::optional<JemallocStatistics> longer = statistics_of(turns.count + 1);
  if (!longer) return std::nullopt;
  if (!turns.wanted()) return HeapLocks{*longer, std::nullopt};
  const std::optional<JemallocStatistics> shorter = statistics_of(1);
  if (!shorter) return std::nullopt;
  return HeapLocks{*longer, differences(*longer, *shorter, turns.count * turns.lines_of_a_turn())};
}

}  // namespace memo::compare
