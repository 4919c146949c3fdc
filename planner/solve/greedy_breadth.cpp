#include "planner/solve/greedy_breadth.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "planner/placing/outcome.h"
#include "planner/placing/placement.h"
#include "planner/problem/normalise.h"

namespace memo::planner {
namespace {

// Finds the broadest section of a range; of several, the earliest or the latest. A sparse table: row k holds the
// answers for runs of 2^k sections.
class Broadest {
 public:
  Broadest(std::vector<Bytes> breadths, bool later_first)
      : breadths_(std::move(breadths)), later_first_(later_first) {
    std::vector<Section> row(breadths_.size());
    for (Section s = 0; s < row.size(); ++s) row[s] = s;
    rows_.push_back(std::move(row));
    while (rows_.back().size() > std::size_t{1} << (rows_.size() - 1)) rows_.push_back(doubled());
  }

  [[nodiscard]] Time in(const Lifetime& sections) const {
    const auto begin = static_cast<Section>(sections.begin);
    const auto end = static_cast<Section>(sections.end);
    const Section length = std::max<Section>(end - begin, 1);  // no life is empty
    const auto power = static_cast<unsigned>(std::bit_width(length) - 1);
    return broader(rows_[power][begin], rows_[power][end - (Section{1} << power)]);
  }
  [[nodiscard]] Bytes breadth(Time section) const { return breadths_[static_cast<std::size_t>(section)]; }

 private:
  using Section = std::uint32_t;

  // Returns the broader of two sections, of which `b` is not the earlier one.
  [[nodiscard]] Section broader(Section a, Section b) const {
    if (breadths_[a] == breadths_[b]) return later_first_ ? b : a;
    return breadths_[b] > breadths_[a] ? b : a;
  }
  [[nodiscard]] std::vector<Section> doubled() const {
    const std::vector<Section>& half = rows_.back();
    const std::size_t run = std::size_t{1} << (rows_.size() - 1);
    std::vector<Section> row(half.size() - run);
    for (std::size_t s = 0; s < row.size(); ++s) row[s] = broader(half[s], half[s + run]);
    return row;
  }

  std::vector<Bytes> breadths_;
  bool later_first_;
  std::vector<std::vector<Section>> rows_;
};

std::vector<Bytes> section_breadths(const Problem& problem, const std::vector<Lifetime>& lives) {
  Time sections = 0;
  for (const Lifetime& life : lives) sections = std::max(sections, life.end);
  std::vector<Bytes> breadths(static_cast<std::size_t>(sections) + 1, 0);
  for (std::size_t i = 0; i < lives.size(); ++i) {
    breadths[static_cast<std::size_t>(lives[i].begin)] += problem.buffers[i].size;
    breadths[static_cast<std::size_t>(lives[i].end)] -= problem.buffers[i].size;
  }
  for (std::size_t s = 1; s < breadths.size(); ++s) breadths[s] += breadths[s - 1];
  return breadths;
}

Outcome solve(const Problem& problem, const Limits&) {
  return conclude(problem, place_in_order(problem, breadth_order(problem), Fit::kBest));
}

}  // namespace

std::vector<BufferIndex> breadth_order(const Problem& problem, BreadthTies ties) {
  const std::vector<Lifetime> lives = section_lifetimes(problem);
  const Broadest broadest(section_breadths(problem, lives), ties.later_moment_first);
  using Key = std::tuple<Bytes, Time, SizeKey, BufferIndex>;
  std::vector<Key> keys;
  keys.reserve(lives.size());
  for (const BufferIndex i : all_indices(problem)) {
    const Time moment = broadest.in(lives[i]);
    keys.emplace_back(-broadest.breadth(moment), ties.later_moment_first ? -moment : moment,
                      size_key(problem, i, ties.buffers), i);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<BufferIndex> order;
  order.reserve(keys.size());
  for (const Key& key : keys) order.push_back(std::get<BufferIndex>(key));
  return order;
}

const Strategy kGreedyBreadth = {
    .name = "greedy-breadth",
    .summary = "The moments with most bytes alive choose first, each buffer the smallest gap that holds it",
    .cost = "O(n * (log n + gaps))",
    .guarantee = "none",
    .exact = false,
    .refusal = no_refusal,
    .solve = solve,
};

}  // namespace memo::planner
