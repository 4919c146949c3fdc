// Watches a command and its children while they run, and says at their end what was served: for `run` and `serve`.
#pragma once

#include <optional>
#include <string>

#include "planner/tool/cli/launch.h"
#include "planner/tool/status/live_pages.h"
#include "planner/tool/status/process_tree.h"

namespace memo::cli {

enum class PlanStays { kYes, kNo };  // no: the plan goes with this command

class Closing {
 public:
  // Gives the processes a folder for their live pages, by a variable in `environment`. Where no such folder can be
  // made, there is nothing to watch.
  explicit Closing(Environment& environment);

  // Says the closing lines. To be called once, when the command has ended. Where the process was killed before it
  // wrote its statistics to `stats`, writes them now; "" is no file.
  void finish(const std::string& stats, PlanStays plan, const std::string& ort_arena);

 private:
  status::LiveFolder folder_;
  std::optional<status::ProcessTree> tree_;
};

}  // namespace memo::cli
