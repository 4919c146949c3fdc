#include "planner/tool/report/plan_differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "planner/tool/report/operator_ranking.h"

namespace memo::planner {
namespace {

using Pictures = std::span<const Picture>;

// Two variants of which one took the place of the other, or one that has no counterpart.
struct Counterparts {
  const Picture* before = nullptr;
  const Picture* after = nullptr;
};

const Picture* take_like(const Picture& picture, std::set<const Picture*>& left, bool exactly) {
  const auto found = std::ranges::find_if(left, [&](const Picture* other) {
    return other->key == picture.key && (!exactly || other->fingerprint == picture.fingerprint);
  });
  if (found == left.end()) return nullptr;
  const Picture* taken = *found;
  left.erase(found);
  return taken;
}

std::set<const Picture*> addresses_of(Pictures pictures) {
  std::set<const Picture*> addresses;
  for (const Picture& picture : pictures) addresses.insert(&picture);
  return addresses;
}

// Pairs variants that allocate alike first. What is left pairs by the key of the pass, in the order of the files.
std::vector<Counterparts> pair_up(Pictures before, Pictures after) {
  std::set<const Picture*> left = addresses_of(before);
  std::vector<Counterparts> pairs;
  for (const Picture& picture : after) pairs.push_back({take_like(picture, left, true), &picture});
  for (Counterparts& pair : pairs) {
    if (pair.before == nullptr) pair.before = take_like(*pair.after, left, false);
  }
  for (const Picture* gone : left) pairs.push_back({gone, nullptr});
  return pairs;
}

Bytes slab_of(Pictures pictures) {
  const Picture* most = highest(pictures);
  return most == nullptr ? 0 : least_height(*most);
}

template <typename Value>
double sum_over(Pictures pictures, Value value) {
  double sum = 0;
  for (const Picture& picture : pictures) sum += static_cast<double>(value(picture));
  return sum;
}

ChangeTable totals(Pictures before, Pictures after) {
  ChangeTable table{.title = "Slab and passes", .rows = {}};
  const auto add = [&](const char* name, Unit unit, auto value) {
    table.rows.push_back({name, unit, sum_over(before, value), sum_over(after, value)});
  };
  table.rows.push_back(
      {"slab", Unit::kBytes, static_cast<double>(slab_of(before)), static_cast<double>(slab_of(after))});
  table.rows.push_back(
      {"variants", Unit::kCount, static_cast<double>(before.size()), static_cast<double>(after.size())});
  add("passes seen", Unit::kCount, [](const Picture& picture) { return picture.runs; });
  add("shapes of structures", Unit::kCount, [](const Picture& picture) { return picture.shapes.shapes; });
  add("buffers of all variants", Unit::kCount,
      [](const Picture& picture) { return picture.problem.buffers.size(); });
  add("bytes that they ask for", Unit::kBytes,
      [](const Picture& picture) { return bytes_requested(picture); });
  add("left to the heap", Unit::kCount, [](const Picture& picture) { return picture.unplanned; });
  std::erase_if(table.rows, [](const ChangedFigure& row) { return row.before == 0.0 && row.after == 0.0; });
  return table;
}

std::optional<double> height_of(const Picture* picture) {
  if (picture == nullptr) return std::nullopt;
  return static_cast<double>(least_height(*picture));
}

ChangeTable variants_table(const std::vector<Counterparts>& pairs) {
  ChangeTable table{.title = "Slab of each variant", .rows = {}};
  for (const auto& [before, after] : pairs)
    table.rows.push_back(
        {(after != nullptr ? after : before)->title, Unit::kBytes, height_of(before), height_of(after)});
  return table;
}

using BytesByOperator = std::map<std::string, double>;

template <typename Value>
void add_operators(const Picture& picture, Value value, BytesByOperator& bytes) {
  for (const RankedOperator& one : rank_operators(picture))
    bytes[picture.operators.names()[one.oper]] += static_cast<double>(value(one));
}

double change_of(const ChangedFigure& row) {
  return row.after.value_or(0) - row.before.value_or(0);
}

// Lists what changed only, the greatest change first.
ChangeTable operators_table(const char* title, const BytesByOperator& before, const BytesByOperator& after) {
  ChangeTable table{.title = title, .rows = {}};
  for (const auto& [name, bytes] : after) {
    const auto earlier = before.find(name);
    table.rows.push_back(
        {name, Unit::kBytes, earlier == before.end() ? std::nullopt : std::optional(earlier->second), bytes});
  }
  for (const auto& [name, bytes] : before) {
    if (!after.contains(name)) table.rows.push_back({name, Unit::kBytes, bytes, std::nullopt});
  }
  std::erase_if(table.rows, [](const ChangedFigure& row) { return change_of(row) == 0; });
  std::ranges::stable_sort(table.rows, std::ranges::greater{},
                           [](const ChangedFigure& row) { return std::abs(change_of(row)); });
  return table;
}

ChangeTable requests_by_operator(Pictures before, Pictures after) {
  const auto requests = [](Pictures pictures) {
    BytesByOperator bytes;
    for (const Picture& picture : pictures)
      add_operators(
          picture, [](const RankedOperator& one) { return one.bytes; }, bytes);
    return bytes;
  };
  return operators_table("Bytes that operators ask for", requests(before), requests(after));
}

ChangeTable peak_by_operator(Pictures before, Pictures after) {
  const auto at_peak = [](Pictures pictures) {
    BytesByOperator bytes;
    add_operators(
        *highest(pictures), [](const RankedOperator& one) { return one.at_peak; }, bytes);
    return bytes;
  };
  return operators_table("Alive at the moment that forces the slab", at_peak(before), at_peak(after));
}

std::string slab_sentence(const ChangedFigure& slab) {
  const std::string after = value_text(slab.unit, slab.after);
  if (slab.before == slab.after) return fmt::format("the slab is as high as before, {}", after);
  return fmt::format("the slab {} from {} to {} ({})", *slab.after > *slab.before ? "grew" : "shrank",
                     value_text(slab.unit, slab.before), after, change_text(slab));
}

bool is_as_before(const Counterparts& pair) {
  return pair.before != nullptr && pair.after != nullptr &&
         pair.before->fingerprint == pair.after->fingerprint;
}

std::string variants_sentence(const std::vector<Counterparts>& pairs) {
  const auto count = [&](auto holds) { return std::ranges::count_if(pairs, holds); };
  const auto same = count(is_as_before);
  const auto added = count([](const Counterparts& pair) { return pair.before == nullptr; });
  const auto gone = count([](const Counterparts& pair) { return pair.after == nullptr; });
  const auto changed = static_cast<std::ptrdiff_t>(pairs.size()) - same - added - gone;
  return fmt::format("variants: {} as before, {} changed, {} new, {} gone", same, changed, added, gone);
}

std::string operator_sentence(const ChangedFigure& row) {
  const double change = change_of(row);
  return fmt::format("of all operators, the requests of {} changed most: by {}{}", row.name,
                     change > 0 ? "+" : "-", value_text(row.unit, std::abs(change)));
}

}  // namespace

Bytes least_height(const Picture& picture) {
  Bytes least = 0;
  for (const Layout& layout : picture.layouts) {
    if (layout.kind == LayoutKind::kPlan && (least == 0 || layout.height < least)) least = layout.height;
  }
  return least;
}

const Picture* highest(std::span<const Picture> pictures) {
  const auto most = std::ranges::max_element(pictures, {}, least_height);
  return most == pictures.end() ? nullptr : &*most;
}

Differences plan_differences(Pictures before, Pictures after) {
  const std::vector<Counterparts> pairs = pair_up(before, after);
  const ChangeTable all = totals(before, after);
  const ChangeTable requests = requests_by_operator(before, after);
  Differences differences;
  differences.sentences = {slab_sentence(all.rows.front()), variants_sentence(pairs)};
  if (!requests.rows.empty()) differences.sentences.push_back(operator_sentence(requests.rows.front()));
  differences.tables = {all, variants_table(pairs), requests, peak_by_operator(before, after)};
  return differences;
}

}  // namespace memo::planner
