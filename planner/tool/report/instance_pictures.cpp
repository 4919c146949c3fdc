#include "planner/tool/report/instance_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>

#include "planner/placing/outcome.h"
#include "planner/problem/bounds.h"

namespace memo::planner {
namespace {

std::string_view field(std::string_view row, std::size_t column) {
  for (; column > 0; --column) {
    const std::size_t comma = row.find(',');
    if (comma == std::string_view::npos) return "";
    row.remove_prefix(comma + 1);
  }
  return row.substr(0, row.find(','));
}

std::optional<std::size_t> column_named(std::string_view header, std::string_view name) {
  const auto columns = static_cast<std::size_t>(std::ranges::count(header, ',')) + 1;
  for (std::size_t column = 0; column < columns; ++column) {
    if (field(header, column) == name) return column;
  }
  return std::nullopt;
}

// Adds the columns that `inspect --csv` writes, where the file has them.
void add_names(const Instance& instance, Picture& picture) {
  const auto scope = column_named(instance.header, "scope");
  const auto site = column_named(instance.header, "site");
  for (std::size_t i = 0; i < instance.rows.size(); ++i) {
    const std::string_view oper = scope ? field(instance.rows[i], *scope) : "";
    picture.oper.push_back(picture.operators.add(oper.empty() ? "outside operators" : std::string(oper)));
    picture.site.push_back(picture.sites.add(site ? std::string(field(instance.rows[i], *site))
                                                  : fmt::format("buffer {}", instance.ids[i])));
  }
}

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

Layout as_placed(const Instance& instance, const std::string& path) {
  Layout layout{.name = file_name(path)};
  for (const Buffer& buffer : instance.problem.buffers) layout.offsets.push_back(*buffer.fixed);
  layout.height = height(instance.problem, layout.offsets);
  layout.note = "the offsets of the file";
  return layout;
}

void solve(const Instance& instance, const Strategy& strategy, const Limits& limits,
           InstancePicture& result) {
  if (const std::string why = strategy.refusal(instance.problem); !why.empty()) {
    result.notes.push_back(fmt::format("{} does not take this instance: {}", strategy.name, why));
    return;
  }
  const Outcome outcome = solve_timed(strategy, instance.problem, limits);
  if (outcome.offsets.empty()) {
    result.notes.push_back(fmt::format("{} found no plan: {}", strategy.name,
                                       outcome.note.empty() ? to_string(outcome.status) : outcome.note));
    return;
  }
  result.picture.layouts.push_back({.name = std::string(strategy.name),
                                    .status = std::string(to_string(outcome.status)),
                                    .height = outcome.height,
                                    .seconds = *outcome.seconds,
                                    .note = outcome.note,
                                    .offsets = outcome.offsets});
}

// Returns the problem without the offsets. They are no part of the picture: two files with different offsets
// show the same buffers.
Problem without_places(Problem problem) {
  for (Buffer& buffer : problem.buffers) buffer.fixed.reset();
  return problem;
}

}  // namespace

bool is_placed(const Instance& instance) {
  return std::ranges::all_of(instance.problem.buffers,
                             [](const Buffer& buffer) { return buffer.fixed.has_value(); });
}

InstancePicture instance_picture(const Instance& instance, const std::string& path,
                                 std::span<const Strategy* const> strategies, const Limits& limits,
                                 const std::function<void(const std::string&)>& begins) {
  InstancePicture result;
  Picture& picture = result.picture;
  picture.title = file_name(path);
  picture.source = path;
  picture.time_unit = "units of the file";
  picture.problem = without_places(instance.problem);
  picture.lower_bound = lower_bound(picture.problem);
  add_names(instance, picture);
  if (is_placed(instance)) {
    picture.layouts.push_back(as_placed(instance, path));
  } else {
    for (const Strategy* strategy : strategies) {
      begins(fmt::format("{} of {}", strategy->name, picture.title));
      solve(instance, *strategy, limits, result);
    }
  }
  return result;
}

}  // namespace memo::planner
