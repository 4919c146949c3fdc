// Prints, as Markdown, how far above the bound strategies end on very large generated instances, over several seeds.
//
//   large_bench [--kinds long,mixed,nested] [--buffers 20000] [--seeds 1,2,3] [--strategies ejection] [--seconds 10]
//               [--nodes N] [--folder FOLDER]
//
// A cell is the percentage over the bound and the processor's time in seconds, which says more than the clock on a busy
// machine. With --nodes, these are the limit instead of the time, so that the plans are the same on every machine. With
// --folder, each strategy solves the instances of that folder too.
//
//   long     one buffer in ten lives for a tenth to a half of all time; sizes hardly repeat
//   mixed    sizes over four orders of magnitude; a quarter of the buffers lives up to half of all time
//   nested   17 sizes, as a network has; of what is kept, the last born dies first
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "planner/placing/random.h"
#include "tests/bench/instances.h"
#include "tests/bench/run_program.h"
#include "tests/planner/registry/oracles/every_strategy.h"

namespace memo::bench {
namespace {

using planner::Buffer;
using planner::Bytes;
using planner::Problem;
using planner::Random;
using planner::Time;

constexpr Bytes kAlignment = 64;

struct Settings {
  std::vector<std::string> kinds{"long", "mixed", "nested"};
  std::vector<std::string> strategies{"ejection"};
  std::vector<std::uint64_t> seeds{1, 2, 3};
  std::filesystem::path folder;
  std::size_t buffers = 20'000;
  double seconds = 10;
  std::optional<std::uint64_t> nodes;
};

Buffer buffer_at(std::size_t begin, std::size_t length, std::size_t size) {
  const auto birth = static_cast<Time>(begin);
  return {.life = {birth, birth + static_cast<Time>(length)},
          .size = static_cast<Bytes>(size) * kAlignment,
          .alignment = kAlignment,
          .fixed = {}};
}

Buffer long_lived(Random& random, std::size_t number, std::size_t count) {
  const std::size_t length =
      random.below(10) == 0 ? count / 20 + random.below(count / 5) : 1 + random.below(3);
  return buffer_at(number / 2, length, 1 + random.below(4096));
}

Buffer mixed(Random& random, std::size_t number, std::size_t count) {
  constexpr std::size_t kSteps = 1024;
  const double power = 4.0 * static_cast<double>(random.below(kSteps)) / kSteps;
  const std::size_t length = random.below(4) == 0 ? 1 + random.below(count / 4) : 1 + random.below(20);
  return buffer_at(number / 2, length, static_cast<std::size_t>(std::pow(10.0, power)));
}

Buffer nested(Random& random, std::size_t number, std::size_t count) {
  const std::size_t moments = count / 2;
  const std::size_t begin = number / 4;
  const bool kept = random.below(4) == 0;
  const std::size_t length = kept ? moments - 2 * begin + random.below(8) : 1 + random.below(6);
  return buffer_at(number / 4, std::max<std::size_t>(length, 1), std::size_t{1} << random.below(17));
}

Problem generated(const std::string& kind, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  Problem problem;
  for (std::size_t number = 0; number < count; ++number) {
    if (kind == "long") {
      problem.buffers.push_back(long_lived(random, number, count));
    } else if (kind == "mixed") {
      problem.buffers.push_back(mixed(random, number, count));
    } else if (kind == "nested") {
      problem.buffers.push_back(nested(random, number, count));
    } else {
      throw std::invalid_argument(fmt::format("no kind \"{}\": there are long, mixed and nested", kind));
    }
  }
  return problem;
}

std::string measured(const Problem& problem, const std::string& name, const planner::Limits& limits) {
  const planner::Strategy* strategy = planner::find_any(name);
  if (strategy == nullptr) throw std::invalid_argument(fmt::format("no strategy \"{}\"", name));
  const std::clock_t start = std::clock();
  const planner::Outcome outcome = strategy->solve(problem, limits);
  const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  if (outcome.offsets.empty()) return "no plan";
  const double over =
      100.0 * (static_cast<double>(outcome.height) / static_cast<double>(outcome.lower_bound) - 1);
  return fmt::format("{:.4f} %, {:.2f} s", over, took);
}

void print_row(const std::vector<std::string>& cells) {
  fmt::print("| {} |\n", fmt::join(cells, " | "));
  std::fflush(stdout);
}

void measure(const std::string& name, const Problem& problem, const Settings& settings) {
  planner::Limits limits;
  limits.nodes = settings.nodes;
  if (!settings.nodes) limits.seconds = settings.seconds;
  std::vector<std::string> cells{name, fmt::format("{}", problem.buffers.size())};
  for (const std::string& strategy : settings.strategies)
    cells.push_back(measured(problem, strategy, limits));
  print_row(cells);
}

void print_table(const Settings& settings) {
  std::vector<std::string> head{"instance", "buffers"};
  head.insert(head.end(), settings.strategies.begin(), settings.strategies.end());
  print_row(head);
  print_row(std::vector<std::string>(head.size(), "---"));
  for (const std::string& kind : settings.kinds) {
    for (const std::uint64_t seed : settings.seeds)
      measure(fmt::format("{} {}", kind, seed), generated(kind, settings.buffers, seed), settings);
  }
  if (settings.folder.empty()) return;
  for (const std::filesystem::path& file : instances_below(settings.folder))
    measure(file.stem().string(), read_instance(file), settings);
}

int run(int argc, char** argv) {
  Settings settings;
  CLI::App app("How far above the bound strategies end on very large generated instances");
  app.add_option("--kinds", settings.kinds, "Kinds of instances, with commas between")->delimiter(',');
  app.add_option("--buffers", settings.buffers, "Buffers of an instance")->check(CLI::Range(100, 10'000'000));
  app.add_option("--seeds", settings.seeds, "Seeds, with commas between")->delimiter(',');
  app.add_option("--strategies", settings.strategies, "Names with commas between")->delimiter(',');
  app.add_option("--seconds", settings.seconds, "The limit of each solve")->check(CLI::PositiveNumber);
  app.add_option("--nodes", settings.nodes, "The limit of each solve in nodes, instead of seconds");
  app.add_option("--folder", settings.folder, "Instances to solve too")->check(CLI::ExistingDirectory);
  CLI11_PARSE(app, argc, argv);
  print_table(settings);
  return 0;
}

}  // namespace
}  // namespace memo::bench

int main(int argc, char** argv) {
  return memo::bench::run_program("large_bench", memo::bench::run, argc, argv);
}
