#include "planner/solve/windows.h"

#include <algorithm>

#include "planner/placing/radix_sort.h"
#include "planner/problem/bounds.h"

namespace memo::planner {
namespace {

using Extents = std::span<const PlacedBuffers::Extent>;

// Keeps the least loss of windows that are asked for in ascending order. What a window loses has begun below its end,
// and has not ended at its begin.
class Sweep {
 public:
  Sweep(Extents by_begin, Extents by_end, std::span<const Loss> losses, const Wish& wish)
      : by_begin_(by_begin), by_end_(by_end), losses_(losses), wish_(wish) {}

  void look_at(Offset begin, std::optional<Window>& best) {
    if (begin < 0 || begin + wish_.size > wish_.height) return;
    for (; begun_ < by_begin_.size() && by_begin_[begun_].begin < begin + wish_.size; ++begun_) {
      const Loss& loss = losses_[by_begin_[begun_].buffer];
      inside_.fixed += loss.fixed;
      inside_.weight += loss.weight;
    }
    for (; ended_ < by_end_.size() && by_end_[ended_].end <= begin; ++ended_) {
      const Loss& loss = losses_[by_end_[ended_].buffer];
      inside_.fixed -= loss.fixed;
      inside_.weight -= loss.weight;
    }
    if (!best || inside_ < best->loss) best = Window{begin, inside_};
  }

 private:
  Extents by_begin_;
  Extents by_end_;
  std::span<const Loss> losses_;
  const Wish& wish_;
  std::size_t begun_ = 0;
  std::size_t ended_ = 0;
  Loss inside_;
};

}  // namespace

std::optional<Offset> Windows::tightest_gap(Extents placed, const Wish& wish) {
  std::optional<Offset> best;
  Bytes least_waste = 0;
  Offset top = 0;
  const auto look_below = [&](Offset end) {
    const Offset begin = align_up(top, wish.alignment);
    const Bytes waste = end - begin - wish.size;
    if (waste < 0 || (best && waste >= least_waste)) return;
    best = begin;
    least_waste = waste;
  };
  for (const PlacedBuffers::Extent& extent : placed) {
    look_below(std::min(extent.begin, wish.height));
    top = std::max(top, extent.end);
  }
  look_below(wish.height);
  return best;
}

std::optional<Window> Windows::cheapest(Extents placed, std::span<const Loss> losses, const Wish& wish) {
  by_end_.assign(placed.begin(), placed.end());
  radix_sort(by_end_, spare_, [](const PlacedBuffers::Extent& extent) { return extent.end; });
  std::optional<Window> best;
  Sweep above(placed, by_end_, losses, wish);
  above.look_at(0, best);
  for (const PlacedBuffers::Extent& extent : by_end_)
    above.look_at(align_up(extent.end, wish.alignment), best);
  Sweep below(placed, by_end_, losses, wish);
  const auto ending_at = [&](Offset end) { return (end - wish.size) / wish.alignment * wish.alignment; };
  for (const PlacedBuffers::Extent& extent : placed) {
    if (extent.begin >= wish.size) below.look_at(ending_at(extent.begin), best);
  }
  if (wish.height >= wish.size) below.look_at(ending_at(wish.height), best);
  return best;
}

}  // namespace memo::planner
