#include "planner/solve/effort.h"

#include <algorithm>
#include <limits>

namespace memo::planner {
namespace {

// Limits a time in seconds. A longer one counts as no limit, since it would overflow the clock.
constexpr double kMostSeconds = 1e9;

}  // namespace

Effort::Effort(const Limits& limits, std::uint64_t default_nodes)
    : cancel_(limits.cancel),
      most_nodes_(
          limits.nodes.value_or(limits.seconds ? std::numeric_limits<std::uint64_t>::max() : default_nodes)),
      repeatable_(limits.nodes || !limits.seconds) {
  if (!limits.seconds || *limits.seconds > kMostSeconds) return;
  const std::chrono::duration<double> allowed(std::max(0.0, *limits.seconds));
  deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(allowed);
}

bool Effort::stopped() const {
  if (cancel_ != nullptr && cancel_->load(std::memory_order_relaxed)) return true;
  return deadline_ && Clock::now() >= *deadline_;
}

std::optional<double> Effort::seconds_left() const {
  if (!deadline_) return std::nullopt;
  return std::max(0.0, std::chrono::duration<double>(*deadline_ - Clock::now()).count());
}

void Effort::spend(std::uint64_t nodes) {
  spent_ += std::min(nodes, nodes_left());
}

}  // namespace memo::planner
