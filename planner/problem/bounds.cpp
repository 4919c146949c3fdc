#include "planner/problem/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace memo::planner {
namespace {

// Sums of all sizes and alignments stay below this, so that no height a strategy can reach overflows.
constexpr Bytes kMostBytes = Bytes{1} << 62;

struct Event {
  Time time;
  bool birth;
  Bytes size;

  // Deaths sort before births of the same moment, because lifetimes are half-open.
  friend bool operator<(const Event& a, const Event& b) {
    return a.time != b.time ? a.time < b.time : a.birth < b.birth;
  }
};

std::vector<Event> events_of(const Problem& problem) {
  std::vector<Event> events;
  events.reserve(problem.buffers.size() * 2);
  for (const Buffer& buffer : problem.buffers) {
    events.push_back({buffer.life.begin, true, buffer.size});
    events.push_back({buffer.life.end, false, buffer.size});
  }
  std::sort(events.begin(), events.end());
  return events;
}

// All offsets are multiples of the alignments' common divisor g, so of the buffers alive at one moment each
// but the topmost takes its size rounded up to g; the topmost is at best the one with the most padding.
Bytes padded_peak(const Problem& problem, Bytes granule) {
  Bytes live = 0;
  Bytes peak = 0;
  std::multiset<Bytes> paddings;
  for (const Event& event : events_of(problem)) {
    const Bytes padded = align_up(event.size, granule);
    const Bytes padding = padded - event.size;
    if (event.birth) {
      live += padded;
      paddings.insert(padding);
      peak = std::max(peak, live - *paddings.rbegin());
    } else {
      live -= padded;
      paddings.erase(paddings.find(padding));
    }
  }
  return peak;
}

Bytes highest_fixed_end(const Problem& problem) {
  Bytes top = 0;
  for (const Buffer& buffer : problem.buffers) {
    if (buffer.fixed) top = std::max(top, *buffer.fixed + buffer.size);
  }
  return top;
}

std::string unsound_buffer(const Buffer& buffer) {
  if (buffer.size < 1) return fmt::format("has size {}; sizes start at 1", buffer.size);
  if (buffer.alignment < 1) return fmt::format("has alignment {}; alignments start at 1", buffer.alignment);
  if (buffer.life.begin >= buffer.life.end) {
    return fmt::format("lives from {} to {}; a lifetime ends after it begins", buffer.life.begin,
                       buffer.life.end);
  }
  if (buffer.fixed && *buffer.fixed < 0) return fmt::format("is fixed at {}, below the slab", *buffer.fixed);
  if (buffer.fixed && *buffer.fixed % buffer.alignment != 0) {
    return fmt::format("is fixed at {}, which is no multiple of its alignment {}", *buffer.fixed,
                       buffer.alignment);
  }
  return {};
}

// What one buffer can add to the height of any plan a strategy makes; saturates.
Bytes reach(const Buffer& buffer) {
  const Bytes fixed = std::min(buffer.fixed.value_or(0), kMostBytes);
  const Bytes size = std::min(buffer.size, kMostBytes);
  return std::min(kMostBytes, std::min(kMostBytes, size + fixed) + std::min(buffer.alignment, kMostBytes));
}

}  // namespace

Bytes lower_bound(const Problem& problem) {
  Bytes granule = 0;
  for (const Buffer& buffer : problem.buffers) granule = std::gcd(granule, buffer.alignment);
  return std::max(highest_fixed_end(problem), padded_peak(problem, std::max<Bytes>(granule, 1)));
}

std::string unsound(const Problem& problem) {
  Bytes total = 0;
  for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
    if (std::string why = unsound_buffer(problem.buffers[i]); !why.empty()) {
      return fmt::format("buffer {} {}", i, why);
    }
    total = std::min(kMostBytes, total + reach(problem.buffers[i]));
  }
  if (total >= kMostBytes) return "the sizes, alignments and fixed offsets add up to more than 4 EiB";
  return {};
}

}  // namespace memo::planner
