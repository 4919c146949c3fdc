#include "planner/tool/report/differences.h"

#include <fmt/format.h>
#include <algorithm>
#include <span>
#include <stdexcept>

#include "planner/tool/report/changes.h"
#include "planner/tool/report/plan_differences.h"
#include "planner/tool/report/served_run.h"

namespace memo::planner {
namespace {

// What all processes of a server counted.
struct Sums {
  Served all;
  Served steady;
  std::map<std::string, std::uint64_t, std::less<>> figures;
  std::map<std::string, std::uint64_t, std::less<>> fallback;
};

Sums add_up(std::span<const ServedRun> runs) {
  Sums sums;
  for (const ServedRun& run : runs) {
    sums.all += run.last().all;
    sums.steady += run.last().steady;
    for (const auto& [key, value] : run.last().figures) sums.figures[key] += value;
    for (const auto& [reason, count] : run.last().fallback) sums.fallback[reason] += count;
  }
  return sums;
}

// Each side is judged by its steady state, unless one of them has none.
struct Judged {
  Served before;
  Served after;
};

Judged judge(const Sums& before, const Sums& after) {
  if (before.steady.passes == 0 || after.steady.passes == 0) return {before.all, after.all};
  return {before.steady, after.steady};
}

ChangeTable shares_table(const Sums& before, const Sums& after, const Judged& judged) {
  ChangeTable table{.title = "Served", .rows = {}};
  const auto add = [&](const char* name, Unit unit, double earlier, double later) {
    table.rows.push_back({name, unit, earlier, later});
  };
  add("served, of the allocations", Unit::kShare, judged.before.share(), judged.after.share());
  add("served, of their bytes", Unit::kShare, judged.before.share_of_bytes(), judged.after.share_of_bytes());
  const auto add_figure = [&](const char* name, Unit unit, std::string_view key) {
    add(name, unit, static_cast<double>(before.figures.find(key)->second),
        static_cast<double>(after.figures.find(key)->second));
  };
  add_figure("passes", Unit::kCount, "passes");
  add_figure("passes that serving stands aside for", Unit::kCount, "aside.passes");
  add_figure("slab", Unit::kBytes, "slab_bytes");
  add_figure("lanes that have run a pass", Unit::kCount, "lanes_used");
  add_figure("blocks pinned", Unit::kCount, "pinned");
  add_figure("heap, resident", Unit::kBytes, "heap.resident");
  return table;
}

double share_of(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

// Shares, since one run may have been longer than the other.
ChangeTable reasons_table(const Sums& before, const Sums& after) {
  ChangeTable table{.title = "To the heap, of all allocations inside passes", .rows = {}};
  for (const auto& [reason, count] : after.fallback) {
    const auto earlier = before.fallback.find(reason);
    const std::uint64_t had = earlier == before.fallback.end() ? 0 : earlier->second;
    if (had == 0 && count == 0) continue;
    table.rows.push_back({reason, Unit::kShare, share_of(had, before.all.allocations()),
                          share_of(count, after.all.allocations())});
  }
  return table;
}

std::string moved(double before, double after) {
  const std::string later = value_text(Unit::kShare, after);
  const std::string earlier = value_text(Unit::kShare, before);
  if (earlier == later) return fmt::format("is as before {}", later);
  return fmt::format("{} from {} to {}", after > before ? "rose" : "fell", earlier, later);
}

std::string shares_sentence(const Judged& judged) {
  return fmt::format("the share served {} of the allocations, and {} of their bytes",
                     moved(judged.before.share(), judged.after.share()),
                     moved(judged.before.share_of_bytes(), judged.after.share_of_bytes()));
}

// Returns "" where no reason takes more than before.
std::string reason_sentence(const ChangeTable& reasons) {
  const auto grown = [](const ChangedFigure& row) { return *row.after - *row.before; };
  const auto most = std::ranges::max_element(reasons.rows, {}, grown);
  if (most == reasons.rows.end() || grown(*most) <= 0) return "";
  return fmt::format("among the reasons for the heap {} grew most: from {} to {} of the allocations",
                     most->name, value_text(Unit::kShare, most->before),
                     value_text(Unit::kShare, most->after));
}

// Both lists have at least one run. Those of one list are the processes of one server.
Differences served_differences(std::span<const ServedRun> before, std::span<const ServedRun> after) {
  const Sums earlier = add_up(before);
  const Sums later = add_up(after);
  const Judged judged = judge(earlier, later);
  const ChangeTable reasons = reasons_table(earlier, later);
  Differences differences;
  differences.sentences.push_back(shares_sentence(judged));
  if (const std::string reason = reason_sentence(reasons); !reason.empty())
    differences.sentences.push_back(reason);
  differences.tables = {shares_table(earlier, later, judged), reasons};
  return differences;
}

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
