// Says what the experiment in a process found out (runtime/worth): what serving is worth to a request.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace memo::planner {

// Returns a sentence, such as "a request takes 4.1 % (3.6 to 4.6) less processor time than on the heap, 212 page faults fewer",
// or what is missing for one; "" where these statistics are of a process that compares nothing. Ends in "(found earlier)" where an
// earlier start of the program found it.
[[nodiscard]] std::string describe_worth(const nlohmann::ordered_json& statistics);

// Returns the same as gauges with these labels, for Prometheus; "" where nothing is compared.
[[nodiscard]] std::string worth_for_prometheus(const nlohmann::ordered_json& statistics,
                                               const std::string& labels);

}  // namespace memo::planner
