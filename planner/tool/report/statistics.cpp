#include "planner/tool/report/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <stdexcept>
#include <string_view>

#include "planner/tool/report/served_verdict.h"
#include "planner/tool/report/statistics_rows.h"
#include "planner/tool/served/pass_memory.h"
#include "planner/tool/served/served.h"
#include "planner/tool/served/worth.h"
#include "planner/tool/text/plain.h"

namespace memo::planner {
namespace {

using Json = nlohmann::ordered_json;

// Returns the JSON path of a key: "heap.resident" is the member `resident` of the member `heap`.
Json::json_pointer pointer_to(std::string_view key) {
  std::string path = "/" + std::string(key);
  std::ranges::replace(path, '.', '/');
  return Json::json_pointer(path);
}

std::uint64_t value_of(const Json& statistics, const StatisticsRow& row) {
  return statistics.at(pointer_to(row.key)).get<std::uint64_t>();
}

// Escapes text for use inside the quotes of a label's value.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '"') out += '\\';
    out += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return out;
}

// Returns the meaning of a whole metric whose rows have labels.
std::string_view meaning_of_all(std::string_view metric) {
  return metric == "memomalloc_own_bytes"
             ? "Memory that the library holds for itself, by use"
             : "Allocations inside passes that went to the heap, by first reason";
}

std::string head_of(const StatisticsRow& row) {
  const std::string_view means = row.label.empty() ? row.means : meaning_of_all(row.metric);
  return fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", row.metric, means,
                     row.measure == Measure::kCounter ? "counter" : "gauge");
}

std::string sample_of(const TextsRow& row, const Json& statistics, const std::string& labels) {
  std::string texts;
  for (const std::string_view key : row.keys)
    texts += fmt::format(R"(,{}="{}")", key, escaped(statistics.value(key, "")));
  return fmt::format("# HELP {0} {1}\n# TYPE {0} gauge\n{0}{{{2}{3}}} 1\n", row.metric, row.means, labels,
                     texts);
}

// Says the steady state first: the warm-up of a JIT makes as many allocations as hundreds of later passes.
std::string shares_in(const Json& statistics) {
  const Served all = served_in_all(statistics);
  if (all.allocations() == 0) return "no pass allocated";
  const Served steady = served_when_steady(statistics);
  if (steady.passes == 0) return served_shares(all) + " in passes";
  return fmt::format("{} in the steady state ({} in all passes)", served_shares(steady), served_shares(all));
}

// Returns the verdict and the advice as lines of the list.
std::string judgement_of(const Json& statistics) {
  const Served steady = served_when_steady(statistics);
  std::map<std::string, std::uint64_t, std::less<>> fallback;
  for (const auto& [reason, count] : statistics.at("fallback").items()) fallback[reason] = count;
  const Served all = served_in_all(statistics);
  const auto figure = [&](const char* key) { return statistics.at(pointer_to(key)).get<std::uint64_t>(); };
  const double aside = share_of_passes(figure("aside.passes"), all.passes);
  const bool little = is_little_beside(figure("slab_bytes"), figure("heap.resident"));
  const ServedVerdict verdict = verdict_of(steady.passes != 0 ? steady : all, fallback, aside, little);
  const std::string worth = describe_worth(statistics);
  std::string text = fmt::format("  verdict       {}\n", verdict.sentence);
  const std::string memory = describe_pass_memory(statistics);
  if (!memory.empty()) text += fmt::format("  memory        {}\n", memory);
  if (!worth.empty()) text += fmt::format("  worth         {}\n", worth);
  return verdict.advice.empty() ? text : text + fmt::format("  what to do    {}\n", verdict.advice);
}

// Returns true if a program that embeds the arena does not write this figure: it has no library started in it, and no heap of it.
bool is_of_the_injected_library(std::string_view key) {
  return key.starts_with("heap.") || key == "pid" || key == "parent" || key == "started_ms" ||
         key == "written_ms";
}

[[noreturn]] void refuse(const std::string& path, const char* kind, std::string_view key) {
  throw std::runtime_error(fmt::format(
      "{} has no {} called {}: it is not what --stats wrote, or of another version", path, kind, key));
}

// Requires that a text is one where there is any: the file may be of any program.
void require_text(const Json& statistics, const std::string& path, std::string_view key) {
  const auto text = statistics.find(key);
  if (text != statistics.end() && !text->is_string()) refuse(path, "text", key);
}

void require_texts(const Json& statistics, const std::string& path) {
  require_text(statistics, path, "plan");
  for (const TextsRow& row : kTextsRows)
    for (const std::string_view key : row.keys) require_text(statistics, path, key);
}

// Requires that the parts which hold figures of their own are objects, as far as they are there.
void require_parts(const Json& statistics, const std::string& path) {
  for (const StatisticsRow& row : kStatisticsRows) {
    const std::string_view part = row.key.substr(0, row.key.find('.'));
    const auto found = statistics.find(part);
    if (part != row.key && found != statistics.end() && !found->is_object()) refuse(path, "part", part);
  }
}

// Requires a number for each reason for the heap, also for one that this version does not know.
void require_reasons(const Json& statistics, const std::string& path) {
  for (const auto& [reason, count] : statistics.at("fallback").items())
    if (!count.is_number_unsigned()) refuse(path, "number", "fallback." + plain_text(reason));
}

}  // namespace

Json parse_statistics(const std::string& text, const std::string& path) {
  Json statistics = Json::parse(text, nullptr, false);
  if (!statistics.is_object()) throw std::runtime_error(fmt::format("{} holds no JSON object", path));
  require_parts(statistics, path);
  for (const StatisticsRow& row : kStatisticsRows) {
    const Json::json_pointer place = pointer_to(row.key);
    if (is_of_the_injected_library(row.key) && !statistics.contains(place))
      statistics[place] = std::uint64_t{0};
    if (!statistics.contains(place) || !statistics.at(place).is_number_unsigned())
      refuse(path, "number", row.key);
  }
  require_reasons(statistics, path);
  require_texts(statistics, path);
  return statistics;
}

Json empty_statistics() {
  Json statistics;
  for (const StatisticsRow& row : kStatisticsRows) statistics[pointer_to(row.key)] = std::uint64_t{0};
  return statistics;
}

Json difference(const Json& later, const Json& earlier) {
  Json since = later;
  for (const StatisticsRow& row : kStatisticsRows) {
    if (row.measure != Measure::kCounter) continue;
    if (value_of(later, row) < value_of(earlier, row))
      throw std::runtime_error(
          fmt::format("{} was {} and is {}: these are of another process, or in the wrong order", row.key,
                      value_of(earlier, row), value_of(later, row)));
    since[pointer_to(row.key)] = value_of(later, row) - value_of(earlier, row);
  }
  take_pass_memory_before(earlier, since);
  return since;
}

std::string describe_statistics(const Json& statistics, const std::string& path) {
  std::string text = fmt::format("{}\n  plan          {}\n  served        {}\n", path,
                                 plain_text(statistics.value("plan", "")), shares_in(statistics));
  text += judgement_of(statistics);
  for (const StatisticsRow& row : kStatisticsRows) {
    if (const std::uint64_t value = value_of(statistics, row); value != 0)
      text += fmt::format("  {:>14}  {:<22} {}\n", value, row.key, row.means);
  }
  return text;
}

std::string prometheus_text(const Json& statistics, const std::string& path) {
  const std::string labels =
      fmt::format(R"(stats="{}",plan="{}")", escaped(std::filesystem::path(path).filename().string()),
                  escaped(statistics.value("plan", "")));
  std::string text;
  std::string_view metric;
  for (const StatisticsRow& row : kStatisticsRows) {
    if (row.metric != metric) text += head_of(row);
    metric = row.metric;
    text += fmt::format("{}{{{}{}{}}} {}\n", row.metric, labels, row.label.empty() ? "" : ",", row.label,
                        value_of(statistics, row));
  }
  for (const TextsRow& row : kTextsRows) text += sample_of(row, statistics, labels);
  return text + pass_memory_for_prometheus(statistics, labels) + worth_for_prometheus(statistics, labels);
}

}  // namespace memo::planner
