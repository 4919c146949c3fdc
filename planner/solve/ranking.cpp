#include "planner/solve/ranking.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace memo::planner {
namespace {

using Keys = std::vector<double>;  // the largest comes first; doubles, since an area may exceed 64 bits

Bytes largest_sum(const SearchProblem& problem, const SearchProblem::Item& item) {
  Bytes largest = 0;
  for (Section s = item.first; s < item.last; ++s) largest = std::max(largest, problem.section_sum(s));
  return largest;
}

double key_of(const SearchProblem& problem, const SearchProblem::Item& item, char letter) {
  const double length = item.last - item.first;
  switch (letter) {
    case 'W':
      return length;
    case 'A':
      return length * static_cast<double>(item.size);
    case 'T':
      return static_cast<double>(largest_sum(problem, item));
    case 'Z':
      return static_cast<double>(item.size);
    case 'L':
      return item.first;
    default:
      return item.last;
  }
}

Keys keys_of(const SearchProblem& problem, char letter, std::uint64_t seed) {
  Keys keys(problem.size());
  std::mt19937_64 random(seed);
  for (BufferIndex i = 0; i < keys.size(); ++i) {
    keys[i] = letter == 'R' ? static_cast<double>(random()) : key_of(problem, problem[i], letter);
  }
  return keys;
}

}  // namespace

// Sorts stably by each key, from the least important to the most important one.
std::vector<std::uint32_t> ranks_of(const SearchProblem& problem, std::string_view ranking,
                                    std::uint64_t seed) {
  std::vector<BufferIndex> order(problem.size());
  std::iota(order.begin(), order.end(), BufferIndex{0});
  for (auto letter = ranking.rbegin(); letter != ranking.rend(); ++letter) {
    const Keys keys = keys_of(problem, *letter, seed);
    std::stable_sort(order.begin(), order.end(),
                     [&](BufferIndex a, BufferIndex b) { return keys[a] > keys[b]; });
  }
  std::vector<std::uint32_t> ranks(order.size());
  for (std::uint32_t position = 0; position < order.size(); ++position) ranks[order[position]] = position;
  return ranks;
}

}  // namespace memo::planner
