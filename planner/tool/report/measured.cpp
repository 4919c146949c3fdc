#include "planner/tool/report/measured.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace memo::planner {
namespace {

using Json = nlohmann::json;

compare::Ratio read_ratio(const Json& json) {
  const double value = json.at("value").get<double>();
  return {.value = value,
          .low = json.value("low", value),
          .high = json.value("high", value),
          .bounded = json.contains("low")};
}

MeasuredAllocator read_allocator(const Json& json) {
  MeasuredAllocator allocator{.name = json.at("name").get<std::string>(), .figures = {}};
  for (const auto& [figure, spread] : json.at("figures").items())
    allocator.figures[figure] = {.median = spread.at("median").get<double>(),
                                 .least = spread.at("least").get<double>(),
                                 .greatest = spread.at("greatest").get<double>()};
  for (const char* ratio : {"times_as_fast", "steady_memory", "peak_memory"}) {
    const auto found = json.find(ratio);
    if (found != json.end() && found->is_object()) allocator.ratios[ratio] = read_ratio(*found);
  }
  for (const Json& point : json.value("resident_over_time", Json::array()))
    allocator.memory.push_back({point.at(0).get<double>(), point.at(1).get<double>()});
  return allocator;
}

// A program that was never sampled has only the memory of the whole run.
std::string most_memory_figure(const Measured& measured) {
  return measured.allocators.front().figures.contains("resident_high") ? "resident_high" : "resident_peak";
}

std::vector<compare::Standing> standings_in(const Measured& measured) {
  const std::string memory = most_memory_figure(measured);
  std::vector<compare::Standing> standings;
  for (const auto& [name, figures, ratios, over_time] : measured.allocators) {
    const auto speed = figures.find(measured.speed_figure);
    const auto bytes = figures.find(memory);
    if (speed == figures.end() || bytes == figures.end()) continue;
    compare::add_standing(standings, name, measured.speed_figure, speed->second.median, bytes->second.median);
  }
  compare::mark_front(standings);
  return standings;
}

Measured read(const Json& json, const std::string& name) {
  Measured measured{
      .name = name,
      .command = fmt::format("{}", fmt::join(json.at("command").get<std::vector<std::string>>(), " ")),
      .runs = json.at("runs").get<std::size_t>(),
      .speed_figure = json.at("speed_figure").get<std::string>(),
      .machine = json.at("machine").get<std::map<std::string, std::string>>(),
      .allocators = {},
      .standings = {}};
  for (const Json& allocator : json.at("allocators"))
    measured.allocators.push_back(read_allocator(allocator));
  if (measured.allocators.empty())
    throw std::runtime_error(fmt::format("{} compares nothing: its list of allocators is empty", name));
  measured.standings = standings_in(measured);
  return measured;
}

}  // namespace

Measured read_measured(std::string_view text, const std::string& name) {
  try {
    return read(Json::parse(text), name);
  } catch (const Json::exception& error) {
    throw std::runtime_error(fmt::format("{} is not what `compare --json` prints: {}", name, error.what()));
  }
}

}  // namespace memo::planner
