#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "planner/layout/make_plan.h"
#include "planner/plan/plan_json.h"
#include "planner/tool/cli/flow_text.h"
#include "planner/tool/cli/inspect.h"
#include "planner/tool/cli/operator_text.h"
#include "planner/tool/report/flow_graph.h"
#include "planner/tool/report/report_json.h"
#include "planner/tool/report/shapes.h"
#include "planner/tool/text/numbers.h"
#include "planner/trace/symbols.h"

namespace memo::cli {
namespace {

using planner::human_bytes;
using planner::Pass;
using planner::PassGroup;
using planner::PassSummary;
using planner::Total;
using planner::Trace;
using planner::TraceSummary;

constexpr std::size_t kRowsShown = 20;

std::string how_it_ended(const Trace& trace) {
  if (trace.stopped) return "the recording stopped at a limit";
  return trace.ended ? "the process ended in good order" : "the process was killed or still runs";
}

std::string describe_head(const Trace& trace, const TraceSummary& summary) {
  return fmt::format(
      "{}\n  process      {}: {} ({})\n  passes       {}, of them {} complete, on {} threads\n"
      "  events       {}, {} lost, {} frees without an allocation\n",
      trace.path, trace.pid, fmt::join(trace.command, " "), how_it_ended(trace), summary.passes.size(),
      summary.complete, trace.threads, trace.events, trace.lost, trace.unmatched_frees);
}

std::string describe_damage(const Trace& trace) {
  std::string text;
  if (trace.overwritten) text += "  kept         the newest passes; older ones were overwritten\n";
  for (const planner::Damage& damage : trace.damage) {
    text += fmt::format("  damaged      at offset {}: {}\n", damage.offset, damage.what);
  }
  if (trace.overruns > 0)
    text += fmt::format("  overruns     {} blocks were written past their end\n", trace.overruns);
  return text;
}

std::string describe_group(const Trace& trace, const TraceSummary& summary, const PassGroup& group) {
  const PassSummary& first = summary.passes[group.first];
  const Pass& pass = *first.pass;
  return fmt::format("  {:>6} {:>6} {:>12} {:>12} {:>12} {:>9}  {:016x}  {}\n", group.count, pass.number,
                     pass.allocations.size(), human_bytes(first.bytes), human_bytes(first.peak_live),
                     first.escaping, group.fingerprint,
                     planner::readable_name(std::string(trace.name(pass.name))));
}

std::string describe_groups(const Trace& trace, const TraceSummary& summary) {
  if (summary.groups.empty()) return "no passes\n";
  std::string text =
      fmt::format("passes that allocated alike\n  {:>6} {:>6} {:>12} {:>12} {:>12} {:>9}  {:<16}  {}\n",
                  "times", "first", "allocations", "bytes", "peak live", "escaping", "fingerprint", "name");
  const std::size_t shown = std::min(summary.groups.size(), kRowsShown);
  for (std::size_t i = 0; i < shown; ++i) text += describe_group(trace, summary, summary.groups[i]);
  if (shown < summary.groups.size()) text += fmt::format("  and {} more\n", summary.groups.size() - shown);
  return text;
}

// Returns the kinds of passes that are alike in all but their sizes.
std::vector<planner::Variant> structures_of(const Trace& trace) {
  std::vector<planner::Variant> structures =
      planner::variants_to_plan(planner::DistinctPasses({&trace, 1})).variants;
  std::erase_if(structures, [](const planner::Variant& variant) { return variant.range.alone == 0; });
  return structures;
}

// Describes the passes that are alike in all but their sizes. Returns "" if there are none.
std::string describe_structures(const Trace& trace) {
  std::string text;
  for (const planner::Variant& variant : structures_of(trace))
    text += fmt::format("  {:>6} {}: shapes: {}\n", variant.runs, planner::readable_name(variant.pass_name),
                        planner::describe(planner::shapes_of(variant)));
  return text.empty() ? "" : "passes alike in all but their sizes\n" + text;
}

std::string describe_totals(const std::string& title, const std::vector<Total>& totals, bool with_calls) {
  if (totals.empty()) return "";
  const auto calls = [with_calls](const auto& value) {
    return with_calls ? fmt::format("{:>8} ", value) : "";
  };
  std::string text =
      fmt::format("{}\n  {}{:>12} {:>12}  name\n", title, calls("calls"), "allocations", "bytes");
  const std::size_t shown = std::min(totals.size(), kRowsShown);
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("  {}{:>12} {:>12}  {}\n", calls(totals[i].calls), totals[i].allocations,
                        human_bytes(totals[i].bytes), totals[i].name);
  }
  if (shown < totals.size()) text += fmt::format("  and {} more\n", totals.size() - shown);
  return text;
}

// Describes what operators ask for: as a tree, by the outermost, by the innermost. Without any there is no tree to show.
std::string describe_operators(const TraceSummary& summary) {
  if (summary.outermost.empty()) return "";
  const std::string in = ", in " + describe_counted(summary);
  if (summary.operators.nodes().size() == 1 && planner::outside_operators(summary).allocations > 0)
    return "no operators: no function of the program was hooked or marked as one\n";
  return "operators as a tree" + in + fmt::format("\n  {:>12} {:>9}  path\n", "bytes", "share") +
         operator_tree(summary.operators) + describe_outside(summary) +
         describe_totals("outermost operators" + in, summary.outermost, true) +
         describe_totals("innermost operators" + in, summary.scopes, true);
}

std::string describe_flow(const Trace& trace, const TraceSummary& summary) {
  const Pass* pass = planner::pass_with_flow(summary);
  return pass == nullptr ? "" : describe_size(planner::flow_graph(trace, *pass));
}

// Return the times of the pass's first and last allocation. The recorder may notice the pass's begin long
// before the first one, and its end long after the last one.
std::uint64_t first_allocation_ns(const Pass& pass) {
  return pass.allocations.empty() ? pass.begin_ns : pass.allocations.front().begin_ns;
}
std::uint64_t last_allocation_ns(const Pass& pass) {
  return pass.allocations.empty() ? pass.begin_ns : pass.allocations.back().begin_ns;
}

nlohmann::ordered_json pass_json(const Trace& trace, const PassSummary& summary) {
  const Pass& pass = *summary.pass;
  return {{"number", pass.number},
          {"thread", pass.thread},
          {"name", planner::readable_name(std::string(trace.name(pass.name)))},
          {"key", pass.key},
          {"complete", pass.complete},
          {"events", pass.events},
          {"allocations", pass.allocations.size()},
          {"bytes", summary.bytes},
          {"peak_live", summary.peak_live},
          {"fingerprint", fmt::format("{:016x}", summary.fingerprint)},
          {"escaping", summary.escaping},
          {"unfreed", summary.unfreed},
          {"scopes", pass.scopes.size()},
          {"begin_ns", pass.begin_ns},
          {"first_allocation_ns", first_allocation_ns(pass)},
          {"last_allocation_ns", last_allocation_ns(pass)},
          {"nanoseconds", pass.end_ns - pass.begin_ns}};
}

nlohmann::ordered_json structures_json(const Trace& trace) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const planner::Variant& variant : structures_of(trace)) {
    list.push_back({{"name", planner::readable_name(variant.pass_name)},
                    {"passes", variant.runs},
                    {"shapes", variant.shapes}});
    list.back().update(planner::range_to_json(variant.range));
  }
  return list;
}

nlohmann::ordered_json totals_json(const std::vector<Total>& totals, bool with_calls) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Total& total : totals) {
    nlohmann::ordered_json row = {
        {"name", total.name}, {"allocations", total.allocations}, {"bytes", total.bytes}};
    if (with_calls) row["calls"] = total.calls;
    list.push_back(std::move(row));
  }
  return list;
}

// Lists the paths of operators, each with its own bytes, without those of longer paths.
nlohmann::ordered_json paths_json(const planner::CallTree& tree) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::vector<std::vector<std::string>> paths;
  for (const planner::CallNode& node : tree.nodes()) {
    paths.push_back(node.parent == planner::CallNode::kNoParent ? std::vector<std::string>()
                                                                : paths[node.parent]);
    paths.back().push_back(tree.names()[node.name]);
    if (node.allocations > 0)
      list.push_back({{"path", paths.back()}, {"allocations", node.allocations}, {"bytes", node.bytes}});
  }
  return list;
}

nlohmann::ordered_json damage_json(const Trace& trace) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const planner::Damage& damage : trace.damage)
    list.push_back({{"offset", damage.offset}, {"what", damage.what}});
  return list;
}

// Replaces characters that would end a field, since this CSV has no quoting.
std::string csv_text(std::string text) {
  for (char& c : text) {
    if (c == ',' || c == '\n' || c == '\r') c = ';';
  }
  return text;
}

}  // namespace

std::string describe(const PassesBy& passes, const Trace& trace, const TraceSummary& summary) {
  return describe_head(trace, summary) + describe_damage(trace) +
         (passes.way.empty() ? "" : describe(passes)) + describe_groups(trace, summary) +
         describe_structures(trace) + describe_operators(summary) + describe_flow(trace, summary) +
         describe_totals("who allocates, in " + describe_counted(summary), summary.sites, false);
}

std::string to_json(const PassesBy& passes, const Trace& trace, const TraceSummary& summary) {
  nlohmann::ordered_json json = {{"trace", trace.path},
                                 {"pid", trace.pid},
                                 {"command", trace.command},
                                 {"ended", trace.ended},
                                 {"stopped", trace.stopped},
                                 {"overwritten", trace.overwritten},
                                 {"threads", trace.threads},
                                 {"events", trace.events},
                                 {"lost", trace.lost},
                                 {"unmatched_frees", trace.unmatched_frees},
                                 {"tags_wrapped", trace.tags_wrapped},
                                 {"overruns", trace.overruns}};
  if (!passes.way.empty()) add_to_json(passes, json);
  json["passes"] = nlohmann::ordered_json::array();
  for (const PassSummary& pass : summary.passes) json["passes"].push_back(pass_json(trace, pass));
  json["structures"] = structures_json(trace);
  json["counted_passes"] = summary.counted.size();
  json["scopes"] = totals_json(summary.scopes, true);
  json["outermost"] = totals_json(summary.outermost, true);
  json["operator_paths"] = paths_json(summary.operators);
  json["sites"] = totals_json(summary.sites, false);
  if (const Pass* pass = planner::pass_with_flow(summary); pass != nullptr)
    json["data_flow"] = planner::flow_json(planner::flow_graph(trace, *pass));
  json["damage"] = damage_json(trace);
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string pass_to_csv(const Trace& trace, const Pass& pass) {
  planner::Symbolizer symbols(trace);
  std::vector<std::uint32_t> index;
  const planner::Problem problem = planner::to_problem(pass, &index);
  std::string text = "id,lower,upper,size,alignment,scope,site\n";
  for (std::size_t i = 0; i < index.size(); ++i) {
    const planner::Allocation& made = pass.allocations[index[i]];
    const std::string scope =
        made.scope == planner::kNone
            ? ""
            : planner::readable_name(std::string(trace.name(pass.scopes[made.scope].name)));
    text += fmt::format("{},{},{},{},{},{},{}\n", index[i], made.life.begin, made.life.end, made.size,
                        made.alignment, csv_text(scope), csv_text(symbols.name(made.site)));
  }
  return text;
}

}  // namespace memo::cli
