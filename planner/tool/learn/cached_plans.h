// Lists the cache folder for people who look after it.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "planner/tool/learn/plan_record.h"
#include "planner/tool/learn/verdict.h"
#include "planner/tool/served/found_worth.h"

namespace memo::learn {

struct CachedPlan {
  std::filesystem::path path;
  std::string name;     // of the file
  std::string program;  // the part of the name before the hash
  std::optional<PlanRecord> record;
  std::chrono::system_clock::time_point made;
  std::optional<std::chrono::system_clock::time_point> used;  // when `memomalloc run` last served from it
  std::uint64_t bytes = 0;
  std::vector<std::filesystem::path> traces;  // oldest first
  std::uint64_t trace_bytes = 0;
  std::size_t variants = 0;
  std::size_t shapes = 0;                    // profiled shapes that the variants serve
  std::string stale;                         // why it cannot serve; "" if it can
  std::optional<Verdict> verdict;            // there is no plan, since nothing was learned
  std::optional<planner::FoundWorth> worth;  // of serving from it, as earlier starts found
};

// Returns the plans in the folder by their names, and the verdicts that stand in the place of one. A folder that is not there has none. Throws
// std::filesystem::filesystem_error for a folder that cannot be read.
[[nodiscard]] std::vector<CachedPlan> cached_plans(const std::filesystem::path& folder);

// Returns the records, the folders of traces and the findings whose plan is gone, and findings that were never written to their end.
[[nodiscard]] std::vector<std::filesystem::path> leftovers(const std::filesystem::path& folder);

// Deletes the plan, its traces, its record and what was found of it. Throws std::filesystem::filesystem_error.
void remove_plan(const CachedPlan& plan);

// Returns at most three of the names that are most like `name`, the best first.
[[nodiscard]] std::vector<std::string> similar_names(const std::vector<CachedPlan>& plans,
                                                     const std::string& name);

}  // namespace memo::learn
