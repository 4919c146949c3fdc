// Says what a pass takes, from the histogram that a served process keeps (runtime/serving/pass_memory.h).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace memo::planner {

// Returns "a request takes 38.00 MiB (most: 212.00 MiB)", where the first is the mean; "" where no pass ran on a lane.
[[nodiscard]] std::string describe_pass_memory(const nlohmann::ordered_json& statistics);

// Returns the histogram, and the most as a gauge, with these labels for Prometheus; "" where no pass ran on a lane.
[[nodiscard]] std::string pass_memory_for_prometheus(const nlohmann::ordered_json& statistics,
                                                     const std::string& labels);

// Takes from `since`, a copy of later statistics, what the earlier ones of the process counted. The most stays as it is.
void take_pass_memory_before(const nlohmann::ordered_json& earlier, nlohmann::ordered_json& since);

}  // namespace memo::planner
