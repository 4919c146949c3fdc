#include "planner/period/repeats.h"

#include <algorithm>
#include <unordered_map>

#include "planner/period/stretches.h"

namespace memo::planner {
namespace {

constexpr std::uint32_t kLookAhead = 64;  // extra and missing steps to look over at one place
constexpr std::uint32_t kAgreement = 3;   // steps that must agree after them
// Extra steps that an iteration may have: 1/8 of its body, and a few more if the body is not short.
constexpr std::size_t kMoreOneIn = 8;
constexpr std::size_t kMoreAlways = 4;
// Steps that an iteration may lack: 1/4 of its body, for operators that it does not need.
constexpr std::size_t kMissingOneIn = 4;
constexpr std::size_t kMostRotations = 16;   // rotations tried
constexpr std::size_t kMostCandidates = 16;  // bodies tried in full
constexpr double kAboutAsMuch = 0.995;       // share of the steps that the best body accounts for

// An iteration that begins at a step.
class Iteration {
 public:
  Iteration(const Body& body, const Sequence& steps, std::uint32_t begin, std::uint32_t end)
      : body_(body), steps_(steps), at_(begin), end_(end) {}

  // Reads the iteration. Returns false where the steps are no iteration.
  bool read() {
    while (next_ < body_.size()) {
      if (at_ < end_ && steps_[at_].context == body_[next_]) {
        places_.push_back(next_++);
        ++at_;
      } else if (!skip()) {
        return false;
      }
    }
    return true;
  }
  [[nodiscard]] std::uint32_t end() const { return at_; }
  [[nodiscard]] const std::vector<std::uint32_t>& places() const { return places_; }

 private:
  // Skips the fewest steps after which sequence and body agree again.
  bool skip() {
    for (std::uint32_t odd = 1; odd <= kLookAhead; ++odd) {
      for (std::uint32_t missing = 0; missing <= odd; ++missing) {
        if (agree(at_ + odd - missing, next_ + missing)) return pass_over(odd - missing, missing);
      }
    }
    return false;
  }
  bool pass_over(std::uint32_t more, std::uint32_t missing) {
    more_ += more;
    missing_ += missing;
    places_.insert(places_.end(), more, kNoPlace);
    at_ += more;
    next_ += missing;
    return more_ <= std::min(kMoreAlways, body_.size() / kMoreOneIn) + body_.size() / kMoreOneIn &&
           missing_ <= body_.size() / kMissingOneIn;
  }
  // Returns true if sequence and body agree from here. After an iteration comes the next one, or anything at
  // all.
  [[nodiscard]] bool agree(std::uint32_t at, std::uint32_t next) const {
    if (next > body_.size()) return false;
    for (std::uint32_t i = 0; i < kAgreement; ++i) {
      const std::uint32_t place = next + i;
      if (at + i >= end_ || steps_[at + i].context != body_[place % body_.size()])
        return i != 0 && place >= body_.size();
    }
    return true;
  }

  const Body& body_;
  const Sequence& steps_;
  std::uint32_t at_;
  std::uint32_t end_;  // of the steps that it may read
  std::uint32_t next_ = 0;
  std::size_t more_ = 0;
  std::size_t missing_ = 0;
  std::vector<std::uint32_t> places_;
};

// Returns how many steps have a place in the body.
std::size_t steps_in(const Repeats& repeats) {
  return static_cast<std::size_t>(std::count_if(repeats.places.begin(), repeats.places.end(),
                                                [](std::uint32_t place) { return place != kNoPlace; }));
}

std::size_t steps_in(const Body& body, std::span<const Nested> sequences) {
  std::size_t steps = 0;
  for (const Nested& sequence : sequences) {
    const Repeats repeats = repeats_of(body, sequence);
    if (repeats.count() >= 2) steps += steps_in(repeats);
  }
  return steps;
}

// ---- candidates ----

// The largest group of equal stretches between occurrences of one context.
struct Candidate {
  Stretch stretch;       // one of the group
  std::size_t runs = 0;  // number of stretches in the group

  [[nodiscard]] std::size_t length() const { return stretch.end - stretch.begin; }
  [[nodiscard]] std::size_t steps() const { return runs * length(); }
};

Candidate most_frequent_stretch(const StepIndex& index, std::span<const Nested> sequences, ContextId opens) {
  const std::vector<StepIndex::Place>& places = index.places(opens);
  std::unordered_map<std::uint64_t, Candidate> kinds;
  Candidate best;
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    const auto [thread, begin] = places[i];
    const std::uint32_t end = places[i + 1].step;
    if (thread != places[i + 1].thread) continue;
    if (sequences[thread].around[begin] != sequences[thread].around[end]) continue;
    const Stretch stretch{.thread = thread, .begin = begin, .end = end, .strays = {}};
    Candidate& kind = kinds.try_emplace(index.hash(stretch), Candidate{.stretch = stretch}).first->second;
    ++kind.runs;
    if (kind.steps() > best.steps()) best = kind;
  }
  return best;
}

// Returns one candidate for each length, because all rotations of one body have the same length.
std::vector<Candidate> candidates_of(const StepIndex& index, std::span<const Nested> sequences) {
  std::unordered_map<std::size_t, Candidate> by_length;
  for (ContextId context = 0; context < index.contexts(); ++context) {
    if (index.occurrences(context) < kLeastIterations) continue;
    const Candidate candidate = most_frequent_stretch(index, sequences, context);
    if (candidate.runs + 1 < kLeastIterations) continue;
    Candidate& known = by_length[candidate.length()];
    if (candidate.runs > known.runs) known = candidate;
  }
  std::vector<Candidate> candidates;
  candidates.reserve(by_length.size());
  for (const auto& [length, candidate] : by_length) candidates.push_back(candidate);
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.steps() != b.steps() ? a.steps() > b.steps() : a.length() < b.length();
  });
  if (candidates.size() > kMostCandidates) candidates.resize(kMostCandidates);
  return candidates;
}

Body body_of(const Candidate& candidate, std::span<const Nested> sequences) {
  Body body;
  for (std::uint32_t step = candidate.stretch.begin; step < candidate.stretch.end; ++step)
    body.push_back(sequences[candidate.stretch.thread].steps[step].context);
  return body;
}

// ---- rotations ----

// Returns how many steps before the first iteration are the end of an iteration.
std::size_t tail_before(const Body& body, const Nested& sequence, const Repeats& repeats) {
  std::size_t steps = 0;
  while (steps < body.size() && steps < repeats.begins.front() &&
         sequence.steps[repeats.begins.front() - 1 - steps].context == body[body.size() - 1 - steps])
    ++steps;
  return steps;
}

// Rotates the body so that it begins where the repetition begins. In the given rotation, the repetition may
// begin before the first whole iteration.
Body from_its_start(const Body& body, std::span<const Nested> sequences) {
  std::size_t tail = body.size() - 1;
  for (const Nested& sequence : sequences) {
    const Repeats repeats = repeats_of(body, sequence);
    if (repeats.count() >= 2) tail = std::min(tail, tail_before(body, sequence, repeats));
  }
  Body best = body;
  std::size_t most = steps_in(body, sequences);
  for (std::size_t back = tail; back > 0 && tail - back < kMostRotations; --back) {
    Body rotated(body.end() - static_cast<std::ptrdiff_t>(back), body.end());
    rotated.insert(rotated.end(), body.begin(), body.end() - static_cast<std::ptrdiff_t>(back));
    const std::size_t steps = steps_in(rotated, sequences);
    if (steps <= most) continue;
    most = steps;
    best = std::move(rotated);
  }
  return best;
}

// Returns the most steps that a rotation of the body can account for. It saves the trying of them all: in each sequence a rotation
// may begin before this one's first iteration, and end behind its last.
std::size_t most_steps_of_rotations(const Body& body, std::span<const Nested> sequences) {
  return steps_in(body, sequences) + 2 * sequences.size() * body.size();
}

bool repeats_often(const Body& body, std::span<const Nested> sequences) {
  return std::any_of(sequences.begin(), sequences.end(), [&](const Nested& sequence) {
    return repeats_of(body, sequence).count() >= kLeastIterations;
  });
}

}  // namespace

Repeats repeats_from(const Body& body, const Nested& sequence, std::uint32_t begin, std::uint32_t end) {
  Repeats run;
  std::uint32_t at = begin;
  while (at < end && sequence.around[at] == sequence.around[begin]) {
    Iteration iteration(body, sequence.steps, at, end);
    if (!iteration.read()) break;
    run.begins.push_back(at);
    run.places.insert(run.places.end(), iteration.places().begin(), iteration.places().end());
    at = iteration.end();
  }
  if (!run.begins.empty()) run.begins.push_back(at);
  return run;
}

// Returns true if the first steps of the body are here. A context may come many times in an iteration: each that is tried in vain
// costs a search for what may be missing.
bool begins_at(const Body& body, const Nested& sequence, std::uint32_t at) {
  const std::size_t steps = std::min<std::size_t>(kAgreement, body.size());
  return at + steps <= sequence.steps.size() &&
         std::equal(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(steps),
                    sequence.steps.begin() + at,
                    [](ContextId context, const Step& step) { return context == step.context; });
}

Repeats repeats_of(const Body& body, const Nested& sequence) {
  Repeats best;
  std::size_t most = 0;
  for (std::uint32_t at = 0; at < sequence.steps.size();) {
    if (!begins_at(body, sequence, at)) {
      ++at;
      continue;
    }
    Repeats run = repeats_from(body, sequence, at, static_cast<std::uint32_t>(sequence.steps.size()));
    at = run.count() == 0 ? at + 1 : run.begins.back();
    const std::size_t steps = steps_in(run);
    if (steps <= most) continue;
    most = steps;
    best = std::move(run);
  }
  return best;
}

std::optional<Body> find_body(std::span<const Nested> sequences) {
  std::vector<Sequence> threads;
  for (const Nested& sequence : sequences) threads.push_back(sequence.steps);
  const StepIndex index(threads);
  std::optional<Body> best;
  std::size_t most = 0;
  for (const Candidate& candidate : candidates_of(index, sequences)) {
    const Body found = body_of(candidate, sequences);
    const bool shorter = best && found.size() < best->size();
    const double needed = static_cast<double>(most) * (shorter ? kAboutAsMuch : 1 / kAboutAsMuch);
    if (static_cast<double>(most_steps_of_rotations(found, sequences)) < needed) continue;
    const Body body = from_its_start(found, sequences);
    const std::size_t steps = steps_in(body, sequences);
    if (steps == 0 || static_cast<double>(steps) < needed || !repeats_often(body, sequences)) continue;
    best = body;
    most = std::max(most, steps);
  }
  return best;
}

}  // namespace memo::planner
