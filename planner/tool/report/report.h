// Everything that one report shows, from all its files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/tool/report/changes.h"
#include "planner/tool/report/flames.h"
#include "planner/tool/report/flow_graph.h"
#include "planner/tool/report/measured.h"
#include "planner/tool/report/picture.h"
#include "planner/tool/report/served_run.h"

namespace memo::planner {

struct ReportSource {
  std::string path;
  std::string kind;  // "trace", "plan", …
};

// What serving from a plan was found to be worth at earlier starts.
struct PlanWorth {
  std::string plan;  // the name of its file
  std::string sentence;
};

struct Report {
  std::string title;
  std::vector<ReportSource> sources;
  std::vector<std::string> notes;  // what the report lacks, and why
  std::vector<Picture> pictures;
  std::vector<Flames> flames;     // of each trace that has call stacks or operators
  std::vector<FlowGraph> flows;   // of each trace with data flow
  std::vector<PlanWorth> worths;  // of the plans of which it was found
  std::vector<ServedRun> served;
  std::vector<Measured> measured;
  std::optional<Differences> differences;  // to an earlier run, where one was given
};

}  // namespace memo::planner
