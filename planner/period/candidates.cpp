#include "planner/period/candidates.h"

#include <algorithm>

namespace memo::planner {
namespace {

constexpr double kLongestWait =
    2;  // times a pass's length: the steps until the next pass count with the pass up to here
constexpr std::size_t kLeastOneIn = 3;  // 1/3 of the stretches must be passes: others may lie between
constexpr double kLeastCovered = 0.6;  // of what the threads allocate: mean of the shares by number and bytes
constexpr double kLeastBytes = 64 * 1024;  // bytes served in a pass
constexpr double kStepsToBegin = 8;        // beginning a pass costs what serving so many allocations gains
constexpr std::size_t kStraysInPart = 4;   // strays accepted in a pass that is cut off
constexpr std::size_t kVariantsTried = 8;  // variants compared with a pass that is cut off

// The sums over the steps of a pass: those that a slot can serve, and those that outlive the pass.
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

// Returns true if the pass serves at least kLeastBytes. Stops at the first steps that are enough; strays do not
// count.
bool serves_enough(const Sequence& thread, const Stretch& pass) {
  double bytes = 0;
  auto stray = pass.strays.begin();
  for (std::uint32_t step = pass.begin; step < pass.end && bytes < kLeastBytes; ++step) {
    const bool strays = stray != pass.strays.end() && *stray == step;
    if (strays) ++stray;
    if (!strays && !outlives(thread[step], pass)) bytes += static_cast<double>(thread[step].size);
  }
  return bytes >= kLeastBytes;
}

std::vector<Step> without_strays(const Sequence& thread, const Stretch& pass) {
  std::vector<Step> steps;
  for_each_own_step(pass, [&](std::uint32_t step) { steps.push_back(thread[step]); });
  return steps;
}

// Returns how many steps from `at` on follow the pass, with a few strays in between.
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

// Returns the most steps of a cut-off part that any of the passes accounts for. The cut-off pass belongs to an
// unknown variant, most likely to that of one of its neighbours.
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

// Returns how many steps of cut-off passes there are. The begin and end of the recording, or the warm-up, cut
// the first and the last pass of each thread. How many of their steps are there depends on the anchor, and is
// no merit of the anchor. So these steps count as those of passes do, and all rotations get the same score.
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

// Returns the median over the passes, of which there is at least one.
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

double bytes_of(const StepIndex& index, const Stretch& pass) {
  double bytes = index.bytes_between(pass.thread, pass.begin, pass.end);
  for (const std::uint32_t stray : pass.strays)
    bytes -= static_cast<double>(index.threads()[pass.thread][stray].size);
  return bytes;
}

}  // namespace

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

void keep_worthwhile(std::span<const Sequence> threads, std::vector<Stretch>& passes) {
  std::erase_if(passes, [&](const Stretch& pass) { return !serves_enough(threads[pass.thread], pass); });
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

}  // namespace memo::planner
