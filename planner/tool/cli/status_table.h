// The live table of `memomalloc status`: one row for each process, from two looks at it.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "planner/tool/served/served.h"
#include "planner/tool/status/processes.h"

namespace memo::cli {

struct StatusRow {
  status::Process process;
  double seconds = 0;      // between the two looks
  planner::Served lately;  // what came between them
  planner::Served steady;
};

// Joins two looks at the same processes. A process that is new has nothing lately.
[[nodiscard]] std::vector<StatusRow> join_looks(const std::vector<status::Process>& before,
                                                std::vector<status::Process> now,
                                                std::chrono::duration<double> between);

[[nodiscard]] std::string status_table(const std::vector<StatusRow>& rows);
[[nodiscard]] nlohmann::ordered_json status_json(const std::vector<StatusRow>& rows);

}  // namespace memo::cli
