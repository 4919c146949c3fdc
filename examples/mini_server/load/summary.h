#pragma once

#include <string>

#include "examples/mini_server/load/run.h"

namespace mini {

// The latency that `fraction` of the requests did not exceed (nearest rank); 0 where there are none. `sorted`
// is in ascending order.
[[nodiscard]] double percentile(const std::vector<double>& sorted, double fraction);

[[nodiscard]] std::string summary_text(const LoadResult& result);
[[nodiscard]] std::string summary_json(const LoadResult& result);
// Adds every latency, in the order of a connection's answers.
[[nodiscard]] std::string summary_json_with_each(const LoadResult& result);

}  // namespace mini
