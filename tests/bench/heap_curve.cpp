// Shows what a preloaded jemalloc holds through one pass: goes through the buffers of a CSV instance pass after pass, and in
// the last one asks jemalloc for its figures after every call. scripts/evaluation/reproduce-thesis draws them.
//
//   LD_PRELOAD=libjemalloc.so.2 heap_curve pass.csv
//
// Prints CSV with a row for each call. Bytes are beyond those before the first pass, which are the program's own.
//
// The pass takes no time here, since nothing is computed. What jemalloc gives back by the clock, it gives back later than in
// a server: `resident` is then too high, `active` is not.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/bench/instance_events.h"

extern "C" [[gnu::weak]] int mallctl(const char* name, void* old, std::size_t* old_size, void* fresh,
                                     std::size_t fresh_size);

namespace memo::bench {
namespace {

// Bytes of blocks, in the extents that hold these, and in memory.
constexpr std::array kFigures = {"stats.allocated", "stats.active", "stats.resident"};

struct Moment {
  std::int64_t live = 0;  // what the program asked for
  std::array<std::int64_t, kFigures.size()> bytes{};
};

// jemalloc keeps its figures until it is told that another epoch begins.
void begin_epoch() {
  std::uint64_t epoch = 1;
  std::size_t size = sizeof epoch;
  mallctl("epoch", &epoch, &size, &epoch, size);
}

Moment look(std::int64_t live) {
  begin_epoch();
  Moment moment{live, {}};
  for (std::size_t i = 0; i < kFigures.size(); ++i) {
    std::size_t bytes = 0;
    std::size_t size = sizeof bytes;
    if (mallctl(kFigures[i], &bytes, &size, nullptr, 0) != 0)
      throw std::runtime_error(fmt::format("this jemalloc does not count {}", kFigures[i]));
    moment.bytes[i] = static_cast<std::int64_t>(bytes);
  }
  return moment;
}

// Gives back what reading the instance has left in the heap: the pass would use it unseen.
void purge() {
  mallctl("thread.tcache.flush", nullptr, nullptr, nullptr, 0);
  mallctl("arena.4096.purge", nullptr, nullptr, nullptr, 0);  // 4096 stands for all arenas
}

// Writes into `moments`, which has a place for each event: a vector that grows would be seen.
void watch_pass(const InstanceEvents& pass, std::vector<void*>& blocks, std::vector<Moment>& moments) {
  std::int64_t live = 0;
  for (std::size_t i = 0; i < pass.events.size(); ++i) {
    const Event& event = pass.events[i];
    follow(event, blocks);
    const auto size = static_cast<std::int64_t>(event.size);
    live += event.begins ? size : -size;
    moments[i] = look(live);
  }
}

void print(const Moment& before, const std::vector<Moment>& moments) {
  fmt::print("call,live,allocated,active,resident\n");
  for (std::size_t i = 0; i < moments.size(); ++i) {
    fmt::print("{},{}", i, moments[i].live);
    for (std::size_t k = 0; k < kFigures.size(); ++k)
      fmt::print(",{}", moments[i].bytes[k] - before.bytes[k]);
    fmt::print("\n");
  }
}

void draw_curve(const std::string& instance, int warm_passes) {
  if (mallctl == nullptr) throw std::runtime_error("no jemalloc is loaded; put one into LD_PRELOAD");
  const InstanceEvents pass = read_events(instance);
  std::vector<void*> blocks(pass.buffers);
  std::vector<Moment> moments(pass.events.size());
  purge();
  const Moment before = look(0);
  for (int i = 0; i < warm_passes; ++i) run_pass(pass, blocks);
  watch_pass(pass, blocks, moments);
  print(before, moments);
}

}  // namespace
}  // namespace memo::bench

int main(int argc, char** argv) {
  std::string instance;
  int warm_passes = 20;
  CLI::App app{"Prints what a preloaded jemalloc holds after each call of a pass"};
  app.add_option("instance", instance, "The pass, as `memomalloc inspect --csv` writes it")->required();
  app.add_option("--warm-passes", warm_passes, "Passes before that one")->check(CLI::NonNegativeNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    memo::bench::draw_curve(instance, warm_passes);
  } catch (const std::exception& error) {
    fmt::print(stderr, "heap_curve: {}\n", error.what());
    return 1;
  }
}
