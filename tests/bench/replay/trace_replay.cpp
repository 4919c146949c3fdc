// Measures what a pass's allocations and frees cost without its computation: replays one pass of a trace again and again, on
// whatever allocator is preloaded, writing to the first and the last byte of each block. scripts/bench/replay runs it under
// several in turn.
//
//   trace_replay T [--threads 1,2,4,8] [--milliseconds N] [--allocator preloaded|bump|known]
//
// Prints one JSON array with an object for each number of threads. Each thread runs passes of its own. Nanoseconds are
// processor time of all threads for one allocation and its free; with more threads than cores, elapsed time measures the
// scheduler.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <string>
#include <vector>

#include "tests/bench/replay/recording.h"
#include "tests/bench/replay/replay.h"

namespace memo::bench {
namespace {

struct Settings {
  std::string trace;
  std::vector<unsigned> threads{1};
  int milliseconds = 200;
  std::string allocator = "preloaded";
};

std::string to_json(const Recording& recording, unsigned threads, const Result& result) {
  const auto passes = static_cast<double>(result.passes);
  const double pairs = passes * recording.blocks;
  return fmt::format(
      R"({{"threads": {}, "blocks": {}, "passes": {}, "ns": {:.4f}, "elapsed_ns": {:.4f}, "faults": {:.3f}}})",
      threads, recording.blocks, result.passes, 1e9 * result.processor_seconds / pairs,
      1e9 * result.elapsed_seconds / pairs, static_cast<double>(result.faults) / passes);
}

void print_replays(const Settings& settings) {
  const Recording recording = read_recording(settings.trace);
  const char* separator = "[";
  for (const unsigned threads : settings.threads) {
    const Result result = replay(recording, settings.allocator, threads, settings.milliseconds);
    fmt::print("{}{}", separator, to_json(recording, threads, result));
    separator = ",\n ";
  }
  fmt::print("]\n");
}

}  // namespace
}  // namespace memo::bench

int main(int argc, char** argv) {
  memo::bench::Settings settings;
  CLI::App app{"Replays the allocations of a trace's pass on the allocator this program runs on"};
  app.add_option("trace", settings.trace, "What `memomalloc profile` recorded")->required();
  app.add_option("--threads", settings.threads, "How many at once; several are measured in turn")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  app.add_option("--milliseconds", settings.milliseconds, "How long for each")->check(CLI::PositiveNumber);
  app.add_option("--allocator", settings.allocator, "The process's own, or a floor")
      ->check(CLI::IsMember({"preloaded", "bump", "known"}));
  CLI11_PARSE(app, argc, argv);
  try {
    memo::bench::print_replays(settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "trace_replay: {}\n", error.what());
    return 1;
  }
}
