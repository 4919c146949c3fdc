// Words what `memomalloc cache` prints of the plans that it finds.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "planner/tool/learn/cached_plans.h"

namespace memo::cli {

[[nodiscard]] std::string size_text(std::uint64_t bytes);
[[nodiscard]] std::uint64_t trace_bytes_of(const std::vector<learn::CachedPlan>& plans);

[[nodiscard]] std::string as_table(const std::vector<learn::CachedPlan>& plans);
[[nodiscard]] nlohmann::ordered_json as_json(const learn::CachedPlan& plan);
[[nodiscard]] std::string as_text(const learn::CachedPlan& plan);

}  // namespace memo::cli
