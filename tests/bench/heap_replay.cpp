// Measures how an allocator fares under a network's passes: goes through the buffers of a CSV instance pass after pass,
// allocating at the beginning of each lifetime, writing to every page, freeing at its end. Run it with LD_PRELOAD and
// MALLOC_CONF; docs/heap.md has what came out.

#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/bench/instance_events.h"

namespace {

using memo::bench::InstanceEvents;

struct Pass {
  double milliseconds;
  long page_faults;
};

struct Settings {
  std::string instance;
  std::size_t divide = 1;
  int passes = 30;
  int threads = 1;
};

rusage usage() {
  rusage now{};
  getrusage(RUSAGE_SELF, &now);
  return now;
}

long resident_megabytes() {
  std::ifstream statm("/proc/self/statm");
  long total = 0;
  long resident = 0;
  statm >> total >> resident;
  return resident * 4 / 1024;
}

std::vector<Pass> run_passes(const InstanceEvents& pass, int passes) {
  std::vector<void*> blocks(pass.buffers);
  std::vector<Pass> results;
  for (int i = 0; i < passes; ++i) {
    const long faults = usage().ru_minflt;
    const auto begin = std::chrono::steady_clock::now();
    memo::bench::run_pass(pass, blocks);
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - begin;
    results.push_back({elapsed.count(), usage().ru_minflt - faults});
  }
  return results;
}

// Faults are the process's: with several threads, those of all of them during a pass of the first.
void print(std::vector<Pass> passes) {
  const std::size_t middle = passes.size() / 2;
  std::vector<Pass> settled(passes.begin() + static_cast<std::ptrdiff_t>(middle), passes.end());
  std::ranges::sort(settled, {}, &Pass::page_faults);
  std::ranges::sort(passes, {}, &Pass::milliseconds);
  fmt::print(
      "least {:.2f} ms, median {:.2f} ms, {} faults a pass, {} MB resident at the peak, {} MB at the end\n",
      passes.front().milliseconds, passes[middle].milliseconds, settled[settled.size() / 2].page_faults,
      usage().ru_maxrss / 1024, resident_megabytes());
}

void replay(const Settings& settings) {
  const InstanceEvents pass = memo::bench::read_events(settings.instance, settings.divide);
  std::vector<std::jthread> others;
  for (int i = 1; i < settings.threads; ++i) {
    others.emplace_back([&] { run_passes(pass, settings.passes); });
  }
  std::vector<Pass> passes = run_passes(pass, settings.passes);
  others.clear();
  print(std::move(passes));
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app{"Replays the buffers of a CSV instance on the allocator this program runs on"};
  app.add_option("instance", settings.instance, "The buffers, as for memomalloc pack")->required();
  app.add_option("--divide", settings.divide, "Divide every size by this")->check(CLI::PositiveNumber);
  app.add_option("--passes", settings.passes, "How often")->check(CLI::PositiveNumber);
  app.add_option("--threads", settings.threads, "Passes at once")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    replay(settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "heap_replay: {}\n", error.what());
    return 1;
  }
}
