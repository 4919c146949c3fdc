#include "planner/variants/worker_variant.h"

#include <algorithm>
#include <map>
#include <set>

#include "runtime/formats/plan_format.h"

namespace memo::planner {
namespace {

// 1/20 of the passes that workers worked for: a site that occurs in fewer is no part of the work.
constexpr std::size_t kSeldom = 20;
constexpr std::size_t kOften = 2;  // passes; a site in fewer does not recur
// 1/20 of the workers' passes, the longest ones, are left out: they may belong to a warm-up.
constexpr std::size_t kShareOfLongest = 20;
// Pieces of work repeat, and the arena begins again at the end of the variant, so a longer variant is of no
// use. It must not have more large slots than a plan can hold.
constexpr std::size_t kMostDemands = kMaxLargeSlots;

// An allocation of a worker's pass. Its life counts in such allocations, from its own number on.
struct Made {
  PlanSite site;
  Bytes size = 0;
  Bytes alignment = 1;
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = 0;  // end of the block's life, or of the pass if that is earlier
  bool outlives = false;     // the block outlives the pass
};

struct Work {
  std::size_t pass = 0;  // number of the owner's pass that had begun last, over all traces
  std::vector<Made> made;
};

// The time in which workers work for a pass: until the next pass begins, or until none runs. Sorted by the
// begin of the passes.
struct Span {
  std::uint64_t begin_ns;
  std::uint64_t end_ns;
};

std::vector<Span> spans_of(const Trace& trace) {
  std::vector<Span> spans;
  spans.reserve(trace.passes.size());
  for (const Pass& pass : trace.passes) spans.push_back({pass.begin_ns, pass.end_ns});
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.begin_ns < b.begin_ns; });
  std::uint64_t one_runs_until = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    one_runs_until = std::max(one_runs_until, spans[i].end_ns);
    spans[i].end_ns = i + 1 < spans.size() ? std::min(spans[i + 1].begin_ns, one_runs_until) : one_runs_until;
  }
  return spans;
}

std::set<ThreadIndex> threads_with_passes(const Trace& trace) {
  std::set<ThreadIndex> threads;
  for (const Pass& pass : trace.passes) threads.insert(pass.thread);
  return threads;
}

Made describe(const Allocation& allocation, PlanSite site, const Span& span) {
  const bool outlives = !allocation.freed || allocation.end_ns > span.end_ns;
  return {.site = site,
          .size = std::max<Bytes>(allocation.size, 1),
          .alignment = allocation.alignment,
          .begin_ns = allocation.begin_ns,
          .end_ns = outlives ? span.end_ns : allocation.end_ns,
          .outlives = outlives};
}

// Tells what workers allocated from what else was allocated outside of passes.
class Workers {
 public:
  explicit Workers(const Trace& trace) : spans_(spans_of(trace)), owners_(threads_with_passes(trace)) {}

  // Returns the number of the pass that the allocation was made for, from 1, or 0 if no worker made it.
  [[nodiscard]] std::size_t pass_of(const Allocation& allocation) const {
    const auto behind =
        std::upper_bound(spans_.begin(), spans_.end(), allocation.begin_ns,
                         [](std::uint64_t ns, const Span& span) { return ns < span.begin_ns; });
    if (behind == spans_.begin() || owners_.contains(allocation.thread)) return 0;
    if (allocation.begin_ns >= std::prev(behind)->end_ns) return 0;
    return static_cast<std::size_t>(behind - spans_.begin());
  }
  [[nodiscard]] const Span& span(std::size_t pass) const { return spans_[pass - 1]; }

 private:
  std::vector<Span> spans_;
  std::set<ThreadIndex> owners_;
};

void collect(const TraceView& view, std::size_t passes_before, std::vector<Work>& works) {
  const Workers workers(*view.trace);
  std::map<std::pair<ThreadIndex, std::size_t>, Work> by_thread;
  for (const Allocation& allocation : view.trace->outside) {
    const std::size_t pass = workers.pass_of(allocation);
    if (pass == 0) continue;
    Work& work = by_thread[{allocation.thread, pass}];
    work.pass = passes_before + pass;
    work.made.push_back(describe(allocation, view.site(allocation.site), workers.span(pass)));
  }
  for (auto& [key, work] : by_thread) works.push_back(std::move(work));
}

std::vector<Work> all_works(std::span<const TraceView> views) {
  std::vector<Work> works;
  std::size_t passes = 0;
  for (const TraceView& view : views) {
    collect(view, passes, works);
    passes += view.trace->passes.size() + 1;
  }
  return works;
}

// The figures of a site, over all works.
struct SiteRecord {
  std::set<std::size_t> passes;  // passes in which the site occurs
  std::size_t blocks = 0;
  std::size_t outliving = 0;
  Bytes largest = 0;
  Bytes alignment = 1;
  std::size_t at_once = 0;  // most blocks of one work that are live at once
};
using SiteRecords = std::map<PlanSite, SiteRecord>;

// Notes the most blocks of a site that are live at once in this work, each new block included.
void note_at_once(const Work& work, SiteRecords& records) {
  std::map<PlanSite, std::vector<std::uint64_t>> ends;
  for (const Made& made : work.made) {
    std::vector<std::uint64_t>& live = ends[made.site];
    std::erase_if(live, [&](std::uint64_t end) { return end <= made.begin_ns; });
    live.push_back(made.end_ns);
    SiteRecord& record = records[made.site];
    record.at_once = std::max(record.at_once, live.size());
  }
}

SiteRecords records_of(const std::vector<Work>& works) {
  SiteRecords records;
  for (const Work& work : works) {
    for (const Made& made : work.made) {
      SiteRecord& record = records[made.site];
      record.passes.insert(work.pass);
      ++record.blocks;
      record.outliving += made.outlives ? 1 : 0;
      record.largest = std::max(record.largest, made.size);
      record.alignment = std::max(record.alignment, made.alignment);
    }
    note_at_once(work, records);
  }
  return records;
}

// Returns true if the site recurs, and at least half of its blocks end with the pass.
bool is_worth_a_plan(const PlanSite& site, const SiteRecord& record, std::size_t passes) {
  return site.module != kNone && record.passes.size() >= std::max(kOften, passes / kSeldom) &&
         2 * record.outliving <= record.blocks;
}

void keep_what_recurs(std::vector<Work>& works, SiteRecords& records) {
  std::set<std::size_t> passes;
  for (const Work& work : works) passes.insert(work.pass);
  std::erase_if(records,
                [&](const auto& one) { return !is_worth_a_plan(one.first, one.second, passes.size()); });
  for (Work& work : works)
    std::erase_if(work.made, [&](const Made& made) { return !records.contains(made.site); });
  std::erase_if(works, [](const Work& work) { return work.made.empty(); });
}

const Work& long_one(std::vector<Work>& works) {
  std::stable_sort(works.begin(), works.end(),
                   [](const Work& a, const Work& b) { return a.made.size() < b.made.size(); });
  return works[works.size() - 1 - (works.size() - 1) / kShareOfLongest];
}

// Returns the number of the allocation of `work` before which this block ends.
Time end_of(const Work& work, std::size_t number) {
  const auto at = std::partition_point(work.made.begin(), work.made.end(), [&](const Made& made) {
    return made.begin_ns < work.made[number].end_ns;
  });
  return std::max<Time>(at - work.made.begin(), static_cast<Time>(number) + 1);
}

void follow(const Work& work, std::vector<Demand>& demands) {
  for (std::size_t i = 0; i < std::min(work.made.size(), demands.size()); ++i) {
    const Made& made = work.made[i];
    Demand& demand = demands[i];
    if (demand.site != made.site) return;
    demand.size = std::max(demand.size, made.size);
    demand.alignment = std::max(demand.alignment, made.alignment);
    demand.life.end = std::max(demand.life.end, end_of(work, i));
  }
}

// Gives a block that is left at the end of the work a place of its own, from the begin of the variant on. The owner has its
// answer by then, and often begins the next pass before the worker has cleaned up. In a place that the next pass needs, the
// block would displace another, that one the next, and so on to the end of the pass.
void keep_apart(std::vector<Demand>& demands) {
  for (Demand& demand : demands) {
    if (demand.life.end == static_cast<Time>(demands.size())) demand.life.begin = 0;
  }
}

// Returns the demands of the long work, large enough for every work that begins like it.
std::vector<Demand> demands_of(const Work& long_one, const std::vector<Work>& works) {
  std::vector<Demand> demands;
  for (const Made& made : std::span(long_one.made).first(std::min(long_one.made.size(), kMostDemands))) {
    const auto number = static_cast<Time>(demands.size());
    demands.push_back({.site = made.site});
    demands.back().life = {.begin = number, .end = number + 1};
  }
  for (const Work& work : works) follow(work, demands);
  keep_apart(demands);
  return demands;
}

// Adds demands for what other works allocate in addition. These live to the end of the variant, so that they
// share bytes only with blocks that end before them.
void add_what_others_have_more_of(const SiteRecords& records, std::vector<Demand>& demands) {
  for (const auto& [site, record] : records) {
    std::size_t there = 0;
    Bytes largest = 0;
    for (const Demand& demand : demands) {
      if (demand.site != site) continue;
      ++there;
      largest = std::max(largest, demand.size);
    }
    std::size_t missing = record.at_once > there ? record.at_once - there : 0;
    if (largest < record.largest) missing = std::max<std::size_t>(missing, 1);
    for (; missing > 0 && demands.size() < kMostDemands; --missing)
      demands.push_back({.size = record.largest, .alignment = record.alignment, .site = site});
  }
}

void close_lives(std::vector<Demand>& demands) {
  const auto end = static_cast<Time>(demands.size());
  for (Time i = 0; i < end; ++i) {
    Lifetime& life = demands[static_cast<std::size_t>(i)].life;
    life = life.end == 0 ? Lifetime{.begin = i, .end = end}
                         : Lifetime{.begin = life.begin, .end = std::min(life.end, end)};
  }
}

}  // namespace

void leave_work_of_workers(Trace& trace) {
  const Workers workers(trace);
  std::erase_if(trace.outside, [&](const Allocation& one) { return workers.pass_of(one) == 0; });
  trace.outside.shrink_to_fit();
}

std::optional<Variant> find_worker_variant(std::span<const TraceView> views) {
  std::vector<Work> works = all_works(views);
  SiteRecords records = records_of(works);
  keep_what_recurs(works, records);
  if (works.empty()) return std::nullopt;
  Variant variant{
      .key = kWorkerPassKey, .fingerprint = kWorkerPassKey, .pass_name = "workers", .runs = works.size()};
  variant.demands = demands_of(long_one(works), works);
  add_what_others_have_more_of(records, variant.demands);
  close_lives(variant.demands);
  return variant;
}

}  // namespace memo::planner
