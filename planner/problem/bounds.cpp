#include "planner/problem/bounds.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "planner/problem/events.h"

namespace memo::planner {
namespace {

// Returns the peak of live bytes with padding. All offsets are multiples of the alignments' common divisor g,
// so each of the buffers alive at one moment, except the topmost, takes its size rounded up to g. The bound
// assumes that the topmost is the one with the most padding.
Bytes padded_peak(const Problem& problem, Bytes granule) {
  Bytes live = 0;
  Bytes peak = 0;
  std::multiset<Bytes> paddings;
  for (const Event& event : sorted_events(problem)) {
    const Bytes size = problem.buffers[event.index].size;
    const Bytes padded = align_up(size, granule);
    const Bytes padding = padded - size;
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

}  // namespace

Bytes lower_bound(const Problem& problem) {
  Bytes granule = 0;
  for (const Buffer& buffer : problem.buffers) granule = std::gcd(granule, buffer.alignment);
  return std::max(highest_fixed_end(problem), padded_peak(problem, std::max<Bytes>(granule, 1)));
}

}  // namespace memo::planner
