#include "planner/tool/cli/status_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "planner/tool/cli/colours.h"
#include "planner/tool/cli/text_table.h"
#include "planner/tool/served/pass_memory.h"
#include "planner/tool/served/worth.h"
#include "planner/tool/text/numbers.h"
#include "runtime/formats/live_page.h"

namespace memo::cli {
namespace {

using Json = nlohmann::ordered_json;
using planner::Served;
using status::Process;

std::string percent(double share, const Served& of) {
  return of.allocations() == 0 ? "-" : fmt::format("{:.1f} %", 100 * share);
}

std::string bytes_at(const Json& statistics, const char* pointer) {
  return planner::human_bytes(statistics.value(Json::json_pointer(pointer), planner::Bytes{0}));
}

// Returns the most frequent reason for the heap, and "" where everything was served.
std::string main_reason(const Json& statistics) {
  std::string name;
  std::uint64_t most = 0;
  const auto fallback = statistics.find("fallback");
  if (fallback == statistics.end()) return name;
  for (const auto& [reason, count] : fallback->items()) {
    if (count.get<std::uint64_t>() <= most) continue;
    most = count.get<std::uint64_t>();
    name = reason;
  }
  return name;
}

std::vector<std::string> cells_of(const StatusRow& row) {
  const Process& process = row.process;
  const Colour colour = is_serving(process) ? Colour::kGood : Colour::kAdvice;
  std::vector<std::string> cells = {fmt::format("{} {}", process.id, process.program),
                                    coloured(state_of(process), colour)};
  if (!process.statistics) {
    cells.resize(10, "-");
    return cells;
  }
  const Json& statistics = *process.statistics;
  cells.push_back(
      row.seconds > 0 ? fmt::format("{:.1f}", static_cast<double>(row.lately.passes) / row.seconds) : "-");
  cells.push_back(percent(row.lately.share(), row.lately));
  cells.push_back(percent(row.lately.share_of_bytes(), row.lately));
  cells.push_back(percent(row.steady.share(), row.steady));
  cells.push_back(fmt::format("{}/{}", statistics.value("lanes_used", 0), statistics.value("lanes", 0)));
  cells.push_back(bytes_at(statistics, "/slab_bytes"));
  cells.push_back(bytes_at(statistics, "/heap/resident"));
  cells.push_back(main_reason(statistics));
  return cells;
}

// Programs read a share of 0 where nothing was allocated.
Json lately_json(const StatusRow& row) {
  const bool any = row.lately.allocations() != 0;
  return {{"seconds", row.seconds},
          {"passes", row.lately.passes},
          {"served_share", any ? row.lately.share() : 0},
          {"served_share_of_bytes", any ? row.lately.share_of_bytes() : 0}};
}

// Returns what the shares are of, where that is more than what is served.
std::string note_on_shares(const std::vector<StatusRow>& rows) {
  const auto stands_aside = [](const StatusRow& row) { return state_of(row.process) == kStateAside; };
  if (std::ranges::none_of(rows, stands_aside)) return "";
  return "where serving stands aside, the shares are of all passes, those left to the heap among them\n";
}

// Returns a line for each process that `describe` has something to say of.
std::string notes_on(const std::vector<StatusRow>& rows, std::string (*describe)(const Json&)) {
  std::string notes;
  for (const StatusRow& row : rows) {
    const std::string note = row.process.statistics ? describe(*row.process.statistics) : "";
    if (!note.empty()) notes += fmt::format("{} {}: {}\n", row.process.id, row.process.program, note);
  }
  return notes;
}

}  // namespace

std::vector<StatusRow> join_looks(const std::vector<Process>& before, std::vector<Process> now,
                                  std::chrono::duration<double> between) {
  std::vector<StatusRow> rows;
  for (Process& process : now) {
    StatusRow row{.process = std::move(process), .seconds = 0, .lately = {}, .steady = {}};
    if (row.process.statistics) row.steady = planner::served_when_steady(*row.process.statistics);
    const auto earlier = std::ranges::find(before, row.process.id, &Process::id);
    if (earlier != before.end() && earlier->statistics && row.process.statistics) {
      row.seconds = between.count();
      row.lately =
          planner::served_in_all(*row.process.statistics).since(planner::served_in_all(*earlier->statistics));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string status_table(const std::vector<StatusRow>& rows) {
  if (rows.empty()) return "no process has the library in it\n";
  Rows lines = {
      {"process", "state", "passes/s", "served", "bytes", "steady", "lanes", "slab", "heap", "missed for"}};
  for (const StatusRow& row : rows) lines.push_back(cells_of(row));
  return table(lines) + note_on_shares(rows) + notes_on(rows, planner::describe_pass_memory) +
         notes_on(rows, planner::describe_worth);
}

Json status_json(const std::vector<StatusRow>& rows) {
  Json list = Json::array();
  for (const StatusRow& row : rows) {
    Json entry = {{"pid", row.process.id},
                  {"program", row.process.program},
                  {"mode", row.process.mode},
                  {"state", state_of(row.process)},
                  {"serving", is_serving(row.process)}};
    if (row.seconds > 0) entry["lately"] = lately_json(row);
    if (row.process.statistics) entry["statistics"] = *row.process.statistics;
    list.push_back(std::move(entry));
  }
  return {{"processes", std::move(list)}};
}

}  // namespace memo::cli
