// Prints, as Markdown, what each inference rule of `canonical` is worth: the search with all rules, without each one,
// and without all of them, on the synthetic suite (suite.h) and on the instances of a folder.
//
//   ablation_bench [--seconds 1] [--problems 5] [--folder FOLDER] [--without RULE,RULE…]
//
// With --without, only the search with all rules and the one without the named ones are compared. The capacity of an
// instance of the folder is the number in a name like A.1048576.csv; others are passed over.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "planner/solve/canonical.h"
#include "tests/bench/instances.h"
#include "tests/bench/minimalloc/solved_share.h"
#include "tests/bench/minimalloc/suite.h"
#include "tests/bench/run_program.h"

namespace memo::bench {
namespace {

namespace fs = std::filesystem;
using planner::Problem;
using planner::Rules;

struct RuleSwitch {
  const char* name;
  bool Rules::*on;
};
constexpr RuleSwitch kSwitches[] = {
    {"canonical-order", &Rules::canonical_order},
    {"dominance", &Rules::dominance},
    {"lifting", &Rules::lifting},
    {"section-inference", &Rules::section_inference},
    {"hatless", &Rules::hatless},
    {"decomposition", &Rules::decomposition},
    {"memo", &Rules::memo},
    {"symmetry", &Rules::symmetry},
};

struct Settings {
  double seconds = 1;
  int problems = 5;
  fs::path folder;
  std::vector<std::string> without;
};

struct Variant {
  std::string name;
  Rules rules;
};

Rules rules_without(const std::vector<std::string>& names) {
  Rules rules;
  for (const std::string& name : names)
    rules.*(std::ranges::find(kSwitches, name, &RuleSwitch::name)->on) = false;
  return rules;
}

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const RuleSwitch& one : kSwitches) names.emplace_back(one.name);
  return names;
}

std::vector<Variant> variants_of(const Settings& settings) {
  std::vector<Variant> variants{{"all rules", Rules{}}};
  if (!settings.without.empty()) {
    variants.push_back(
        {fmt::format("without {}", fmt::join(settings.without, ", ")), rules_without(settings.without)});
    return variants;
  }
  for (const std::string& name : rule_names())
    variants.push_back({fmt::format("without {}", name), rules_without({name})});
  variants.push_back({"no rules", rules_without(rule_names())});
  return variants;
}

std::vector<Problem> synthetic_suite(int problems_of_a_size) {
  std::vector<Problem> problems;
  for (int buffers = kLeastBuffers; buffers <= kMostBuffers; buffers += kBufferStep) {
    const std::vector<Problem> more = synthetic_problems(buffers, problems_of_a_size);
    problems.insert(problems.end(), more.begin(), more.end());
  }
  return problems;
}

SolvedShare solve_all(const std::vector<Problem>& problems, const Rules& rules, double seconds) {
  planner::Limits limits;
  limits.seconds = seconds;
  SolvedShare share;
  for (const Problem& problem : problems) {
    share.run(problem, limits, [&rules](const Problem& one, const planner::Limits& most) {
      return planner::solve_canonical(one, most, rules);
    });
  }
  return share;
}

void print_table(const std::string& title, const std::vector<Problem>& problems, const Settings& settings) {
  fmt::print("### {}, {} problems, at most {} s each\n\n", title, problems.size(), settings.seconds);
  fmt::print("| rules | solved | median ms | most ms | nodes |\n| --- | --- | --- | --- | --- |\n");
  for (const Variant& variant : variants_of(settings)) {
    const SolvedShare share = solve_all(problems, variant.rules, settings.seconds);
    fmt::print("| {} | {:.1f} % | {:.3f} | {:.1f} | {} |\n", variant.name, share.solved_percent(),
               share.median_milliseconds(), share.most_milliseconds(), share.nodes());
    std::fflush(stdout);
  }
  fmt::print("\n");
}

int run(int argc, char** argv) {
  Settings settings;
  CLI::App app("What each inference rule of the exact search is worth");
  app.add_option("--seconds", settings.seconds, "The limit of each solve")->check(CLI::PositiveNumber);
  app.add_option("--problems", settings.problems, "Generated problems of each size")
      ->check(CLI::Range(1, 1000));
  app.add_option("--folder", settings.folder, "Instances to solve too")->check(CLI::ExistingDirectory);
  app.add_option("--without", settings.without, "Rules to switch off together, with commas between")
      ->delimiter(',')
      ->check(CLI::IsMember(rule_names()));
  CLI11_PARSE(app, argc, argv);
  print_table("Synthetic suite", synthetic_suite(settings.problems), settings);
  if (!settings.folder.empty())
    print_table(settings.folder.filename().string(), instances_with_capacity(settings.folder), settings);
  return 0;
}

}  // namespace
}  // namespace memo::bench

int main(int argc, char** argv) {
  return memo::bench::run_program("ablation_bench", memo::bench::run, argc, argv);
}
