#include "planner/fold/folded.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "planner/steps/alignment.h"
#include "runtime/formats/plan_format.h"

namespace memo::planner {
namespace {

constexpr ContextId kFirstLoop = ContextId{1} << 31;  // no context is as large
// Bodies share this part of the longer one where they are the same loop's.
constexpr std::size_t kCommon = 3, kCommonOf = 4;
constexpr std::size_t kLeastStepsToDiffer = 8;  // an iteration of fewer steps equals the others
constexpr std::size_t kMostRounds = 128;        // bodies of as many lengths are folded

// Iterations that follow one another: the begin of each, and the end of the last.
using Cuts = std::vector<std::uint32_t>;

std::uint32_t depth_of(const Piece& piece) {
  std::uint32_t inside = 0;
  for (const Iteration& iteration : piece.iterations)
    for (const Piece& inner : iteration) inside = std::max(inside, depth_of(inner));
  return piece.is_loop() ? inside + 1 : 0;
}

// The pieces of a sequence as they are now.
class Line {
 public:
  explicit Line(const Shape& shape) : shape_(&shape) {
    for (const Piece& piece : shape.pieces) {
      line_.steps.push_back({.context = piece.id});
      line_.around.push_back(shape.sequence.around[piece.begin]);
      is_deep_.push_back(depth_of(piece) >= kMaxLoopDepth);
    }
  }

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(line_.steps.size()); }
  [[nodiscard]] ContextId id(std::uint32_t at) const { return line_.steps[at].context; }
  [[nodiscard]] const Nested& folded() const { return line_; }

  [[nodiscard]] Body body(std::uint32_t begin, std::uint32_t end) const {
    Body body;
    for (std::uint32_t at = begin; at < end; ++at) body.push_back(id(at));
    return body;
  }
  [[nodiscard]] bool has(const Body& body, std::uint32_t at) const {
    if (body.size() > size() - at) return false;
    for (std::uint32_t i = 0; i < body.size(); ++i)
      if (id(at + i) != body[i]) return false;
    return true;
  }

  // Returns true if the same operators are open at all cuts, none of the iterations' own, and if the loop lies in no others
  // than it may.
  [[nodiscard]] bool are_clean(const Cuts& cuts) const {
    const std::uint32_t first = cuts.front();
    const std::uint32_t end = cuts.back();
    for (std::size_t i = 1; i + 1 < cuts.size(); ++i)
      if (line_.around[cuts[i]] != line_.around[first]) return false;
    if (std::find(is_deep_.begin() + first, is_deep_.begin() + end, true) != is_deep_.begin() + end)
      return false;
    if (end == size()) return true;
    const std::uint32_t around = line_.around[end];
    return around == kNone || around < scopes_before(first) || around >= scopes_before(end);
  }

 private:
  [[nodiscard]] std::uint32_t scopes_before(std::uint32_t at) const {
    return shape_->scopes_before[shape_->pieces[at].begin];
  }

  const Shape* shape_;
  Nested line_;
  std::vector<bool> is_deep_;
};

// Equal iterations in one line.
struct Repetition {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t steps = 0;  // of an iteration
};

// Returns the latest cuts of the repetition that are clean; none where an operator is open across each. Leaves out the last
// iterations where an operator in them is open for longer.
Cuts cut(const Line& line, const Repetition& repetition) {
  const std::uint32_t steps = repetition.steps;
  for (std::uint32_t end = repetition.end; end >= repetition.begin + 2 * steps; --end) {
    Cuts cuts;
    for (std::uint32_t at = end; at >= repetition.begin + steps; at -= steps) cuts.push_back(at);
    cuts.push_back(cuts.back() - steps);
    std::reverse(cuts.begin(), cuts.end());
    if (line.are_clean(cuts)) return cuts;
  }
  return {};
}

bool is_repeated_inside(const Line& line, const Repetition& repetition) {
  for (std::uint32_t steps = 1; steps <= repetition.steps / 2; ++steps) {
    if (repetition.steps % steps != 0) continue;
    std::uint32_t at = repetition.begin;
    while (at + steps < repetition.begin + repetition.steps && line.id(at) == line.id(at + steps)) ++at;
    if (at + steps == repetition.begin + repetition.steps) return true;
  }
  return false;
}

// Finds what is repeated with iterations of so many steps. Looks at one place in so many only: two iterations in a row agree
// with what is `steps` later at as many places, one of which is looked at.
template <typename Visit>
void find_repetitions(const Line& line, std::uint32_t steps, Visit visit) {
  const std::uint32_t size = line.size();
  const auto agree = [&](std::uint32_t at) { return line.id(at) == line.id(at + steps); };
  std::uint32_t done = 0;
  for (std::uint32_t at = steps - 1; at + steps < size; at += steps) {
    if (at < done || !agree(at)) continue;
    std::uint32_t begin = at;
    std::uint32_t end = at + 1;
    while (begin > done && agree(begin - 1)) --begin;
    while (end + steps < size && agree(end)) ++end;
    done = end;
    const Repetition found{.begin = begin, .end = end + steps, .steps = steps};
    if (end - begin >= steps && !is_repeated_inside(line, found)) visit(found);
  }
}

// Returns true if the bodies are nearly alike. Short ones are so only if they are equal.
bool are_of_one_loop(const Body& a, const Body& b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  const std::size_t longer = std::max(a.size(), b.size());
  if (shorter * kCommonOf < longer * kCommon || shorter < kCommon) return a == b;
  const std::vector<std::uint64_t> base(a.begin(), a.end());
  const std::vector<std::uint64_t> other(b.begin(), b.end());
  const auto alignment = align(base, other);
  return alignment && count_aligned(*alignment) * kCommonOf >= longer * kCommon;
}

// The bodies that are folded, each with the number of its loop.
class Loops {
 public:
  void add(const Body& body) {
    if (of_body_.contains(body)) return;
    std::size_t loop = 0;
    while (loop < firsts_.size() && !are_of_one_loop(firsts_[loop], body)) ++loop;
    if (loop == firsts_.size()) firsts_.push_back(body);
    of_body_.emplace(body, loop);
    std::vector<Body>& alike = beginning_with_[body.front()];
    alike.push_back(body);
    std::stable_sort(alike.begin(), alike.end(),
                     [](const Body& a, const Body& b) { return a.size() > b.size(); });
  }

  // Returns the longest body at this place of the line, of the given loop if one is given. Returns nothing if there is none.
  [[nodiscard]] const Body* at(const Line& line, std::uint32_t at,
                               std::optional<std::size_t> loop = {}) const {
    const auto alike = beginning_with_.find(line.id(at));
    if (alike == beginning_with_.end()) return nullptr;
    for (const Body& body : alike->second)
      if ((!loop || number(body) == *loop) && line.has(body, at)) return &body;
    return nullptr;
  }
  [[nodiscard]] bool has(const Body& body) const { return of_body_.contains(body); }
  [[nodiscard]] std::size_t number(const Body& body) const { return of_body_.at(body); }

 private:
  std::vector<Body> firsts_;  // the first body of each loop
  std::map<Body, std::size_t> of_body_;
  std::unordered_map<ContextId, std::vector<Body>> beginning_with_;  // the longest first
};

// ---- which bodies are folded next ----

// The steps before and after a repetition, which tell one place of a pass from another.
using Surroundings = std::pair<ContextId, ContextId>;

// The bodies of one length that are of one loop, and how often they are repeated at each place.
struct Candidate {
  std::vector<Body> bodies;
  std::map<Surroundings, std::set<std::size_t>> counts;

  // Returns true if it is a loop: at one place its number of iterations differs, and it is not always small. What is always
  // repeated twice here and four times there is none.
  [[nodiscard]] bool varies() const {
    const auto differs = [](const auto& place) { return place.second.size() > 1; };
    const auto is_large = [](const auto& place) { return *place.second.rbegin() >= kLeastIterations; };
    return std::any_of(counts.begin(), counts.end(), differs) &&
           std::any_of(counts.begin(), counts.end(), is_large);
  }
};

Surroundings surroundings_of(const Line& line, const Repetition& repetition) {
  return {repetition.begin == 0 ? kNone : line.id(repetition.begin - 1),
          repetition.end == line.size() ? kNone : line.id(repetition.end)};
}

class Candidates {
 public:
  Candidates(const std::vector<Line>& lines, std::uint32_t steps) {
    for (const Line& line : lines)
      find_repetitions(line, steps, [&](const Repetition& found) {
        const Cuts cuts = cut(line, found);
        if (cuts.empty()) return;
        Candidate& candidate = candidate_of(line.body(cuts[0], cuts[1]));
        candidate.counts[surroundings_of(line, found)].insert(cuts.size() - 1);
      });
  }

  [[nodiscard]] const std::vector<Candidate>& all() const { return all_; }

 private:
  Candidate& candidate_of(const Body& body) {
    const auto [known, fresh] = of_body_.try_emplace(body, all_.size());
    if (!fresh) return all_[known->second];
    const auto alike = std::find_if(all_.begin(), all_.end(), [&](const Candidate& candidate) {
      return are_of_one_loop(candidate.bodies.front(), body);
    });
    known->second = static_cast<std::size_t>(alike - all_.begin());
    if (alike == all_.end()) all_.emplace_back();
    all_[known->second].bodies.push_back(body);
    return all_[known->second];
  }

  std::vector<Candidate> all_;
  std::map<Body, std::size_t> of_body_;
};

// Adds the bodies of a candidate that are not known. Returns false if there are none.
bool add(const Candidate& candidate, Loops& loops) {
  bool any = false;
  for (const Body& body : candidate.bodies) {
    any = any || !loops.has(body);
    loops.add(body);
  }
  return any;
}

// Adds longer bodies of the loops that were just found, which some passes have: an iteration with a buffer more.
void add_longer(const std::vector<Line>& lines, std::uint32_t steps, const std::vector<Body>& found,
                Loops& loops) {
  for (std::uint32_t longer = steps + 1; longer * kCommon <= steps * kCommonOf; ++longer) {
    const Candidates candidates(lines, longer);
    for (const Candidate& candidate : candidates.all())
      if (std::any_of(found.begin(), found.end(),
                      [&](const Body& body) { return are_of_one_loop(body, candidate.bodies.front()); }))
        add(candidate, loops);
  }
}

// Adds the shortest bodies that vary to the loops. Returns false if there are none.
bool add_shortest(const std::vector<Line>& lines, Loops& loops) {
  std::uint32_t longest = 0;
  for (const Line& line : lines) longest = std::max(longest, line.size() / 2);
  for (std::uint32_t steps = 1; steps <= longest; ++steps) {
    std::vector<Body> found;
    const Candidates candidates(lines, steps);
    for (const Candidate& candidate : candidates.all())
      if (candidate.varies() && add(candidate, loops)) found.push_back(candidate.bodies.front());
    if (found.empty()) continue;
    add_longer(lines, steps, found, loops);
    return true;
  }
  return false;
}

// ---- folding ----

class Folder {
 public:
  Folder(const Line& line, const Loops& loops) : line_(line), loops_(loops) {}

  // Returns the cuts of the loop that begins here; none where there is none.
  [[nodiscard]] Cuts loop_at(std::uint32_t begin) const {
    const Body* body = loops_.at(line_, begin);
    if (body == nullptr) return {};
    const Cuts equal = equal_from(begin, *body);
    Cuts cuts = as_late_as_possible(equal, *body);
    if (equal.size() > 2 && body->size() >= kLeastStepsToDiffer) cuts = with_alike(cuts);
    while (cuts.size() > 1 && !line_.are_clean(cuts)) cuts.pop_back();
    return cuts.size() > 1 ? cuts : Cuts{};
  }

 private:
  // Returns the cuts of iterations of this loop, each of which is one of its bodies.
  [[nodiscard]] Cuts equal_from(std::uint32_t begin, const Body& first) const {
    const std::size_t loop = loops_.number(first);
    Cuts cuts = {begin};
    for (const Body* body = &first; body != nullptr;) {
      cuts.push_back(cuts.back() + static_cast<std::uint32_t>(body->size()));
      const bool more =
          cuts.back() < line_.size() && line_.folded().around[cuts.back()] == line_.folded().around[begin];
      body = more ? loops_.at(line_, cuts.back(), loop) : nullptr;
    }
    return cuts;
  }

  // Moves the cuts of equal iterations to the end of what is repeated, if that is one of the loop's bodies, too.
  [[nodiscard]] Cuts as_late_as_possible(const Cuts& cuts, const Body& body) const {
    const auto steps = static_cast<std::uint32_t>(body.size());
    if (cuts.back() - cuts.front() != steps * (cuts.size() - 1)) return cuts;
    std::uint32_t late = 0;
    while (late < steps && cuts.back() + late < line_.size() && line_.id(cuts.back() + late) == body[late])
      ++late;
    for (; late > 0; --late) {
      Cuts later = cuts;
      for (std::uint32_t& at : later) at += late;
      const Body rotated = line_.body(later[0], later[1]);
      if (loops_.has(rotated) && line_.are_clean(later)) return later;
    }
    return cuts;
  }

  // Goes on with iterations that have a few steps more or less.
  [[nodiscard]] Cuts with_alike(const Cuts& equal) const {
    const Repeats repeats =
        repeats_from(line_.body(equal[0], equal[1]), line_.folded(), equal.front(), line_.size());
    return repeats.count() + 1 > equal.size() && repeats.begins.back() > equal.back() ? Cuts(repeats.begins)
                                                                                      : equal;
  }

  const Line& line_;
  const Loops& loops_;
};

// Folds all loops of a sequence.
void fold(Shape& shape, const Line& line, const Loops& loops) {
  const Folder folder(line, loops);
  std::vector<Piece> pieces;
  for (std::uint32_t at = 0; at < line.size();) {
    const Cuts cuts = folder.loop_at(at);
    const std::uint32_t until = cuts.empty() ? at + 1 : cuts.front();
    for (; at < until; ++at) pieces.push_back(std::move(shape.pieces[at]));
    if (cuts.empty()) continue;
    const auto number = static_cast<ContextId>(loops.number(line.body(cuts[0], cuts[1])));
    Piece loop{.begin = shape.pieces[cuts.front()].begin, .id = kFirstLoop + number, .iterations = {}};
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
      loop.iterations.emplace_back(std::make_move_iterator(shape.pieces.begin() + cuts[i]),
                                   std::make_move_iterator(shape.pieces.begin() + cuts[i + 1]));
    pieces.push_back(std::move(loop));
    at = cuts.back();
  }
  shape.pieces = std::move(pieces);
}

}  // namespace

void fold_together(std::span<Shape> shapes) {
  for (Shape& shape : shapes)
    for (std::uint32_t step = 0; step < shape.sequence.steps.size(); ++step)
      shape.pieces.push_back({.begin = step, .id = shape.sequence.steps[step].context, .iterations = {}});
  Loops loops;
  for (std::size_t round = 0; round < kMostRounds; ++round) {
    std::vector<Line> lines;
    for (const Shape& shape : shapes) lines.emplace_back(shape);
    if (!add_shortest(lines, loops)) return;
    for (std::size_t i = 0; i < shapes.size(); ++i) fold(shapes[i], lines[i], loops);
  }
}

std::vector<std::uint64_t> ids_of(const std::vector<Piece>& pieces) {
  std::vector<std::uint64_t> ids;
  ids.reserve(pieces.size());
  for (const Piece& piece : pieces) ids.push_back(piece.id);
  return ids;
}

}  // namespace memo::planner
