#include "planner/tool/report/served_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "planner/tool/report/statistics.h"
#include "planner/tool/report/statistics_rows.h"

namespace memo::planner {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFallback = "fallback.";

const Json& value_of(const Json& statistics, std::string_view key) {
  const std::size_t dot = key.find('.');
  if (dot == std::string_view::npos) return statistics.at(std::string(key));
  return value_of(statistics.at(std::string(key.substr(0, dot))), key.substr(dot + 1));
}

ServedSample read_sample(std::string_view text, const std::string& name) {
  const Json statistics = parse_statistics(std::string(text), name);
  ServedSample sample;
  if (const auto plan = statistics.find("plan"); plan != statistics.end() && plan->is_string())
    sample.plan = plan->get<std::string>();
  sample.all = served_in_all(statistics);
  sample.steady = served_when_steady(statistics);
  for (const StatisticsRow& row : kStatisticsRows) {
    const auto value = value_of(statistics, row.key).get<std::uint64_t>();
    if (row.key.starts_with(kFallback)) {
      sample.fallback[std::string(row.key.substr(kFallback.size()))] = value;
    } else {
      sample.figures[std::string(row.key)] = value;
    }
  }
  return sample;
}

}  // namespace

ServedRun read_served_run(std::string_view text, const std::string& name) {
  ServedRun run{.name = name, .samples = {}};
  if (Json::accept(text)) {
    run.samples.push_back(read_sample(text, name));
    return run;
  }
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::string_view row = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), row.size() + 1));
    if (!row.empty()) run.samples.push_back(read_sample(row, fmt::format("{}:{}", name, line)));
  }
  if (run.samples.empty()) throw std::runtime_error(fmt::format("{} is empty", name));
  return run;
}

}  // namespace memo::planner
