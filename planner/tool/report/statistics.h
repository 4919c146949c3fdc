// The statistics that a served process leaves, read whole, and told to people and to Prometheus.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace memo::planner {

// Throws std::runtime_error that names the file and what is missing in it.
[[nodiscard]] nlohmann::ordered_json parse_statistics(const std::string& text, const std::string& path);

// Of a run in which nothing happened.
[[nodiscard]] nlohmann::ordered_json empty_statistics();

// What has been counted since: counters are the later less the earlier one's, gauges the later one's. A counter that has
// fallen is another process's, and throws std::runtime_error.
[[nodiscard]] nlohmann::ordered_json difference(const nlohmann::ordered_json& later,
                                                const nlohmann::ordered_json& earlier);

// A line for each figure that is not 0, with what it means.
[[nodiscard]] std::string describe_statistics(const nlohmann::ordered_json& statistics,
                                              const std::string& path);

// Prometheus' text format. Every sample is labelled with the plan and the name of the file, since each process of a
// server has its own.
[[nodiscard]] std::string prometheus_text(const nlohmann::ordered_json& statistics, const std::string& path);

}  // namespace memo::planner
