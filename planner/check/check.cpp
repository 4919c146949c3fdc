#include "planner/check/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

namespace memo::planner {
namespace {

// ---- one function for each way to be wrong ----

Verdict wrong_count(std::size_t buffers, std::size_t offsets) {
  return {Fault::kWrongCount, fmt::format("the plan has {} offsets for {} buffers", offsets, buffers)};
}

Verdict negative_offset(std::size_t index, Offset offset) {
  return {Fault::kNegativeOffset, fmt::format("buffer {} lies at {}, below the slab", index, offset)};
}

Verdict overflow(std::size_t index, Offset offset, Bytes size) {
  return {Fault::kOverflow, fmt::format("buffer {} of {} bytes at {} ends beyond the last address there is",
                                        index, size, offset)};
}

Verdict misaligned(std::size_t index, Offset offset, Bytes alignment) {
  return {Fault::kMisaligned, fmt::format("buffer {} lies at {}, which is no multiple of its alignment {}",
                                          index, offset, alignment)};
}

Verdict fixed_moved(std::size_t index, Offset offset, Offset fixed) {
  return {Fault::kFixedMoved,
          fmt::format("buffer {} lies at {}; its place is fixed at {}", index, offset, fixed)};
}

Verdict over_capacity(std::size_t index, Offset end, Bytes capacity) {
  return {Fault::kOverCapacity,
          fmt::format("buffer {} ends at {}, above the capacity of {}", index, end, capacity)};
}

Verdict overlap(const Problem& problem, const Offsets& offsets, std::size_t one, std::size_t other) {
  const auto [a, b] = std::minmax(one, other);
  const Buffer& first = problem.buffers[a];
  const Buffer& second = problem.buffers[b];
  return {Fault::kOverlap,
          fmt::format(
              "buffers {} and {} share bytes [{}, {}) while both are alive in [{}, {})", a, b,
              std::max(offsets[a], offsets[b]), std::min(offsets[a] + first.size, offsets[b] + second.size),
              std::max(first.life.begin, second.life.begin), std::min(first.life.end, second.life.end))};
}

// ---- single buffers ----

Verdict check_buffer(const Problem& problem, std::size_t index, Offset offset) {
  const Buffer& buffer = problem.buffers[index];
  if (offset < 0) return negative_offset(index, offset);
  if (offset > std::numeric_limits<Offset>::max() - buffer.size) return overflow(index, offset, buffer.size);
  if (offset % buffer.alignment != 0) return misaligned(index, offset, buffer.alignment);
  if (buffer.fixed && *buffer.fixed != offset) return fixed_moved(index, offset, *buffer.fixed);
  const Offset end = offset + buffer.size;
  if (problem.capacity && end > *problem.capacity) return over_capacity(index, end, *problem.capacity);
  return {};
}

Verdict check_buffers(const Problem& problem, const Offsets& offsets) {
  if (offsets.size() != problem.buffers.size()) return wrong_count(problem.buffers.size(), offsets.size());
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (Verdict verdict = check_buffer(problem, i, offsets[i]); !verdict.valid()) return verdict;
  }
  return {};
}

// ---- the sweep ----

struct Moment {
  Time time;
  int kind;  // 0 death, 1 birth: a death frees its bytes for a birth of the same moment
  std::size_t index;
  friend bool operator<(const Moment& a, const Moment& b) {
    return std::tie(a.time, a.kind, a.index) < std::tie(b.time, b.kind, b.index);
  }
};

std::vector<Moment> moments_of(const Problem& problem) {
  std::vector<Moment> moments;
  moments.reserve(problem.buffers.size() * 2);
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    moments.push_back({problem.buffers[i].life.begin, 1, i});
    moments.push_back({problem.buffers[i].life.end, 0, i});
  }
  std::sort(moments.begin(), moments.end());
  return moments;
}

// The live buffers by offset. While no two share a byte, a new buffer can only collide with its neighbours in
// this order.
using Live = std::map<Offset, std::size_t>;

std::optional<std::size_t> collision(const Problem& problem, const Live& live, Offset offset, Bytes size) {
  const auto above = live.lower_bound(offset);
  if (above != live.end() && above->first < offset + size) return above->second;
  if (above == live.begin()) return std::nullopt;
  const auto& [below, index] = *std::prev(above);
  return below + problem.buffers[index].size > offset ? std::optional(index) : std::nullopt;
}

Verdict sweep(const Problem& problem, const Offsets& offsets) {
  Live live;
  for (const Moment& moment : moments_of(problem)) {
    const Offset offset = offsets[moment.index];
    if (moment.kind == 0) {
      live.erase(offset);
      continue;
    }
    const auto other = collision(problem, live, offset, problem.buffers[moment.index].size);
    if (other) return overlap(problem, offsets, moment.index, *other);
    live.emplace(offset, moment.index);
  }
  return {};
}

// ---- the pairs ----

bool share_bytes(const Problem& problem, const Offsets& offsets, std::size_t a, std::size_t b) {
  return offsets[a] < offsets[b] + problem.buffers[b].size &&
         offsets[b] < offsets[a] + problem.buffers[a].size;
}

Verdict pairs(const Problem& problem, const Offsets& offsets) {
  for (std::size_t a = 0; a < offsets.size(); ++a) {
    for (std::size_t b = a + 1; b < offsets.size(); ++b) {
      if (!problem.buffers[a].life.overlaps(problem.buffers[b].life)) continue;
      if (share_bytes(problem, offsets, a, b)) return overlap(problem, offsets, a, b);
    }
  }
  return {};
}

}  // namespace

std::string_view to_string(Fault fault) {
  switch (fault) {
    case Fault::kValid:
      return "valid";
    case Fault::kWrongCount:
      return "wrong-count";
    case Fault::kNegativeOffset:
      return "negative-offset";
    case Fault::kOverflow:
      return "overflow";
    case Fault::kMisaligned:
      return "misaligned";
    case Fault::kFixedMoved:
      return "fixed-moved";
    case Fault::kOverCapacity:
      return "over-capacity";
    case Fault::kOverlap:
      break;
  }
  return "overlap";
}

Verdict check_by_sweep(const Problem& problem, const Offsets& offsets) {
  const Verdict verdict = check_buffers(problem, offsets);
  return verdict.valid() ? sweep(problem, offsets) : verdict;
}

Verdict check_by_pairs(const Problem& problem, const Offsets& offsets) {
  const Verdict verdict = check_buffers(problem, offsets);
  return verdict.valid() ? pairs(problem, offsets) : verdict;
}

}  // namespace memo::planner
