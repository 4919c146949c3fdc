#include "planner/variants/rolled.h"

#include <algorithm>
#include <optional>

#include "planner/trace/mix.h"

namespace memo::planner {
namespace {

constexpr std::uint64_t kLoopMark = 0x10'0000'0000;  // no context is as large
constexpr std::uint32_t kLeastStepsToDiffer = 8;     // an iteration of fewer steps equals the others

// Iterations that follow one another: the begin of each, and the end of the last.
using Cuts = std::vector<std::uint32_t>;

class Roller {
 public:
  Roller(const Nested& sequence, std::span<const std::uint32_t> scopes_before)
      : sequence_(sequence), scopes_before_(scopes_before) {}

  [[nodiscard]] std::vector<Piece> roll(std::uint32_t begin, std::uint32_t end) const {
    std::vector<Piece> pieces;
    while (begin < end) {
      const Cuts cuts = repetition_at(begin, end);
      const std::uint32_t until = cuts.empty() ? begin + 1 : cuts.front();
      for (; begin < until; ++begin)
        pieces.push_back({.begin = begin, .body = sequence_.steps[begin].context, .turns = {}});
      if (cuts.empty()) continue;
      pieces.push_back(loop_of(cuts));
      begin = cuts.back();
    }
    return pieces;
  }

 private:
  [[nodiscard]] Piece loop_of(const Cuts& cuts) const {
    Piece loop{.begin = cuts.front(), .turns = {}};
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
      loop.turns.push_back({.begin = cuts[i],
                            .steps = cuts[i + 1] - cuts[i],
                            .body = hash(cuts[i], cuts[i + 1]),
                            .inside = roll(cuts[i], cuts[i + 1])});
    return loop;
  }

  // Returns for how many steps from `begin` on the sequence equals itself `distance` steps later.
  [[nodiscard]] std::uint32_t matches(std::uint32_t begin, std::uint32_t distance, std::uint32_t end) const {
    std::uint32_t at = begin;
    while (at + distance < end && sequence_.steps[at].context == sequence_.steps[at + distance].context) ++at;
    return at - begin;
  }

  // Returns true if the same operators are open at all cuts, and none of the iterations' own.
  [[nodiscard]] bool are_clean(const Cuts& cuts) const {
    const std::uint32_t first = cuts.front();
    const std::uint32_t end = cuts.back();
    for (std::size_t i = 1; i + 1 < cuts.size(); ++i)
      if (sequence_.around[cuts[i]] != sequence_.around[first]) return false;
    if (end == sequence_.steps.size()) return true;
    const std::uint32_t around = sequence_.around[end];
    return around == kNone || around < scopes_before_[first] || around >= scopes_before_[end];
  }

  // Returns the latest cuts of equal iterations that begin at `begin` and cover `covered` steps; none where an operator
  // is open across each. Leaves out the last iteration where an operator in it is open for longer.
  [[nodiscard]] Cuts cut_equal(std::uint32_t begin, std::uint32_t steps, std::uint32_t covered) const {
    for (std::uint32_t whole = covered; whole + steps >= covered && whole >= 2 * steps; whole -= steps) {
      const std::uint32_t rest = whole % steps;
      for (std::uint32_t tries = 0; tries < steps; ++tries) {
        const std::uint32_t head = tries <= rest ? rest - tries : rest + steps - tries;
        const std::uint32_t count = (whole - head) / steps;
        if (count < 2) continue;
        Cuts cuts;
        for (std::uint32_t i = 0; i <= count; ++i) cuts.push_back(begin + head + i * steps);
        if (are_clean(cuts)) return cuts;
      }
    }
    return {};
  }

  // Goes on after equal iterations with those that have a few steps more or less, and cuts all of them as late as
  // possible.
  [[nodiscard]] Cuts cut_alike(const Cuts& equal, std::uint32_t end) const {
    const Body body = contexts(equal[0], equal[1]);
    const Repeats repeats = repeats_from(body, sequence_, equal.front(), end);
    if (repeats.count() + 1 <= equal.size()) return equal;
    std::uint32_t late = 0;
    while (late < body.size() && repeats.begins.back() + late < end &&
           sequence_.steps[repeats.begins.back() + late].context == body[late])
      ++late;
    for (; late > 0; --late)
      if (Cuts cuts = cuts_at(repeats, late); are_clean(cuts)) return cuts;
    for (Cuts cuts = repeats.begins; cuts.size() > equal.size(); cuts.pop_back())
      if (are_clean(cuts)) return cuts;
    return equal;
  }

  // Returns the cuts before this place of the body.
  [[nodiscard]] static Cuts cuts_at(const Repeats& repeats, std::uint32_t place) {
    Cuts cuts;
    for (std::size_t i = 0; i < repeats.count(); ++i) {
      std::uint32_t at = repeats.begins[i];
      const auto known = [&] { return repeats.places[at - repeats.begins.front()]; };
      while (at < repeats.begins[i + 1] && (known() == kNoPlace || known() < place)) ++at;
      cuts.push_back(at);
    }
    cuts.push_back(repeats.begins.back() + place);
    return cuts;
  }

  [[nodiscard]] Body contexts(std::uint32_t begin, std::uint32_t end) const {
    Body body;
    for (std::uint32_t at = begin; at < end; ++at) body.push_back(sequence_.steps[at].context);
    return body;
  }

  [[nodiscard]] std::uint64_t hash(std::uint32_t begin, std::uint32_t end) const {
    std::uint64_t hash = kLoopMark;
    for (std::uint32_t at = begin; at < end; ++at) hash = mix(hash, sequence_.steps[at].context);
    return hash | kLoopMark;
  }

  // Returns the cuts of the repetition that covers most of the steps from `begin` on. Several iterations taken for one are
  // no body of their own.
  [[nodiscard]] Cuts repetition_at(std::uint32_t begin, std::uint32_t end) const {
    Cuts best;
    std::uint32_t most = 0;
    std::uint32_t most_equal = 0;
    for (std::uint32_t steps = 1; begin + 2 * steps <= end && most < end - begin; ++steps) {
      const std::uint32_t equal = matches(begin, steps, end) + steps;
      if (equal < 2 * steps || equal <= most_equal) continue;
      const Cuts cuts = cut_equal(begin, steps, equal);
      if (cuts.empty()) continue;
      most_equal = equal;
      Cuts alike = steps < kLeastStepsToDiffer ? cuts : cut_alike(cuts, end);
      const std::uint32_t covered = std::max(equal, alike.back() - begin);
      if (covered <= most) continue;
      most = covered;
      best = std::move(alike);
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
