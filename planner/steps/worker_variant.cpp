#include "planner/steps/worker_variant.h"

#include <algorithm>
#include <bit>
#include <compare>
#include <map>
#include <set>

#include "planner/steps/worker_steps.h"
#include "runtime/formats/plan_format.h"

namespace memo::planner {
namespace {

// 1/20 of the passes that workers worked for: a site that occurs in fewer is no part of the work.
constexpr std::size_t kSeldom = 20;
constexpr std::size_t kOften = 2;  // passes; a site in fewer does not recur
// 1/20 of the workers' passes, the longest ones, are left out: they may belong to a warm-up.
constexpr std::size_t kShareOfLongest = 20;
// Pieces of work repeat, and the arena begins again at the end of the variant, so a longer variant is of no use.
constexpr std::size_t kMostDemands = 16'384;
constexpr Bytes kMayBeLarge = 4096;  // smaller blocks go to cells where a plan has too many large slots

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

// Counts demands as long as a plan can hold them all.
class Room {
 public:
  [[nodiscard]] bool has_some() const { return demands_ < kMostDemands && large_ < kMaxLargePlaces; }
  void take(Bytes size) {
    ++demands_;
    large_ += size >= kMayBeLarge ? 1 : 0;
  }

 private:
  std::size_t demands_ = 0;
  std::size_t large_ = 0;
};

// The figures of a site, over all works.
struct SiteRecord {
  std::set<std::size_t> passes;  // passes in which the site occurs
  std::size_t blocks = 0;
  std::size_t outliving = 0;
};
using SiteRecords = std::map<PlanSite, SiteRecord>;

SiteRecords records_of(const std::vector<Work>& works) {
  SiteRecords records;
  for (const Work& work : works) {
    for (const Made& made : work.made) {
      SiteRecord& record = records[made.site];
      record.passes.insert(work.pass);
      ++record.blocks;
      record.outliving += made.outlives ? 1 : 0;
    }
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
std::size_t end_of(const Work& work, std::size_t number) {
  const auto at = std::partition_point(work.made.begin(), work.made.end(), [&](const Made& made) {
    return made.begin_ns < work.made[number].end_ns;
  });
  return std::max(static_cast<std::size_t>(at - work.made.begin()), number + 1);
}

// Returns the demand before which a block of the work ends: the one behind the last that answers a step before its end.
Time end_in(const std::vector<std::uint32_t>& steps, std::size_t end) {
  while (steps[--end] == kNone) continue;
  return static_cast<Time>(steps[end]) + 1;
}

// Makes the demands large enough for a work, and lets them live as long as its blocks. The work does the same steps with other sizes,
// as where several workers share branches of a network. The smallest size is noted as well: the arena lends a gap only to a block
// of a size that was seen.
void follow(const Work& work, const StepsOfVariant& variant, std::vector<Demand>& demands) {
  const std::vector<std::uint32_t> steps = variant.steps_of(work);
  for (std::size_t i = 0; i < work.made.size(); ++i) {
    if (steps[i] == kNone) continue;
    const Made& made = work.made[i];
    Demand& demand = demands[steps[i]];
    const Bytes least = std::min(demand.size == 0 ? made.size : demand.size - demand.spread, made.size);
    demand.size = std::max(demand.size, made.size);
    demand.spread = demand.size - least;
    demand.alignment = std::max(demand.alignment, made.alignment);
    demand.life.end = std::max(demand.life.end, end_in(steps, end_of(work, i)));
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

// Returns the demands of the long work, large enough for what every work has in common with it.
std::vector<Demand> demands_of(const Work& long_one, const std::vector<Work>& works, Room& room) {
  std::vector<Demand> demands;
  for (const Made& made : long_one.made) {
    if (!room.has_some()) break;
    room.take(made.size);
    const auto number = static_cast<Time>(demands.size());
    demands.push_back({.site = made.site});
    demands.back().life = {.begin = number, .end = number + 1};
  }
  const StepsOfVariant variant(demands);
  for (const Work& work : works) follow(work, variant, demands);
  keep_apart(demands);
  return demands;
}

// Blocks of one site whose sizes are within a factor of two. All tensors of a framework may come from one site.
struct Kind {
  PlanSite site;
  std::uint64_t magnitude = 0;  // number of bits of the size
  friend auto operator<=>(const Kind&, const Kind&) = default;
};

Kind kind_of(const PlanSite& site, Bytes size) {
  return {.site = site,
          .magnitude = static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint64_t>(size - 1)))};
}

struct KindRecord {
  Bytes largest = 0;
  Bytes alignment = 1;
  std::size_t at_once = 0;  // most blocks of one work that are live at once
};
using KindRecords = std::map<Kind, KindRecord>;

// Adds up the blocks of each kind, in the order in which they begin.
class Kinds {
 public:
  void add(const Kind& kind, Bytes size, Bytes alignment, std::uint64_t begin, std::uint64_t end) {
    std::vector<std::uint64_t>& live = ends_[kind];
    std::erase_if(live, [begin](std::uint64_t ended) { return ended <= begin; });
    live.push_back(end);
    KindRecord& record = records_[kind];
    record.at_once = std::max(record.at_once, live.size());
    record.largest = std::max(record.largest, size);
    record.alignment = std::max(record.alignment, alignment);
  }
  // Forgets what lives, before another work.
  void begin_another() { ends_.clear(); }
  [[nodiscard]] const KindRecords& records() const { return records_; }

 private:
  std::map<Kind, std::vector<std::uint64_t>> ends_;
  KindRecords records_;
};

KindRecords kinds_of(const std::vector<Work>& works) {
  Kinds kinds;
  for (const Work& work : works) {
    kinds.begin_another();
    for (const Made& made : work.made)
      kinds.add(kind_of(made.site, made.size), made.size, made.alignment, made.begin_ns, made.end_ns);
  }
  return kinds.records();
}

KindRecords kinds_of(const std::vector<Demand>& demands) {
  Kinds kinds;
  for (std::size_t i = 0; i < demands.size(); ++i)
    kinds.add(kind_of(demands[i].site, demands[i].size), demands[i].size, demands[i].alignment, i,
              static_cast<std::uint64_t>(demands[i].life.end));
  return kinds.records();
}

// Returns what there is for blocks of this kind: blocks of the same site that are as large or larger.
KindRecord found_for(const Kind& kind, const KindRecords& there) {
  KindRecord found;
  for (auto at = there.lower_bound(kind); at != there.end() && at->first.site == kind.site; ++at) {
    found.largest = std::max(found.largest, at->second.largest);
    found.at_once = std::max(found.at_once, at->second.at_once);
  }
  return found;
}

// Adds demands for what other works allocate in addition. These live to the end of the variant, so that they
// share bytes only with blocks that end before them.
void add_what_others_have_more_of(const std::vector<Work>& works, std::vector<Demand>& demands, Room& room) {
  const KindRecords there = kinds_of(demands);
  for (const auto& [kind, record] : kinds_of(works)) {
    const KindRecord own = found_for(kind, there);
    std::size_t missing = record.at_once > own.at_once ? record.at_once - own.at_once : 0;
    if (own.largest < record.largest) missing = std::max<std::size_t>(missing, 1);
    for (; missing > 0 && room.has_some(); --missing) {
      room.take(record.largest);
      demands.push_back({.size = record.largest, .alignment = record.alignment, .site = kind.site});
    }
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
  Room room;
  variant.demands = demands_of(long_one(works), works, room);
  add_what_others_have_more_of(works, variant.demands, room);
  close_lives(variant.demands);
  return variant;
}

}  // namespace memo::planner
