#include "planner/report/served_run.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

namespace memo::planner {
namespace {

using Json = nlohmann::json;

void take_counters(const Json& object, const std::string& prefix, ServedSample& sample) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_number_unsigned()) sample.counters[prefix + key] = value.get<std::uint64_t>();
  }
}

ServedSample read_sample(const Json& json) {
  ServedSample sample;
  take_counters(json, "", sample);
  for (const char* key : {"passes", "served"}) {
    if (!sample.counters.contains(key))
      throw std::runtime_error(fmt::format("{} is missing, or no whole number", key));
  }
  if (const auto heap = json.find("heap"); heap != json.end() && heap->is_object())
    take_counters(*heap, "heap.", sample);
  const auto fallback = json.find("fallback");
  if (fallback == json.end() || !fallback->is_object())
    throw std::runtime_error("fallback is missing, or no object of reasons");
  for (const auto& [reason, count] : fallback->items()) {
    if (!count.is_number_unsigned())
      throw std::runtime_error(fmt::format("fallback.{} is {}, no whole number", reason, count.dump()));
    sample.fallback[reason] = count.get<std::uint64_t>();
  }
  if (const auto plan = json.find("plan"); plan != json.end() && plan->is_string())
    sample.plan = plan->get<std::string>();
  return sample;
}

}  // namespace

std::uint64_t ServedSample::counter(const std::string& key) const {
  const auto found = counters.find(key);
  return found == counters.end() ? 0 : found->second;
}

std::uint64_t ServedSample::missed() const {
  return std::accumulate(fallback.begin(), fallback.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& reason) { return sum + reason.second; });
}

double ServedSample::share() const {
  const std::uint64_t all = counter("served") + missed();
  return all == 0 ? 1 : static_cast<double>(counter("served")) / static_cast<double>(all);
}

ServedRun read_served_run(std::string_view text, const std::string& name) {
  ServedRun run{.name = name, .samples = {}};
  if (const Json whole = Json::parse(text, nullptr, false); !whole.is_discarded()) {
    run.samples.push_back(read_sample(whole));
    return run;
  }
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::string_view row = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), row.size() + 1));
    if (row.empty()) continue;
    const Json json = Json::parse(row, nullptr, false);
    if (!json.is_object()) throw std::runtime_error(fmt::format("line {} is no JSON object", line));
    run.samples.push_back(read_sample(json));
  }
  if (run.samples.empty()) throw std::runtime_error("there is nothing in it");
  return run;
}

}  // namespace memo::planner
