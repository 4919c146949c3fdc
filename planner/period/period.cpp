#include "planner/period/period.h"

#include <algorithm>

#include "planner/period/beginnings.h"
#include "planner/period/stretches.h"

namespace memo::planner {
namespace {

// Steps at each thread's end in which the anchor is looked for.
constexpr std::size_t kLargestWindow = std::size_t{1} << 17;
constexpr std::size_t kSmallestWindow = std::size_t{1} << 10;
constexpr double kSteady =
    0.9;  // of the steps of the threads that have passes, in a window that is all passes
constexpr double kLongestWait =
    2;  // times the pass before: what a thread does until the next belongs to it, up to that

constexpr std::size_t kLeastRuns = 4;
constexpr std::size_t kLeastOneIn = 3;  // of the stretches is a pass: between two there may be something else
constexpr double kLeastCovered = 0.6;   // of what the threads allocate, by number and by bytes, on average
constexpr double kLeastBytes = 64 * 1024;  // served of a pass
constexpr std::size_t kMostTried = 1024;   // candidates
constexpr double kStepsToBegin = 8;        // beginning a pass costs what serving so many allocations gains
constexpr double kAboutAsMuch = 0.98;      // of what the best candidate would serve
constexpr double kNotMuchLess = 0.8;       // of it, by one that is steadier
constexpr double kAboutAsSteady = 0.9;     // as the steadiest of those
constexpr double kLeakingAlike = 2;        // times what the tightest of those leak,
constexpr double kLeakedBytes = 4096;      // and so much more
constexpr double kLeakedSteps = 4;
constexpr std::size_t kStraysInPart = 4;   // of a pass that is cut off
constexpr std::size_t kVariantsTried = 8;  // which that may be one of
constexpr double kAboutAsLong = 1.1;       // as the shortest of those
constexpr double kInVain = 0.25;           // of the passes: so many more stretches that are none
constexpr double kAboutAsDeep = 256;       // bytes of stack, as the shallowest of those
constexpr double kTheSame = 0.999;
constexpr double kAboutAsOften = 2;  // times the idle occurrences of the anchor that has the fewest

// What the decision is made of.
struct Candidate {
  ContextId anchor = 0;
  double score = 0;  // the share of what recurs that a plan would serve
  double passes = 0;
  double steps = 0;         // of the pass that a step lies in, on average
  double steady = 0;        // the share of what its threads do that belongs to passes
  double leaked_steps = 0;  // of a pass, on average: what outlives it
  double leaked_bytes = 0;
  double depth = 0;  // of the stack where a pass opens: the median
  double wait = 0;   // before a pass, in nanoseconds: the median, since any step may be interrupted
  double vain = 0;   // stretches among the passes that are none
  double idle = 0;   // occurrences that open no pass: each begins one all the same when it is served
};

// What recurs at all: a plan can hold nothing else. Weights, which are loaded once, do not weigh.
struct Totals {
  double steps = 0;
  double bytes = 0;
};

Totals totals_of(const StepIndex& index) {
  Totals totals;
  for (const Sequence& thread : index.threads()) {
    for (const Step& step : thread) {
      if (index.occurrences(step.context) < kLeastRuns) continue;
      totals.steps += 1;
      totals.bytes += static_cast<double>(step.size);
    }
  }
  return totals;
}

// What the steps of a pass come to: those that a slot can serve, and those that live on.
struct Account {
  double served = 0;
  double served_bytes = 0;
  double leaked = 0;
  double leaked_bytes = 0;
};

Account account_of(const Sequence& thread, const Stretch& pass) {
  Account account;
  for_each_own_step(pass, [&](std::uint32_t step) {
    const bool leaks = outlives(thread[step], pass);
    (leaks ? account.leaked : account.served) += 1;
    (leaks ? account.leaked_bytes : account.served_bytes) += static_cast<double>(thread[step].size);
  });
  return account;
}

// A loop over the lines of a script recurs as well. What sets a pass apart is that it works on tensors.
void keep_worthwhile(std::span<const Sequence> threads, std::vector<Stretch>& passes) {
  std::erase_if(passes, [&](const Stretch& pass) {
    return account_of(threads[pass.thread], pass).served_bytes < kLeastBytes;
  });
}

std::vector<Step> without_strays(const Sequence& thread, const Stretch& pass) {
  std::vector<Step> steps;
  for_each_own_step(pass, [&](std::uint32_t step) { steps.push_back(thread[step]); });
  return steps;
}

// How many of the steps from `at` on are those of the pass, but for strays.
template <typename InPass, typename InThread>
double alike(InPass pass, InPass pass_end, InThread at, InThread end) {
  double steps = 0;
  for (std::size_t strays = 0; pass != pass_end && at != end && strays <= kStraysInPart; ++at) {
    if (at->context != pass->context) {
      ++strays;
      continue;
    }
    ++pass;
    steps += 1;
  }
  return steps;
}

// The passes of one thread.
using Row = std::span<const Stretch>;

std::vector<Row> rows_of(const std::vector<Stretch>& passes) {
  std::vector<Row> rows;
  for (auto first = passes.begin(); first != passes.end();) {
    const auto last =
        std::find_if(first, passes.end(), [&](const Stretch& pass) { return pass.thread != first->thread; });
    rows.emplace_back(first, last);
    first = last;
  }
  return rows;
}

// The most that any of the passes makes of a part: which of the variants it is of, its neighbours show.
template <typename Part>
double most_of(const StepIndex& index, Row passes, const Part& part) {
  double most = 0;
  std::uint64_t asked = 0;
  for (const Stretch& pass : passes) {
    const std::uint64_t hash = index.hash(pass);
    if (hash == asked) continue;
    asked = hash;
    most = std::max(most, part(without_strays(index.threads()[pass.thread], pass)));
  }
  return most;
}

double part_before(const StepIndex& index, Row row) {
  const Sequence& thread = index.threads()[row.front().thread];
  const auto before = thread.rbegin() + static_cast<std::ptrdiff_t>(thread.size() - row.front().begin);
  return most_of(index, row.first(std::min(row.size(), kVariantsTried)), [&](const std::vector<Step>& pass) {
    return alike(pass.rbegin(), pass.rend(), before, thread.rend());
  });
}

double part_behind(const StepIndex& index, Row row) {
  const Sequence& thread = index.threads()[row.front().thread];
  const auto behind = thread.begin() + row.back().next;
  return most_of(index, row.last(std::min(row.size(), kVariantsTried)), [&](const std::vector<Step>& pass) {
    return alike(pass.begin(), pass.end(), behind, thread.end());
  });
}

// The first and the last pass of a thread are cut by where the recording begins and ends, or by warming up. How much of them is
// there depends on the anchor, and is no merit of it: it counts as passes do, so that all rotations come to the same.
double cut_off(const StepIndex& index, const std::vector<Stretch>& passes) {
  double steps = 0;
  for (const Row row : rows_of(passes)) steps += part_before(index, row) + part_behind(index, row);
  return steps;
}

double steps_of_threads(const StepIndex& index, const std::vector<Stretch>& passes) {
  double steps = 0;
  for (const Row row : rows_of(passes))
    steps += static_cast<double>(index.threads()[row.front().thread].size());
  return steps;
}

// The median over the passes, which are not empty.
template <typename Figure>
double usual(const std::vector<Stretch>& passes, const Figure& figure) {
  std::vector<std::uint64_t> figures;
  figures.reserve(passes.size());
  for (const Stretch& pass : passes) figures.push_back(figure(pass));
  const auto middle = figures.begin() + static_cast<std::ptrdiff_t>(figures.size() / 2);
  std::nth_element(figures.begin(), middle, figures.end());
  return static_cast<double>(*middle);
}

double usual_wait(const StepIndex& index, const std::vector<Stretch>& passes) {
  return usual(passes, [&](const Stretch& pass) {
    const Sequence& thread = index.threads()[pass.thread];
    return pass.begin == 0 ? 0 : thread[pass.begin].at_ns - thread[pass.begin - 1].at_ns;
  });
}

double usual_depth(const StepIndex& index, const std::vector<Stretch>& passes) {
  return usual(passes, [&](const Stretch& pass) { return index.threads()[pass.thread][pass.begin].depth; });
}

// From each thread's first pass on.
struct Figures {
  std::size_t stretches = 0;
  double covered = 0;
  double covered_bytes = 0;
};

double bytes_of(const StepIndex& index, const Stretch& pass) {
  double bytes = index.bytes_between(pass.thread, pass.begin, pass.end);
  for (const std::uint32_t stray : pass.strays)
    bytes -= static_cast<double>(index.threads()[pass.thread][stray].size);
  return bytes;
}

Figures figures_of(const StepIndex& index, ContextId anchor, const std::vector<Stretch>& passes) {
  double within = 0;
  double all = 0;
  double bytes_within = 0;
  double bytes = 0;
  std::vector<std::uint32_t> first(index.threads().size(), UINT32_MAX);
  for (std::size_t i = 0; i < passes.size(); ++i) {
    const Stretch& pass = passes[i];
    const bool is_first = i == 0 || passes[i - 1].thread != pass.thread;
    if (is_first) first[pass.thread] = pass.begin;
    const std::uint32_t begin = is_first ? pass.begin : passes[i - 1].end;
    within += static_cast<double>(pass.end - pass.begin - pass.strays.size());
    all += pass.end - begin;
    bytes_within += bytes_of(index, pass);
    bytes += index.bytes_between(pass.thread, begin, pass.end);
  }
  Figures figures{.covered = within / std::max(all, 1.0),
                  .covered_bytes = bytes_within / std::max(bytes, 1.0)};
  for (const StepIndex::Place& place : index.places(anchor))
    figures.stretches += place.step > first[place.thread];
  return figures;
}

bool are_enough(const std::vector<Stretch>& passes, const Figures& figures) {
  return passes.size() >= kLeastRuns && kLeastOneIn * passes.size() >= figures.stretches &&
         (figures.covered + figures.covered_bytes) / 2 >= kLeastCovered;
}

Candidate judge(const StepIndex& index, const Totals& totals, ContextId anchor) {
  Division division = divide(index, anchor);
  keep_worthwhile(index.threads(), division.passes);
  Candidate candidate{.anchor = anchor};
  double served = 0;
  double bytes = 0;
  double steps = 0;
  double with_waits = 0;
  for (const Stretch& pass : division.passes) {
    const Sequence& thread = index.threads()[pass.thread];
    const Account account = account_of(thread, pass);
    served += account.served;
    bytes += account.served_bytes;
    candidate.leaked_steps += account.leaked;
    candidate.leaked_bytes += account.leaked_bytes;
    const double length = pass.end - pass.begin;
    steps += length;
    candidate.steps += length * length;
    with_waits += std::min<double>(pass.next - pass.begin, length * kLongestWait);
  }
  const auto runs = static_cast<double>(division.passes.size());
  const Figures figures = figures_of(index, anchor, division.passes);
  if (!are_enough(division.passes, figures)) return candidate;
  candidate.passes = runs;
  candidate.vain = static_cast<double>(figures.stretches) - runs;
  candidate.steps /= steps;
  const double whole = 1 + cut_off(index, division.passes) / steps;
  candidate.steady = whole * with_waits / steps_of_threads(index, division.passes);
  const double begins = kStepsToBegin * static_cast<double>(division.stretches);
  candidate.score = whole * ((served - begins) / totals.steps + bytes / std::max(totals.bytes, 1.0)) / 2;
  candidate.leaked_steps /= runs;
  candidate.leaked_bytes /= runs;
  candidate.depth = usual_depth(index, division.passes);
  candidate.wait = usual_wait(index, division.passes);
  return candidate;
}

// 1 for one that comes at equal distances.
double unevenness(const std::vector<StepIndex::Place>& places) {
  double sum = 0;
  double squares = 0;
  double gaps = 0;
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    if (places[i].thread != places[i + 1].thread) continue;
    const double gap = places[i + 1].step - places[i].step;
    sum += gap;
    squares += gap * gap;
    gaps += 1;
  }
  return sum == 0 ? 0 : squares * gaps / (sum * sum);
}

bool may_be_anchor(const StepIndex& index, ContextId context, std::size_t steps) {
  const std::size_t occurrences = index.occurrences(context);
  return occurrences > kLeastRuns && occurrences * kLeastSteps <= steps && !index.irregular(context);
}

std::vector<ContextId> worth_trying(const StepIndex& index, const std::vector<bool>& may_open) {
  std::size_t steps = 0;
  for (const Sequence& thread : index.threads()) steps += thread.size();
  std::vector<std::pair<double, ContextId>> ranked;
  for (ContextId context = 0; context < index.contexts(); ++context)
    if (may_open[context] && may_be_anchor(index, context, steps))
      ranked.emplace_back(unevenness(index.places(context)), context);
  std::sort(ranked.begin(), ranked.end());
  if (ranked.size() > kMostTried) ranked.resize(kMostTried);
  std::vector<ContextId> contexts;
  contexts.reserve(ranked.size());
  for (const auto& [uneven, context] : ranked) contexts.push_back(context);
  return contexts;
}

template <typename Keep>
void keep_if(std::vector<Candidate>& candidates, const Keep& keep) {
  std::erase_if(candidates, [&](const Candidate& candidate) { return !keep(candidate); });
}

template <typename Value>
double largest(const std::vector<Candidate>& candidates, const Value& value) {
  double most = value(candidates.front());
  for (const Candidate& candidate : candidates) most = std::max(most, value(candidate));
  return most;
}

template <typename Value>
double least(const std::vector<Candidate>& candidates, const Value& value) {
  return -largest(candidates, [&](const Candidate& one) { return -value(one); });
}

// All that some threads do, rather than a little more that is a pass by chance in others, which load weights or warm up.
void prefer_steady(std::vector<Candidate>& candidates) {
  const double best = largest(candidates, [](const Candidate& one) { return one.score; });
  const double steadiest = largest(
      candidates, [&](const Candidate& one) { return one.score >= best * kNotMuchLess ? one.steady : 0; });
  keep_if(candidates, [&](const Candidate& one) { return one.steady >= steadiest * kAboutAsSteady; });
}

std::optional<Candidate> choose(std::vector<Candidate> candidates) {
  keep_if(candidates, [](const Candidate& one) { return one.score > 0; });
  if (candidates.empty()) return std::nullopt;
  const auto score = [](const Candidate& one) { return one.score; };
  prefer_steady(candidates);
  const double best = largest(candidates, score);
  keep_if(candidates, [&](const Candidate& one) { return one.score >= best * kAboutAsMuch; });
  const double tightest = least(candidates, [](const Candidate& one) { return one.leaked_steps; });
  const double tightest_bytes = least(candidates, [](const Candidate& one) { return one.leaked_bytes; });
  keep_if(candidates, [&](const Candidate& one) {
    return one.leaked_steps <= tightest * kLeakingAlike + kLeakedSteps &&
           one.leaked_bytes <= tightest_bytes * kLeakingAlike + kLeakedBytes;
  });
  if (candidates.empty()) return std::nullopt;
  const double shortest = least(candidates, [](const Candidate& one) { return one.steps; });
  keep_if(candidates, [&](const Candidate& one) { return one.steps <= shortest * kAboutAsLong; });
  const double rarest = least(candidates, [](const Candidate& one) { return one.idle; });
  keep_if(candidates, [&](const Candidate& one) { return one.idle <= rarest * kAboutAsOften + one.passes; });
  const double fewest = least(candidates, [](const Candidate& one) { return one.vain; });
  keep_if(candidates, [&](const Candidate& one) { return one.vain <= fewest + one.passes * kInVain; });
  const double shallowest = least(candidates, [](const Candidate& one) { return one.depth; });
  keep_if(candidates, [&](const Candidate& one) { return one.depth <= shallowest + kAboutAsDeep; });
  const double best_of_these = largest(candidates, score);
  keep_if(candidates, [&](const Candidate& one) { return one.score >= best_of_these * kTheSame; });
  return *std::max_element(candidates.begin(), candidates.end(),
                           [](const Candidate& a, const Candidate& b) { return a.wait < b.wait; });
}

// Steady is what comes last.
std::vector<Sequence> ends_of(std::span<const Sequence> threads, std::size_t window) {
  std::vector<Sequence> ends;
  for (const Sequence& thread : threads) {
    const std::size_t skipped = thread.size() - std::min(thread.size(), window);
    Sequence& end = ends.emplace_back(thread.begin() + static_cast<std::ptrdiff_t>(skipped), thread.end());
    for (Step& step : end)
      if (step.freed_at != UINT32_MAX)
        step.freed_at -= std::min(step.freed_at, static_cast<std::uint32_t>(skipped));
  }
  return ends;
}

// `occurrences` are those in all of the trace.
std::optional<Candidate> best_in(std::span<const Sequence> threads, const std::vector<bool>& may_open,
                                 const std::vector<std::size_t>& occurrences) {
  const StepIndex index(threads);
  const Totals totals = totals_of(index);
  std::vector<Candidate> candidates;
  for (const ContextId context : worth_trying(index, may_open)) {
    Candidate& candidate = candidates.emplace_back(judge(index, totals, context));
    candidate.idle = static_cast<double>(occurrences[context]) - candidate.passes;
  }
  return choose(std::move(candidates));
}

std::vector<std::size_t> count_occurrences(std::span<const Sequence> threads, std::size_t contexts) {
  std::vector<std::size_t> occurrences(contexts, 0);
  for (const Sequence& thread : threads)
    for (const Step& step : thread) ++occurrences[step.context];
  return occurrences;
}

// That of the largest window that is all passes: what came before them, loading and warming up, recurs in parts by chance, and
// in a smaller one the rounds of a loop within the passes would come to the fore. No such window: what each shows, largest first.
std::vector<ContextId> find_anchors(std::span<const Sequence> threads, const std::vector<bool>& may_open) {
  const std::vector<std::size_t> occurrences = count_occurrences(threads, may_open.size());
  std::vector<ContextId> anchors;
  for (std::size_t window = kLargestWindow; window >= kSmallestWindow; window /= 2) {
    const std::optional<Candidate> found = best_in(ends_of(threads, window), may_open, occurrences);
    if (found && found->steady >= kSteady) return {found->anchor};
    if (found && std::find(anchors.begin(), anchors.end(), found->anchor) == anchors.end())
      anchors.push_back(found->anchor);
  }
  return anchors;
}

std::optional<Period> passes_of(const StepIndex& index, ContextId anchor) {
  Division division = divide(index, anchor);
  leave_out_what_stays(index, division.passes);
  keep_worthwhile(index.threads(), division.passes);
  const Figures figures = figures_of(index, anchor, division.passes);
  if (!are_enough(division.passes, figures)) return std::nullopt;
  return Period{.anchor = anchor,
                .passes = std::move(division.passes),
                .stretches = figures.stretches,
                .covered = figures.covered};
}

}  // namespace

std::optional<Period> find_period(std::span<const Sequence> threads, const std::vector<bool>& may_open) {
  const std::vector<ContextId> anchors = find_anchors(threads, may_open);
  if (anchors.empty()) return std::nullopt;
  const StepIndex index(threads);
  for (const ContextId anchor : anchors)
    if (std::optional<Period> period = passes_of(index, anchor)) return period;
  return std::nullopt;
}

}  // namespace memo::planner
