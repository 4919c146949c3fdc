// An instance in CSV as a picture: with the offsets it has, or solved by several strategies.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "planner/placing/strategy.h"
#include "planner/problem/csv.h"
#include "planner/tool/report/picture.h"

namespace memo::planner {

struct InstancePicture {
  Picture picture;
  std::vector<std::string> notes;  // strategies that had no plan, and why
};

// Every buffer has its place: there is nothing to solve.
[[nodiscard]] bool is_placed(const Instance& instance);

// A placed instance is one layout, named after its file; any other has one for each strategy.
[[nodiscard]] InstancePicture instance_picture(const Instance& instance, const std::string& path,
                                               std::span<const Strategy* const> strategies,
                                               const Limits& limits);

}  // namespace memo::planner
