// Learns the model by which telamalloc chooses where to return to (planner/literature/tela_returns.h), and prints its
// weights as C++. The same arguments print the same weights on every machine.
//
//   tela_training [--problems 400]
//
// It solves generated problems of 25, 35, 45 and 55 buffers, none of which the synthetic suite has (suite.h). At dead ends
// it asks `canonical` how many of the decisions can stand: the most for which a plan within the capacity still exists. Each
// decision that the search could return to is one example. It is a good one if what is decided before it can stand. Then
// the model is fitted to three of four problems, and tried on the fourth.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "planner/literature/telamalloc.h"
#include "planner/placing/random.h"
#include "planner/solve/canonical.h"
#include "tests/bench/minimalloc/suite.h"
#include "tests/bench/run_program.h"

namespace memo::bench {
namespace {

using planner::DeadEnd;
using planner::kReturnFeatureCount;
using planner::Problem;
using planner::ReturnFeatures;
using planner::ReturnModel;

constexpr std::uint64_t kNodesOfTheOracle = 20'000;
constexpr std::uint64_t kNodesOfTheSearch = 50'000;
constexpr std::size_t kMostDeadEnds = 30;  // of a problem

struct Example {
  ReturnFeatures features;
  bool good;
};
using Examples = std::vector<Example>;

// Returns true if a plan exists with the first decisions as they are; nothing where the oracle does not know.
std::optional<bool> can_stand(Problem problem, const DeadEnd& dead_end, std::size_t decisions) {
  for (const planner::TelaDecision& decision : dead_end.decisions.first(decisions))
    problem.buffers[decision.buffer].fixed = decision.offset;
  const planner::Outcome outcome = planner::kCanonical.solve(problem, {.nodes = kNodesOfTheOracle});
  if (!outcome.offsets.empty()) return true;
  if (outcome.status == planner::Status::kInfeasible) return false;
  return std::nullopt;
}

// Returns the number of decisions that can stand, by bisection. None of them can always.
std::optional<std::size_t> decisions_that_stand(const Problem& problem, const DeadEnd& dead_end) {
  std::size_t stand = 0;
  std::size_t fall = dead_end.decisions.size() + 1;
  while (stand + 1 < fall) {
    const std::size_t middle = (stand + fall) / 2;
    const std::optional<bool> stands = can_stand(problem, dead_end, middle);
    if (!stands) return std::nullopt;
    (*stands ? stand : fall) = middle;
  }
  return stand;
}

// Looks at ever rarer dead ends of one solve. Returns to any decision now and then, so that it sees more of them.
class Collector {
 public:
  Collector(const Problem& problem, std::uint64_t seed, Examples& examples)
      : problem_(problem), random_(seed), examples_(examples) {}

  std::size_t operator()(const DeadEnd& dead_end) {
    if (++seen_ >= next_look_ && looks_ < kMostDeadEnds) look_at(dead_end);
    constexpr std::size_t kOneIn = 3;
    return random_.below(kOneIn) == 0 ? random_.below(dead_end.targets.size()) : 0;
  }

 private:
  void look_at(const DeadEnd& dead_end) {
    ++looks_;
    next_look_ = seen_ + looks_;
    const std::optional<std::size_t> stand = decisions_that_stand(problem_, dead_end);
    if (!stand) return;
    for (const planner::ReturnTarget& target : dead_end.targets)
      examples_.push_back({target.features, target.depth <= *stand});
  }

  const Problem& problem_;
  planner::Random random_;
  Examples& examples_;
  std::size_t seen_ = 0;
  std::size_t looks_ = 0;
  std::size_t next_look_ = 1;
};

void collect(const Problem& problem, std::uint64_t seed, Examples& examples) {
  Collector collector(problem, seed, examples);
  (void)planner::solve_telamalloc(problem, {.nodes = kNodesOfTheSearch},
                                  {.returns = [&](const DeadEnd& dead_end) { return collector(dead_end); }});
}

// Mean and spread of each feature, by which the fit scales them.
struct Scale {
  ReturnFeatures mean{};
  ReturnFeatures spread{};
};

Scale scale_of(const Examples& examples) {
  Scale scale;
  const auto count = static_cast<double>(examples.size());
  for (std::size_t f = 0; f < kReturnFeatureCount; ++f) {
    for (const Example& example : examples) scale.mean[f] += example.features[f] / count;
    double square = 0;
    for (const Example& example : examples)
      square += std::pow(example.features[f] - scale.mean[f], 2) / count;
    scale.spread[f] = std::max(std::sqrt(square), 1e-9);
  }
  return scale;
}

ReturnFeatures scaled(const ReturnFeatures& features, const Scale& scale) {
  ReturnFeatures result;
  for (std::size_t f = 0; f < kReturnFeatureCount; ++f)
    result[f] = (features[f] - scale.mean[f]) / scale.spread[f];
  return result;
}

// Returns the same model for features that are not scaled.
ReturnModel unscaled(const ReturnModel& model, const Scale& scale) {
  ReturnModel result{.bias = model.bias, .weights = {}};
  for (std::size_t f = 0; f < kReturnFeatureCount; ++f) {
    result.weights[f] = model.weights[f] / scale.spread[f];
    result.bias -= result.weights[f] * scale.mean[f];
  }
  return result;
}

// Fits a logistic regression by gradient descent.
ReturnModel fit(const Examples& examples) {
  constexpr int kRounds = 1'000;
  constexpr double kStep = 0.5;
  const Scale scale = scale_of(examples);
  Examples inputs;
  for (const Example& example : examples) inputs.push_back({scaled(example.features, scale), example.good});
  const double step = kStep / static_cast<double>(inputs.size());
  ReturnModel model;
  for (int round = 0; round < kRounds; ++round) {
    ReturnModel slope;
    for (const Example& input : inputs) {
      const double error = (input.good ? 1.0 : 0.0) - 1.0 / (1.0 + std::exp(-model.log_odds(input.features)));
      slope.bias += error;
      for (std::size_t f = 0; f < kReturnFeatureCount; ++f) slope.weights[f] += error * input.features[f];
    }
    model.bias += step * slope.bias;
    for (std::size_t f = 0; f < kReturnFeatureCount; ++f) model.weights[f] += step * slope.weights[f];
  }
  return unscaled(model, scale);
}

void print_quality(const char* name, const Examples& examples, const ReturnModel& model) {
  std::size_t good = 0;
  std::size_t right = 0;
  for (const Example& example : examples) {
    if (example.good) ++good;
    if ((model.log_odds(example.features) > 0) == example.good) ++right;
  }
  const auto percent = [&](std::size_t count) {
    return 100.0 * static_cast<double>(count) / static_cast<double>(examples.size());
  };
  fmt::print("// {}: {} examples, {:.1f} % good, {:.1f} % told right\n", name, examples.size(), percent(good),
             percent(right));
}

void print_model(const ReturnModel& model) {
  fmt::print("{{.bias = {:.4f},\n .weights = {{\n", model.bias);
  for (std::size_t f = 0; f < kReturnFeatureCount; ++f)
    fmt::print("     {:.4f},  // {}\n", model.weights[f], planner::kReturnFeatures[f]);
  fmt::print(" }}}}\n");
}

int run(int argc, char** argv) {
  int problems = 400;
  CLI::App app("Learns where telamalloc should return to");
  app.add_option("--problems", problems, "Problems of each size")->check(CLI::Range(4, 1000));
  CLI11_PARSE(app, argc, argv);
  constexpr std::uint64_t kOneOfFour = 4;
  Examples learned;
  Examples tried;
  std::uint64_t number = 0;
  for (const int buffers : {25, 35, 45, 55}) {
    for (const Problem& problem : synthetic_problems(buffers, problems)) {
      ++number;
      collect(problem, number, number % kOneOfFour == 0 ? tried : learned);
    }
  }
  const ReturnModel model = fit(learned);
  print_quality("learned from", learned, model);
  print_quality("tried on", tried, model);
  print_model(model);
  return 0;
}

}  // namespace
}  // namespace memo::bench

int main(int argc, char** argv) {
  return memo::bench::run_program("tela_training", memo::bench::run, argc, argv);
}
