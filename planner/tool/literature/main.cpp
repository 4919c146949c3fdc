// The program `memomalloc-literature`: solves the problem on stdin with a strategy of another planner (exchange.h).
#include <fmt/format.h>
#include <signal.h>
#include <CLI/CLI.hpp>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "planner/literature/literature.h"
#include "planner/placing/outcome.h"
#include "planner/problem/csv.h"
#include "planner/registry/registry.h"
#include "planner/tool/literature/exchange.h"

namespace memo::planner {
namespace {

constexpr int kWrongWords = 2;
constexpr int kWrongProblem = 3;

struct Question {
  std::string strategy;
  bool list = false;
  bool refusal = false;
  std::optional<Bytes> capacity;
  Limits limits;
};

std::atomic<bool> g_interrupted = false;

// Lets the first SIGINT end the solve with the best plan so far, and the second one the program. One that the command
// has sent before this call was held back until now.
void listen_to_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { g_interrupted = true; };
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigset_t held;
  sigemptyset(&held);
  sigaddset(&held, SIGINT);
  sigprocmask(SIG_UNBLOCK, &held, nullptr);
}

void declare(CLI::App& app, Question& question) {
  app.add_option("strategy", question.strategy, "The strategy that solves the problem on stdin")
      ->type_name("NAME");
  app.add_flag("--list", question.list, "Say what each strategy is, its cost and its guarantee, and end");
  app.add_flag("--refusal", question.refusal, "Say why the strategy cannot take the problem, and end");
  app.add_option("--capacity", question.capacity, "The most bytes that a plan may use");
  app.add_option("--timeout", question.limits.seconds,
                 "Stop after so many seconds with the best plan so far");
  app.add_option("--nodes", question.limits.nodes, "Stop after so many nodes with the best plan so far");
  app.add_option("--below", question.limits.below, "A plan that is not below this height is of no use");
  app.add_option("--threads", question.limits.threads, "The most threads")->capture_default_str();
  app.add_option("--seed", question.limits.seed, "Seed of the strategies that draw random numbers")
      ->capture_default_str();
}

Json list() {
  std::vector<const Strategy*> all;
  for (const Strategy& strategy : literature_strategies()) all.push_back(&strategy);
  return to_json(all);
}

const Strategy& strategy_named(const std::string& name) {
  if (const Strategy* strategy = find_strategy(literature_strategies(), name)) return *strategy;
  throw CLI::ValidationError(fmt::format("there is no strategy \"{}\"; see --list", name));
}

Problem read_problem(const Question& question) {
  const std::string text((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
  Problem problem = read_csv(text, "stdin").problem;
  problem.capacity = question.capacity;
  return problem;
}

Json answer_to(const Question& question) {
  if (question.list) return list();
  const Strategy& strategy = strategy_named(question.strategy);
  const Problem problem = read_problem(question);
  std::string refusal = strategy.refusal(problem);
  if (question.refusal || !refusal.empty()) return {{"refusal", std::move(refusal)}};
  return to_json(solve_timed(strategy, problem, question.limits));
}

int run(int argc, char** argv) {
  CLI::App app{"Solves a problem of memory planning as other planners do", "memomalloc-literature"};
  app.footer("Example: memomalloc-literature telamalloc --timeout 5 < instance.csv");
  Question question{.limits = {.cancel = &g_interrupted}};
  declare(app, question);
  try {
    app.parse(argc, argv);
    fmt::print("{}\n", answer_to(question).dump());
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kWrongWords;
  }
  return 0;
}

}  // namespace
}  // namespace memo::planner

int main(int argc, char** argv) try {
  memo::planner::listen_to_interrupts();
  return memo::planner::run(argc, argv);
} catch (const std::exception& error) {
  std::fprintf(stderr, "memomalloc-literature: %s\n", error.what());
  return memo::planner::kWrongProblem;
}
