#include "planner/solve/search_problem.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "planner/problem/bounds.h"
#include "planner/problem/normalise.h"

namespace memo::planner {
namespace {

Bytes common_alignment(const Problem& problem) {
  Bytes common = 0;
  for (const Buffer& buffer : problem.buffers) common = std::gcd(common, buffer.alignment);
  return std::max<Bytes>(common, 1);
}

std::vector<BufferIndex> by_first_section(const std::vector<Lifetime>& lives) {
  std::vector<BufferIndex> order(lives.size());
  std::iota(order.begin(), order.end(), BufferIndex{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](BufferIndex a, BufferIndex b) { return lives[a].begin < lives[b].begin; });
  return order;
}

}  // namespace

SearchProblem::SearchProblem(const Problem& problem) : granule_(common_alignment(problem)) {
  read_items(problem);
  link_twins();
  list_members();
  list_neighbours();
}

void SearchProblem::read_items(const Problem& problem) {
  const std::vector<Lifetime> lives = section_lifetimes(problem);
  items_.reserve(lives.size());
  for (const BufferIndex index : by_first_section(lives)) {
    const Buffer& buffer = problem.buffers[index];
    items_.push_back({.size = buffer.size,
                      .padded = align_up(buffer.size, granule_),
                      .alignment = buffer.alignment,
                      .first = static_cast<Section>(lives[index].begin),
                      .last = static_cast<Section>(lives[index].end),
                      .twin = kNobody,
                      .original = index,
                      .fixed = buffer.fixed.value_or(-1)});
  }
}

void SearchProblem::link_twins() {
  std::map<std::tuple<Section, Section, Bytes, Bytes>, BufferIndex> latest;
  for (BufferIndex i = 0; i < items_.size(); ++i) {
    Item& item = items_[i];
    if (item.fixed >= 0) continue;
    const auto [alike, is_first] = latest.try_emplace({item.first, item.last, item.size, item.alignment}, i);
    if (!is_first) item.twin = alike->second;
    alike->second = i;
  }
}

void SearchProblem::list_members() {
  Section sections = 0;
  for (const Item& item : items_) sections = std::max(sections, item.last);
  section_sum_.assign(sections, 0);
  std::vector<std::size_t> count(sections, 0);
  for (const Item& item : items_) {
    for (Section s = item.first; s < item.last; ++s) {
      section_sum_[s] += item.padded;
      ++count[s];
    }
  }
  members_.begin.assign(sections + 1, 0);
  std::partial_sum(count.begin(), count.end(), members_.begin.begin() + 1);
  members_.values.resize(members_.begin.back());
  std::vector<std::size_t> next(members_.begin.begin(), members_.begin.end() - 1);
  for (BufferIndex i = 0; i < items_.size(); ++i) {
    for (Section s = items_[i].first; s < items_[i].last; ++s) members_.values[next[s]++] = i;
  }
  born_.assign(sections + 1, static_cast<BufferIndex>(items_.size()));
  for (BufferIndex i = static_cast<BufferIndex>(items_.size()); i-- > 0;) born_[items_[i].first] = i;
  for (Section s = sections; s-- > 0;) born_[s] = std::min(born_[s], born_[s + 1]);
}

// Lists the neighbours. A buffer that overlaps i is alive in the first section of i, or is born in a later
// section of i.
void SearchProblem::list_neighbours() {
  neighbours_.begin.assign(1, 0);
  for (BufferIndex i = 0; i < items_.size(); ++i) {
    const Item& item = items_[i];
    for (const BufferIndex other : members(item.first)) {
      if (other != i) neighbours_.values.push_back(other);
    }
    for (BufferIndex other = born_[item.first + 1]; other < born_[item.last]; ++other)
      neighbours_.values.push_back(other);
    neighbours_.begin.push_back(neighbours_.values.size());
  }
}

std::size_t search_problem_bytes(const Problem& problem) {
  const std::vector<Lifetime> lives = section_lifetimes(problem);
  std::vector<Time> births(lives.size());
  std::vector<Time> deaths(lives.size());
  for (std::size_t i = 0; i < lives.size(); ++i) {
    births[i] = lives[i].begin;
    deaths[i] = lives[i].end;
  }
  std::sort(births.begin(), births.end());
  std::sort(deaths.begin(), deaths.end());
  std::size_t entries = 0;
  for (const Lifetime& life : lives) {
    const auto born_before_its_end =
        std::lower_bound(births.begin(), births.end(), life.end) - births.begin();
    const auto dead_by_its_begin =
        std::upper_bound(deaths.begin(), deaths.end(), life.begin) - deaths.begin();
    entries += static_cast<std::size_t>(born_before_its_end - dead_by_its_begin + life.length());
  }
  return entries * sizeof(BufferIndex);
}

}  // namespace memo::planner
