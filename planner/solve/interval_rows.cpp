#include "planner/solve/interval_rows.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

namespace memo::planner {

std::vector<std::uint32_t> interval_rows(std::span<const Lifetime> lives) {
  std::vector<std::uint32_t> by_birth(lives.size());
  std::iota(by_birth.begin(), by_birth.end(), 0U);
  std::stable_sort(by_birth.begin(), by_birth.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return lives[a].begin < lives[b].begin; });
  using Death = std::pair<Time, std::uint32_t>;  // time of death, and the row that it frees
  std::priority_queue<Death, std::vector<Death>, std::greater<>> deaths;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free;
  std::vector<std::uint32_t> rows(lives.size());
  std::uint32_t opened = 0;
  for (const std::uint32_t i : by_birth) {
    for (; !deaths.empty() && deaths.top().first <= lives[i].begin; deaths.pop())
      free.push(deaths.top().second);
    if (free.empty()) free.push(opened++);
    rows[i] = free.top();
    free.pop();
    deaths.emplace(lives[i].end, rows[i]);
  }
  return rows;
}

}  // namespace memo::planner
