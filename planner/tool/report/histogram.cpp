#include "planner/tool/report/histogram.h"

#include <array>
#include <bit>

namespace memo::planner {
namespace {

template <typename Value>
std::vector<HistogramBar> histogram(const Problem& problem, Value value) {
  std::array<HistogramBar, 63> bars{};
  std::size_t lowest = bars.size();
  std::size_t highest = 0;
  for (const Buffer& buffer : problem.buffers) {
    const auto bar = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(value(buffer)))) - 1;
    ++bars.at(bar).buffers;
    bars.at(bar).bytes += buffer.size;
    lowest = std::min(lowest, bar);
    highest = std::max(highest, bar);
  }
  std::vector<HistogramBar> result;
  for (std::size_t bar = lowest; bar <= highest && bar < bars.size(); ++bar) {
    result.push_back(bars.at(bar));
    result.back().from = std::int64_t{1} << bar;
  }
  return result;
}

}  // namespace

std::vector<HistogramBar> size_histogram(const Problem& problem) {
  return histogram(problem, [](const Buffer& buffer) { return buffer.size; });
}

std::vector<HistogramBar> lifetime_histogram(const Problem& problem) {
  return histogram(problem, [](const Buffer& buffer) { return buffer.life.length(); });
}

}  // namespace memo::planner
