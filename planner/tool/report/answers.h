// Answers what the reader of a report wants to know first: whether it helps, how much is served, what to do.
#pragma once

#include <string>
#include <vector>

#include "planner/tool/report/report.h"

namespace memo::planner {

struct Answer {
  std::string question;
  std::string text;  // a sentence without its period; commands stand between backticks
};

// Returns the answers in the order in which they are read. On CSV instances alone there is only what changed.
[[nodiscard]] std::vector<Answer> answers_of(const Report& report);

// Returns the command that comes after the one that left these files, or "" if there is none: a program that was served and
// compared has been through all of them.
[[nodiscard]] std::string next_command(const Report& report);

}  // namespace memo::planner
