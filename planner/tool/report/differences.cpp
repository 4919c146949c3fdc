#include "planner/tool/report/differences.h"

#include <fmt/format.h>

#include <stdexcept>

#include "planner/tool/report/plan_differences.h"
#include "planner/tool/report/served_differences.h"

namespace memo::planner {
namespace {

void append(Differences& all, Differences more) {
  for (std::string& sentence : more.sentences) all.sentences.push_back(std::move(sentence));
  for (ChangeTable& table : more.tables) {
    if (!table.rows.empty()) all.tables.push_back(std::move(table));
  }
}

}  // namespace

Differences differences_between(const Report& before, const Report& after) {
  Differences all;
  if (!before.pictures.empty() && !after.pictures.empty())
    append(all, plan_differences(before.pictures, after.pictures));
  if (!before.served.empty() && !after.served.empty())
    append(all, served_differences(before.served, after.served));
  if (all.tables.empty())
    throw std::runtime_error(fmt::format(
        "{} and {} have nothing to be compared: give --against a file of the same kind, which is a trace, a plan "
        "or statistics; two files of `compare --json` are shown side by side without it",
        before.title, after.title));
  return all;
}

}  // namespace memo::planner
