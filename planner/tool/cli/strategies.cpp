#include "planner/tool/cli/strategies.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <span>
#include <stdexcept>

#include "planner/registry/registry.h"
#include "planner/tool/cli/command.h"
#include "planner/tool/literature/asking.h"

namespace memo::cli {
namespace {

struct Others {
  std::span<const planner::Strategy> strategies;
  std::string why_none;  // where the program cannot be asked
};

Others ask_for_others() {
  try {
    return {planner::literature_beside(), ""};
  } catch (const std::exception& error) {
    return {{}, error.what()};
  }
}

std::vector<const planner::Strategy*> own_and(std::span<const planner::Strategy> others) {
  std::vector<const planner::Strategy*> all;
  for (const planner::Strategy& strategy : planner::own_strategies()) all.push_back(&strategy);
  for (const planner::Strategy& strategy : others) all.push_back(&strategy);
  return all;
}

}  // namespace

std::vector<const planner::Strategy*> every_strategy() {
  const Others others = ask_for_others();
  if (!others.why_none.empty()) spdlog::warn("{}", others.why_none);
  return own_and(others.strategies);
}

const planner::Strategy& strategy_named(const std::string& name) {
  if (const planner::Strategy* own = planner::find_strategy(name)) return *own;
  const Others others = ask_for_others();
  if (const planner::Strategy* other = planner::find_strategy(others.strategies, name)) return *other;
  std::string known;
  for (const planner::Strategy* strategy : own_and(others.strategies))
    known += fmt::format(" {}", strategy->name);
  throw Failure{kUsage, fmt::format("there is no strategy \"{}\"; there are{}{}{}", name, known,
                                    others.why_none.empty() ? "" : "; ", others.why_none)};
}

}  // namespace memo::cli
