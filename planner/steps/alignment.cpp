#include "planner/steps/alignment.h"

#include <algorithm>
#include <iterator>

namespace memo::planner {
namespace {

constexpr std::size_t kMostComparisons = std::size_t{1} << 24;

// The length of the longest common subsequence of what follows each pair of places.
class Table {
 public:
  Table(std::size_t rows, std::size_t columns) : width_(columns + 1), cells_((rows + 1) * width_) {}
  std::uint32_t& at(std::size_t row, std::size_t column) { return cells_[row * width_ + column]; }

 private:
  std::size_t width_;
  std::vector<std::uint32_t> cells_;
};

void align_middle(std::span<const std::uint64_t> base, std::span<const std::uint64_t> other,
                  std::size_t shift, std::span<std::uint32_t> found) {
  Table common(base.size(), other.size());
  for (std::size_t b = base.size(); b-- > 0;)
    for (std::size_t o = other.size(); o-- > 0;)
      common.at(b, o) = base[b] == other[o] ? common.at(b + 1, o + 1) + 1
                                            : std::max(common.at(b + 1, o), common.at(b, o + 1));
  for (std::size_t b = 0, o = 0; b < base.size() && o < other.size();) {
    if (base[b] == other[o])
      found[o++] = static_cast<std::uint32_t>(shift + b++);
    else
      ++(common.at(b + 1, o) >= common.at(b, o + 1) ? b : o);
  }
}

}  // namespace

std::optional<std::vector<std::uint32_t>> align(std::span<const std::uint64_t> base,
                                                std::span<const std::uint64_t> other) {
  std::vector<std::uint32_t> found(other.size(), kUnaligned);
  std::size_t front = 0;
  std::size_t back = 0;
  const std::size_t most = std::min(base.size(), other.size());
  for (; front < most && base[front] == other[front]; ++front)
    found[front] = static_cast<std::uint32_t>(front);
  for (; back < most - front && base[base.size() - 1 - back] == other[other.size() - 1 - back]; ++back)
    found[other.size() - 1 - back] = static_cast<std::uint32_t>(base.size() - 1 - back);
  const std::size_t rows = base.size() - front - back;
  const std::size_t columns = other.size() - front - back;
  if (rows * columns > kMostComparisons) return std::nullopt;
  align_middle(base.subspan(front, rows), other.subspan(front, columns), front,
               std::span(found).subspan(front, columns));
  return found;
}

std::size_t count_aligned(std::span<const std::uint32_t> alignment) {
  return alignment.size() -
         static_cast<std::size_t>(std::count(alignment.begin(), alignment.end(), kUnaligned));
}

Merged merge(std::size_t base, std::span<const std::uint32_t> alignment) {
  Merged merged;
  const auto copy_base_until = [&](std::size_t end) {
    for (auto place = static_cast<std::uint32_t>(merged.base.size()); place < end; ++place) {
      merged.base.push_back(static_cast<std::uint32_t>(merged.elements.size()));
      merged.elements.push_back({.is_base = true, .place = place});
    }
  };
  for (std::uint32_t place = 0; place < alignment.size(); ++place) {
    if (alignment[place] != kUnaligned)
      copy_base_until(alignment[place] + std::size_t{1});
    else
      merged.elements.push_back({.is_base = false, .place = place});
    merged.other.push_back(static_cast<std::uint32_t>(merged.elements.size() - 1));
  }
  copy_base_until(base);
  return merged;
}

}  // namespace memo::planner
