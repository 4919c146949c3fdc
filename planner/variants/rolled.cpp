#include "planner/variants/rolled.h"

#include <algorithm>
#include <optional>

#include "planner/trace/mix.h"

namespace memo::planner {
namespace {

constexpr std::uint64_t kLoopMark = 0x10'0000'0000;  // no context is as large

class Roller {
 public:
  Roller(const Nested& sequence, std::span<const std::uint32_t> scopes_before)
      : sequence_(sequence), scopes_before_(scopes_before) {}

  [[nodiscard]] std::vector<Piece> roll(std::uint32_t begin, std::uint32_t end) const {
    std::vector<Piece> pieces;
    while (begin < end) {
      const std::optional<Piece> loop = repetition_at(begin, end);
      const std::uint32_t until = loop ? loop->begin : begin + 1;
      for (; begin < until; ++begin)
        pieces.push_back({.begin = begin, .body = sequence_.steps[begin].context, .inside = {}});
      if (!loop) continue;
      pieces.push_back(*loop);
      pieces.back().inside = roll(loop->begin, loop->begin + loop->steps);
      begin = loop->end();
    }
    return pieces;
  }

 private:
  // Returns for how many steps from `begin` on the sequence equals itself `distance` steps later.
  [[nodiscard]] std::uint32_t matches(std::uint32_t begin, std::uint32_t distance, std::uint32_t end) const {
    std::uint32_t at = begin;
    while (at + distance < end && sequence_.steps[at].context == sequence_.steps[at + distance].context) ++at;
    return at - begin;
  }

  [[nodiscard]] bool is_cut(std::uint32_t first, std::uint32_t steps, std::uint32_t count) const {
    for (std::uint32_t i = 1; i < count; ++i)
      if (sequence_.around[first + i * steps] != sequence_.around[first]) return false;
    const std::uint32_t end = first + count * steps;
    if (end == sequence_.steps.size()) return true;
    const std::uint32_t around = sequence_.around[end];
    return around == kNone || around < scopes_before_[first] || around >= scopes_before_[end];
  }

  // Returns the latest cut of a repetition that begins at `begin` and covers `covered` steps. Leaves out the last
  // iteration where an operator in it is open for longer.
  [[nodiscard]] std::optional<Piece> cut(std::uint32_t begin, std::uint32_t steps,
                                         std::uint32_t covered) const {
    for (std::uint32_t whole = covered; whole + steps >= covered && whole >= 2 * steps; whole -= steps) {
      const std::uint32_t rest = whole % steps;
      for (std::uint32_t tries = 0; tries < steps; ++tries) {
        const std::uint32_t head = tries <= rest ? rest - tries : rest + steps - tries;
        const std::uint32_t count = (whole - head) / steps;
        if (count >= 2 && is_cut(begin + head, steps, count))
          return Piece{.begin = begin + head,
                       .steps = steps,
                       .count = count,
                       .body = hash(begin + head, steps),
                       .inside = {}};
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::uint64_t hash(std::uint32_t begin, std::uint32_t steps) const {
    std::uint64_t hash = kLoopMark;
    for (std::uint32_t at = begin; at < begin + steps; ++at) hash = mix(hash, sequence_.steps[at].context);
    return hash | kLoopMark;
  }

  [[nodiscard]] std::optional<Piece> repetition_at(std::uint32_t begin, std::uint32_t end) const {
    std::optional<Piece> best;
    std::uint32_t most = 0;
    for (std::uint32_t steps = 1; begin + 2 * steps <= end; ++steps) {
      const std::uint32_t matching = matches(begin, steps, end);
      if (matching < steps || matching + steps <= most) continue;
      std::optional<Piece> loop = cut(begin, steps, matching + steps);
      if (!loop) continue;
      best = std::move(loop);
      most = matching + steps;
    }
    return best;
  }

  const Nested& sequence_;
  std::span<const std::uint32_t> scopes_before_;
};

}  // namespace

std::vector<Piece> roll(const Nested& sequence, std::span<const std::uint32_t> scopes_before) {
  return Roller(sequence, scopes_before).roll(0, static_cast<std::uint32_t>(sequence.steps.size()));
}

}  // namespace memo::planner
