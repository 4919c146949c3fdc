// Any text at all: the CSV reader either refuses it with CsvError or returns a sound problem. A problem that is
// small enough is solved and written, and what was written must read back as the same buffers, each fixed where the
// solution put it. Anything else that is thrown, and any sanitizer report, is a find.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "planner/problem/csv.h"
#include "planner/problem/soundness.h"
#include "planner/registry/registry.h"

namespace memo::planner {
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

constexpr std::size_t kMostSolved = 64;

// At least the end of any buffer that greedy-size places. The offsets it writes are added up again by the reader, so
// the solved problems stay well below what the reader takes.
Bytes peak_of_sums(const Problem& problem) {
  Bytes sum = 0;
  for (const Buffer& buffer : problem.buffers)
    sum += buffer.size + buffer.alignment + buffer.fixed.value_or(0);
  return sum;
}

void require_round_trip(const Instance& instance) {
  const Outcome outcome = find_strategy("greedy-size")->solve(instance.problem, Limits{});
  const Instance again = read_csv(write_csv(instance, outcome.offsets), "again");
  require(again.ids == instance.ids);
  for (std::size_t i = 0; i < instance.ids.size(); ++i) {
    Buffer expected = instance.problem.buffers[i];
    expected.fixed = outcome.offsets[i];
    require(again.problem.buffers[i] == expected);
  }
}

void feed(std::string_view text) {
  try {
    const Instance instance = read_csv(text, "fuzz");
    require(unsound(instance.problem).empty());
    if (instance.ids.size() < kMostSolved && peak_of_sums(instance.problem) < kMostBytes / 1024) {
      require_round_trip(instance);
    }
  } catch (const CsvError&) {
  }
}

}  // namespace
}  // namespace memo::planner

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  memo::planner::feed({reinterpret_cast<const char*>(data), size});
  return 0;
}
