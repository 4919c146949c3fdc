#include "planner/report/measured.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace memo::planner {
namespace {

using Json = nlohmann::json;

MeasuredAllocator read_allocator(const Json& json) {
  MeasuredAllocator allocator{.name = json.at("name").get<std::string>(), .figures = {}};
  for (const auto& [figure, spread] : json.at("figures").items())
    allocator.figures[figure] = {.median = spread.at("median").get<double>(),
                                 .least = spread.at("least").get<double>(),
                                 .greatest = spread.at("greatest").get<double>()};
  return allocator;
}

Measured read(const Json& json, const std::string& name) {
  Measured measured{
      .name = name,
      .command = fmt::format("{}", fmt::join(json.at("command").get<std::vector<std::string>>(), " ")),
      .runs = json.at("runs").get<std::size_t>(),
      .speed_figure = json.at("speed_figure").get<std::string>(),
      .machine = json.at("machine").get<std::map<std::string, std::string>>(),
      .allocators = {}};
  for (const Json& allocator : json.at("allocators"))
    measured.allocators.push_back(read_allocator(allocator));
  if (measured.allocators.empty()) throw std::runtime_error("it has no allocators");
  return measured;
}

}  // namespace

Measured read_measured(std::string_view text, const std::string& name) {
  try {
    return read(Json::parse(text), name);
  } catch (const Json::exception& error) {
    throw std::runtime_error(error.what());
  }
}

}  // namespace memo::planner
