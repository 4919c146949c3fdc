#include "planner/problem/normalise.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "planner/problem/events.h"

namespace memo::planner {
namespace {

Bytes common_divisor(const Problem& problem) {
  Bytes divisor = 0;
  for (const Buffer& buffer : problem.buffers) {
    divisor = std::gcd(std::gcd(divisor, buffer.size), buffer.alignment == 1 ? 0 : buffer.alignment);
    if (buffer.fixed) divisor = std::gcd(divisor, *buffer.fixed);
  }
  return std::max<Bytes>(divisor, 1);
}

// Scales a buffer to units. An alignment of 1 does not count for the unit and is no multiple of it. Since all
// places are whole units, it asks for nothing, so it stays 1.
Buffer scaled(Buffer buffer, Bytes unit, const Lifetime& life) {
  buffer.life = life;
  buffer.size /= unit;
  buffer.alignment = std::max<Bytes>(buffer.alignment / unit, 1);
  if (buffer.fixed) *buffer.fixed /= unit;
  return buffer;
}

std::vector<BufferIndex> by_birth(const std::vector<Lifetime>& lives) {
  std::vector<BufferIndex> order(lives.size());
  std::iota(order.begin(), order.end(), BufferIndex{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](BufferIndex a, BufferIndex b) { return lives[a].begin < lives[b].begin; });
  return order;
}

// Makes the sections of a part start from 0; before, they are numbered through all parts.
void rebase(ProblemPart& part) {
  const Time origin = part.problem.buffers.front().life.begin;
  for (Buffer& buffer : part.problem.buffers) {
    buffer.life.begin -= origin;
    buffer.life.end -= origin;
    part.sections = std::max(part.sections, buffer.life.end);
  }
}

}  // namespace

std::vector<Lifetime> section_lifetimes(const Problem& problem) {
  std::vector<Lifetime> lives(problem.buffers.size());
  Time section = 0;
  bool died = false;  // since the last birth
  for (const Event& event : sorted_events(problem)) {
    if (event.birth) {
      if (std::exchange(died, false)) ++section;
      lives[event.index].begin = section;
    } else {
      died = true;
      lives[event.index].end = section + 1;
    }
  }
  return lives;
}

Normalised normalise(const Problem& problem) {
  Normalised result{.unit = common_divisor(problem), .buffers = problem.buffers.size(), .parts = {}};
  const std::vector<Lifetime> lives = section_lifetimes(problem);
  Time all_dead = 0;
  for (const BufferIndex index : by_birth(lives)) {
    if (result.parts.empty() || lives[index].begin >= all_dead) {
      result.parts.emplace_back();
      if (problem.capacity) result.parts.back().problem.capacity = *problem.capacity / result.unit;
    }
    all_dead = std::max(all_dead, lives[index].end);
    ProblemPart& part = result.parts.back();
    part.problem.buffers.push_back(scaled(problem.buffers[index], result.unit, lives[index]));
    part.original.push_back(index);
  }
  for (ProblemPart& part : result.parts) rebase(part);
  return result;
}

Offsets restore(const Normalised& normalised, std::span<const Offsets> of_parts) {
  Offsets whole(normalised.buffers);
  for (std::size_t p = 0; p < normalised.parts.size(); ++p) {
    const std::vector<BufferIndex>& original = normalised.parts[p].original;
    for (std::size_t i = 0; i < original.size(); ++i) whole[original[i]] = of_parts[p][i] * normalised.unit;
  }
  return whole;
}

}  // namespace memo::planner
