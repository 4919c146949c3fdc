// Reads the statistics that a served process leaves, and prints them for people and for Prometheus.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace memo::planner {

// Parses the statistics. Throws std::runtime_error with the file and what is missing in it.
[[nodiscard]] nlohmann::ordered_json parse_statistics(const std::string& text, const std::string& path);

// Returns the statistics of a run in which nothing happened.
[[nodiscard]] nlohmann::ordered_json empty_statistics();

// Returns what happened between the two: counters are the later values minus the earlier ones, gauges are the
// later values. Throws std::runtime_error if a counter has fallen, since the statistics are then from different
// processes or in the wrong order.
[[nodiscard]] nlohmann::ordered_json difference(const nlohmann::ordered_json& later,
                                                const nlohmann::ordered_json& earlier);

// Returns one line for each figure that is not 0, with its meaning.
[[nodiscard]] std::string describe_statistics(const nlohmann::ordered_json& statistics,
                                              const std::string& path);

// Returns Prometheus' text format. Each sample has the plan and the file's name as labels, because each process
// of a server has a file of its own.
[[nodiscard]] std::string prometheus_text(const nlohmann::ordered_json& statistics, const std::string& path);

}  // namespace memo::planner
