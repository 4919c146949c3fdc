// Makes a picture of an instance in CSV, with the offsets in the file or solved by several strategies.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "planner/placing/strategy.h"
#include "planner/problem/csv.h"
#include "planner/tool/report/picture.h"

namespace memo::planner {

struct InstancePicture {
  Picture picture;
  std::vector<std::string> notes;  // strategies that found no plan, and why
};

// Returns true if every buffer has an offset, so that there is nothing to solve.
[[nodiscard]] bool is_placed(const Instance& instance);

// Makes the picture. A placed instance has one layout, named after its file; any other has one layout for each
// strategy. Calls `begins` before each solve, with what is solved.
[[nodiscard]] InstancePicture instance_picture(
    const Instance& instance, const std::string& path, std::span<const Strategy* const> strategies,
    const Limits& limits, const std::function<void(const std::string&)>& begins = [](const std::string&) {});

}  // namespace memo::planner
