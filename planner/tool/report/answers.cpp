#include "planner/tool/report/answers.h"

#include <fmt/format.h>

#include <algorithm>

#include "planner/tool/report/measured_verdict.h"
#include "planner/tool/report/plan_differences.h"
#include "planner/tool/report/served_verdict.h"
#include "planner/tool/text/numbers.h"

namespace memo::planner {
namespace {

// Returns the path of the first source of the kind, or "".
std::string first_of(const Report& report, std::string_view kind) {
  const auto found = std::ranges::find(report.sources, kind, &ReportSource::kind);
  return found == report.sources.end() ? "" : found->path;
}

// Names the run where there are several.
std::string named(const Report& report, const ServedRun& run, const std::string& text) {
  return report.served.size() > 1 ? fmt::format("{}: {}", run.name, text) : text;
}

std::string aside_of(const ServedSample& sample) {
  return fmt::format(
      "serving stands aside for {} of {} kinds of passes, since it cost them more than it saved",
      sample.figure("aside.kinds"), sample.figure("aside.of_kinds"));
}

// Names the plan where there are several.
std::string worth_of(const Report& report, const PlanWorth& worth) {
  return report.worths.size() > 1 ? fmt::format("{}: {}", worth.plan, worth.sentence) : worth.sentence;
}

void add_help(const Report& report, std::vector<Answer>& answers) {
  for (const Measured& measured : report.measured)
    answers.push_back({"Does it help?", verdict_of(measured).sentence});
  for (const PlanWorth& worth : report.worths) answers.push_back({"Does it help?", worth_of(report, worth)});
  for (const ServedRun& run : report.served) {
    if (run.last().figure("aside.kinds") > 0)
      answers.push_back({"Does it help?", named(report, run, aside_of(run.last()))});
  }
  if (answers.empty())
    answers.push_back({"Does it help?", "not measured yet: `memomalloc compare -- COMMAND` does"});
}

std::string planned_text(const Report& report) {
  const Picture& most = *highest(report.pictures);
  const Bytes height = least_height(most);
  std::size_t unplanned = 0;
  for (const Picture& picture : report.pictures) unplanned += picture.unplanned;
  return fmt::format(
      "no served run is among the files; the plan would need a slab of {}, {} over what is alive at once, and leaves {} "
      "allocations to the heap",
      human_bytes(height), over_bound(height, most.lower_bound), unplanned);
}

void add_served(const Report& report, std::vector<Answer>& answers) {
  for (const ServedRun& run : report.served)
    answers.push_back({"How much is served?", named(report, run, verdict_of(run.last()).sentence)});
  if (report.served.empty() && !report.pictures.empty())
    answers.push_back({"How much is served?", planned_text(report)});
}

void add_advice(const Report& report, std::vector<Answer>& answers) {
  const std::size_t before = answers.size();
  for (const ServedRun& run : report.served) {
    if (const std::string advice = verdict_of(run.last()).advice; !advice.empty())
      answers.push_back({"What to do?", named(report, run, advice)});
  }
  for (const Measured& measured : report.measured) {
    if (const std::string advice = verdict_of(measured).advice; !advice.empty())
      answers.push_back({"What to do?", advice});
  }
  if (answers.size() > before) return;
  const std::string next = next_command(report);
  answers.push_back({"What to do?", next.empty() ? "nothing" : fmt::format("next: `{}`", next)});
}

// CSV instances are problems for `pack`, of which no program need exist.
bool shows_instances_alone(const Report& report) {
  return first_of(report, "trace").empty() && first_of(report, "plan").empty() && report.served.empty() &&
         report.measured.empty();
}

}  // namespace

std::vector<Answer> answers_of(const Report& report) {
  std::vector<Answer> answers;
  if (!shows_instances_alone(report)) {
    add_help(report, answers);
    add_served(report, answers);
    add_advice(report, answers);
  }
  if (!report.differences) return answers;
  for (const std::string& sentence : report.differences->sentences)
    answers.push_back({"What changed?", sentence});
  return answers;
}

std::string next_command(const Report& report) {
  if (!report.measured.empty()) return "";
  if (!report.served.empty()) return "memomalloc compare -- COMMAND";
  if (const std::string plan = first_of(report, "plan"); !plan.empty())
    return fmt::format("memomalloc serve --plan {} -- COMMAND", plan);
  if (const std::string trace = first_of(report, "trace"); !trace.empty())
    return fmt::format("memomalloc plan {}", trace);
  return fmt::format("memomalloc pack --input {}", first_of(report, "instance"));
}

}  // namespace memo::planner
