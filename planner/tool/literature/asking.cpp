#include "planner/tool/literature/asking.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "planner/system/child.h"
#include "planner/system/on_path.h"
#include "planner/system/regular_file.h"
#include "planner/system/temporary_folder.h"
#include "planner/tool/literature/exchange.h"

namespace memo::planner {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr auto kBetweenLooks = std::chrono::milliseconds(1);

fs::path program() {
  return fs::path(process::own_program()).parent_path() / "memomalloc-literature";
}

// Waits for the end of the child. The child stands apart, so Ctrl-C in the terminal reaches it by this process alone.
void wait_for_answer(const process::Child& child, const std::atomic<bool>* cancel) {
  bool told = false;
  while (!process::has_ended(child.id)) {
    if (!told && cancel != nullptr && cancel->load()) {
      process::interrupt(child);
      told = true;
    }
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

void require_success(int status) {
  if (status == process::kNotFound || status == process::kNotExecutable)
    throw std::runtime_error(fmt::format(
        "{}, which has the strategies of other planners, is missing or cannot be run; install it beside memomalloc",
        program().string()));
  if (status != 0)
    throw std::runtime_error(fmt::format("{} ended with status {}; install it and memomalloc from one build",
                                         program().string(), status));
}

// Runs the program on this text, and returns what it prints.
Json ask(Words words, const std::string& text, const std::atomic<bool>* cancel) {
  const process::TemporaryFolder folder("literature");
  const std::string question = folder.path() / "question";
  const std::string answer = folder.path() / "answer";
  std::ofstream(question) << text;
  words.insert(words.begin(), program());
  const process::Child child = process::start({.words = std::move(words),
                                               .output = answer,
                                               .apart = true,
                                               .input = question,
                                               .as_child = process::hold_interrupts_and_end_with_parent});
  wait_for_answer(child, cancel);
  require_success(process::wait_for(child));
  return Json::parse(process::read_regular_file(answer));
}

std::string refusal_of(const std::string& name, const Problem& problem) {
  return ask({name, "--refusal"}, to_csv(problem), nullptr).at("refusal");
}

Outcome solve_with(const std::string& name, const Problem& problem, const Limits& limits) {
  Words words = options_of(problem, limits);
  words.insert(words.begin(), name);
  return outcome_of(ask(std::move(words), to_csv(problem), limits.cancel));
}

// Returns a strategy with views into the JSON.
Strategy strategy_of(const Json& json) {
  const auto text = [&json](const char* key) {
    return std::string_view(json.at(key).get_ref<const std::string&>());
  };
  const std::string name(text("name"));
  return {.name = text("name"),
          .summary = text("summary"),
          .cost = text("cost"),
          .guarantee = text("guarantee"),
          .exact = json.at("exact"),
          .refusal = [name](const Problem& problem) { return refusal_of(name, problem); },
          .solve = [name](const Problem& problem,
                          const Limits& limits) { return solve_with(name, problem, limits); }};
}

std::vector<Strategy> strategies_of(const Json& json) {
  std::vector<Strategy> strategies;
  for (const Json& one : json.at("strategies")) strategies.push_back(strategy_of(one));
  return strategies;
}

}  // namespace

std::span<const Strategy> literature_beside() {
  static const Json kAnswer = ask({"--list"}, "", nullptr);
  static const std::vector<Strategy> kStrategies = strategies_of(kAnswer);
  return kStrategies;
}

}  // namespace memo::planner
