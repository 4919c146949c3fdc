#include "planner/period/choice.h"

#include <algorithm>
#include <array>
#include <span>

namespace memo::planner {
namespace {

// ---- the table ----

enum class Better : std::uint8_t { kMore, kLess };

// The worst figure that a candidate may have: `times` the best figure, plus `more`, plus `each_pass` for every
// pass of the candidate. The best figure is taken of the candidates in the race that serve at least the share
// `of_served` of what the best of them serves.
struct Limit {
  double Candidate::*figure;
  Better better;
  double times = 1;
  double more = 0;
  double each_pass = 0;
  double of_served = 0;
};

// A candidate is dropped that is beyond any of the limits. All limits of a term see the same candidates.
struct Term {
  std::string_view name;
  std::span<const Limit> limits;
};

// Share of the steadiest candidate's steadiness. An anchor that makes passes of all that some threads do is
// right. Others gain a little by chance, from threads that load weights or warm up.
constexpr double kAboutAsSteady = 0.9;
// Share of what the best candidate serves. A candidate that serves less than this is no standard of steadiness:
// a short burst in one thread is steady, and worth nothing.
constexpr double kNotMuchLess = 0.8;
constexpr std::array kSteady = {Limit{.figure = &Candidate::steady,
                                      .better = Better::kMore,
                                      .times = kAboutAsSteady,
                                      .of_served = kNotMuchLess}};

// Share of what the best candidate serves. Rotations of one loop differ by less, and a rotation is not chosen
// for what it serves.
constexpr double kAboutAsMuch = 0.98;
constexpr std::array kServed = {
    Limit{.figure = &Candidate::score, .better = Better::kMore, .times = kAboutAsMuch}};

// Times what the tightest candidate leaks. A cut through the middle of a pass leaks a multiple of this.
constexpr double kLeakingAlike = 2;
// Steps and bytes per pass that any candidate may leak in addition. The tightest candidate often leaks nothing,
// and a few small blocks are no reason against an anchor.
constexpr double kLeakedSteps = 4;
constexpr double kLeakedBytes = 4096;
constexpr std::array kLeaks = {Limit{.figure = &Candidate::leaked_steps,
                                     .better = Better::kLess,
                                     .times = kLeakingAlike,
                                     .more = kLeakedSteps},
                               Limit{.figure = &Candidate::leaked_bytes,
                                     .better = Better::kLess,
                                     .times = kLeakingAlike,
                                     .more = kLeakedBytes}};

// Times the length of the shortest candidate. Two variants that take turns are two passes, not one pass of
// twice the length.
constexpr double kAboutAsLong = 1.1;
constexpr std::array kLength = {
    Limit{.figure = &Candidate::steps, .better = Better::kLess, .times = kAboutAsLong}};

// Times the idle occurrences of the anchor that has the fewest, and idle occurrences for each pass. When the
// arena serves, each idle occurrence begins a pass. One for each pass costs little; loading has thousands.
constexpr double kAboutAsOften = 2;
constexpr double kIdleEachPass = 1;
constexpr std::array kIdle = {Limit{
    .figure = &Candidate::idle, .better = Better::kLess, .times = kAboutAsOften, .each_pass = kIdleEachPass}};

// Stretches in vain for each pass that a candidate may have beyond those of the best. A context that occurs
// twice in each pass has one in vain for each.
constexpr double kVainEachPass = 0.25;
constexpr std::array kVain = {
    Limit{.figure = &Candidate::vain, .better = Better::kLess, .each_pass = kVainEachPass}};

// Bytes of stack. Call sites of one function differ by less; a function that it calls lies deeper.
constexpr double kAboutAsDeep = 256;
constexpr std::array kDepth = {
    Limit{.figure = &Candidate::depth, .better = Better::kLess, .more = kAboutAsDeep}};

// Share of what the best candidate serves. Rounding errors of equal candidates are smaller.
constexpr double kTheSame = 0.999;
constexpr std::array kServedMost = {
    Limit{.figure = &Candidate::score, .better = Better::kMore, .times = kTheSame}};

// A request comes in after the longest wait.
constexpr std::array kWait = {Limit{.figure = &Candidate::wait, .better = Better::kMore}};

constexpr std::array kTerms = {
    Term{.name = "steady", .limits = kSteady}, Term{.name = "served", .limits = kServed},
    Term{.name = "leaks", .limits = kLeaks},   Term{.name = "length", .limits = kLength},
    Term{.name = "idle", .limits = kIdle},     Term{.name = "vain", .limits = kVain},
    Term{.name = "depth", .limits = kDepth},   Term{.name = "served most", .limits = kServedMost},
    Term{.name = "wait", .limits = kWait},
};

// ---- the race ----

using Racers = std::vector<Standing*>;

double best_of(const Racers& racers, const Limit& limit) {
  double most_served = 0;
  for (const Standing* one : racers) most_served = std::max(most_served, one->candidate.score);
  std::optional<double> best;
  for (const Standing* one : racers) {
    if (one->candidate.score < most_served * limit.of_served) continue;
    const double figure = one->candidate.*limit.figure;
    if (!best || (limit.better == Better::kMore ? figure > *best : figure < *best)) best = figure;
  }
  return *best;
}

TermVerdict verdict_on(const Candidate& candidate, std::string_view term, const Limit& limit, double best) {
  TermVerdict verdict{.term = term, .figure = candidate.*limit.figure};
  verdict.limit = best * limit.times + limit.more + candidate.passes * limit.each_pass;
  verdict.kept =
      limit.better == Better::kMore ? verdict.figure >= verdict.limit : verdict.figure <= verdict.limit;
  return verdict;
}

// Adds the verdicts of one term. Stops at the first verdict that drops the candidate.
void judge_by(const Term& term, const Racers& racers, std::span<const double> best) {
  for (Standing* one : racers) {
    for (std::size_t i = 0; i < term.limits.size(); ++i) {
      one->verdicts.push_back(verdict_on(one->candidate, term.name, term.limits[i], best[i]));
      if (!one->verdicts.back().kept) break;
    }
  }
}

// Removes the candidates that the term drops, and returns them.
Racers drop(const Term& term, Racers& racers) {
  std::vector<double> best;
  for (const Limit& limit : term.limits) best.push_back(best_of(racers, limit));
  judge_by(term, racers, best);
  const auto kept = std::stable_partition(racers.begin(), racers.end(),
                                          [](const Standing* one) { return one->verdicts.back().kept; });
  Racers dropped(kept, racers.end());
  racers.erase(kept, racers.end());
  return dropped;
}

// Returns the first of those that serve most.
const Standing* best_rival(const Racers& rivals) {
  return *std::max_element(rivals.begin(), rivals.end(), [](const Standing* a, const Standing* b) {
    return a->candidate.score < b->candidate.score;
  });
}

Racers with_passes(std::vector<Standing>& standings) {
  Racers racers;
  for (Standing& one : standings)
    if (one.candidate.score > 0) racers.push_back(&one);
  return racers;
}

}  // namespace

std::vector<std::string_view> names_of_terms() {
  std::vector<std::string_view> names;
  names.reserve(std::size(kTerms));
  for (const Term& term : kTerms) names.push_back(term.name);
  return names;
}

std::optional<Decision> choose(const std::vector<Candidate>& candidates) {
  Decision decision{.standings = {}, .decided_by = kWithoutRival};
  for (const Candidate& candidate : candidates)
    decision.standings.push_back({.candidate = candidate, .verdicts = {}});
  const auto index_of = [&](const Standing* one) {
    return static_cast<std::size_t>(one - decision.standings.data());
  };
  Racers racers = with_passes(decision.standings);
  for (const Term& term : kTerms) {
    if (racers.empty()) return std::nullopt;
    const Racers dropped = drop(term, racers);
    if (dropped.empty()) continue;
    decision.runner_up = index_of(best_rival(dropped));
    decision.decided_by = term.name;
  }
  decision.chosen = index_of(racers.front());
  if (racers.size() > 1) {
    decision.runner_up = index_of(racers[1]);
    decision.decided_by = kDecidedByOrder;
  }
  return decision;
}

Choice summary_of(const Decision& decision) {
  const auto anchor_of = [&](std::size_t index) { return decision.standings[index].candidate.anchor; };
  Choice choice{.anchor = anchor_of(decision.chosen), .decided_by = decision.decided_by};
  if (decision.runner_up) choice.runner_up = anchor_of(*decision.runner_up);
  return choice;
}

}  // namespace memo::planner
