#include "planner/tool/literature/exchange.h"

#include <fmt/format.h>

#include <array>

namespace memo::planner {
namespace {

Status status_of(const std::string& name) {
  for (const Status status : {Status::kOptimal, Status::kFeasible, Status::kInfeasible})
    if (name == to_string(status)) return status;
  return Status::kTimeout;
}

}  // namespace

std::string to_csv(const Problem& problem) {
  std::string text = "id,lower,upper,size,alignment,offset\n";
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer& buffer = problem.buffers[i];
    text += fmt::format("{},{},{},{},{},{}\n", i, buffer.life.begin, buffer.life.end, buffer.size,
                        buffer.alignment, buffer.fixed ? std::to_string(*buffer.fixed) : "");
  }
  return text;
}

std::vector<std::string> options_of(const Problem& problem, const Limits& limits) {
  std::vector<std::string> words;
  const auto add = [&words](const char* option, auto value) {
    words.insert(words.end(), {option, fmt::format("{}", value)});
  };
  if (problem.capacity) add("--capacity", *problem.capacity);
  if (limits.seconds) add("--timeout", *limits.seconds);
  if (limits.nodes) add("--nodes", *limits.nodes);
  if (limits.below) add("--below", *limits.below);
  add("--threads", limits.threads);
  add("--seed", limits.seed);
  return words;
}

Json to_json(const Outcome& outcome) {
  return {{"status", to_string(outcome.status)},
          {"height", outcome.height},
          {"lower_bound", outcome.lower_bound},
          {"nodes", outcome.nodes},
          {"note", outcome.note},
          {"seconds", outcome.seconds.value_or(0)},
          {"offsets", outcome.offsets}};
}

Outcome outcome_of(const Json& json) {
  return {.status = status_of(json.at("status")),
          .offsets = json.at("offsets"),
          .height = json.at("height"),
          .lower_bound = json.at("lower_bound"),
          .nodes = json.at("nodes"),
          .note = json.at("note"),
          .seconds = json.at("seconds").get<double>()};
}

Json to_json(std::span<const Strategy* const> strategies) {
  Json json = {{"strategies", Json::array()}};
  for (const Strategy* strategy : strategies) {
    json["strategies"].push_back({{"name", strategy->name},
                                  {"summary", strategy->summary},
                                  {"cost", strategy->cost},
                                  {"guarantee", strategy->guarantee},
                                  {"exact", strategy->exact}});
  }
  return json;
}

}  // namespace memo::planner
