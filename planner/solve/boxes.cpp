#include "planner/solve/boxes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "planner/solve/interval_rows.h"

namespace memo::planner {
namespace {

const double kMostSlack = (std::sqrt(5.0) - 1) / 2;

// Returns the squared binary logarithm of the spread, by which the theory divides a slack.
double damping(double spread) {
  const double bits = std::log2(std::max(spread, 2.0));
  return bits * bits;
}

std::size_t ceil_of(double value) {
  return static_cast<std::size_t>(std::ceil(std::min(value, 1e12)));
}

// Returns, of the numbers low … high (from 1), the one that a balanced tree over all numbers has nearest to its
// root.
std::size_t topmost(std::size_t low, std::size_t high) {
  while ((high & (high - 1)) >= low) high &= high - 1;
  return high;
}

// The critical moments of one round, and which lives meet which of them.
class Moments {
 public:
  explicit Moments(std::vector<Time> times) : times_(std::move(times)) {
    std::sort(times_.begin(), times_.end());
    times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
  }

  [[nodiscard]] bool meets(const Lifetime& life) const { return rank(life.begin) != rank(life.end); }
  // Returns the moment that a life is boxed around. The life must meet at least one moment.
  [[nodiscard]] std::size_t moment_of(const Lifetime& life) const {
    return topmost(rank(life.begin) + 1, rank(life.end));
  }
  // Returns the number of moments before a time: the interval between moments in which the time lies.
  [[nodiscard]] std::size_t rank(Time time) const {
    return static_cast<std::size_t>(std::lower_bound(times_.begin(), times_.end(), time) - times_.begin());
  }

 private:
  std::vector<Time> times_;
};

}  // namespace

Boxes::Boxes(const Problem& problem) : buffers_(problem.buffers.size()) {
  for (const Buffer& buffer : problem.buffers) jobs_.push_back({buffer.life, buffer.size, {}});
}

Boxes::Jobs Boxes::all_jobs() const {
  Jobs jobs(buffers_);
  for (JobIndex i = 0; i < buffers_; ++i) jobs[i] = i;
  return jobs;
}

Bytes Boxes::least(const Jobs& jobs) const {
  const auto smaller = [this](JobIndex a, JobIndex b) { return jobs_[a].size < jobs_[b].size; };
  return jobs_[*std::min_element(jobs.begin(), jobs.end(), smaller)].size;
}

Bytes Boxes::greatest(const Jobs& jobs) const {
  const auto smaller = [this](JobIndex a, JobIndex b) { return jobs_[a].size < jobs_[b].size; };
  return jobs_[*std::max_element(jobs.begin(), jobs.end(), smaller)].size;
}

double Boxes::spread(const Jobs& jobs) const {
  return static_cast<double>(greatest(jobs)) / static_cast<double>(least(jobs));
}

std::vector<Lifetime> Boxes::lives(const Jobs& jobs) const {
  std::vector<Lifetime> lives;
  lives.reserve(jobs.size());
  for (const JobIndex job : jobs) lives.push_back(jobs_[job].life);
  return lives;
}

Boxes::Range Boxes::slacks() const {
  const double all = spread(all_jobs());
  const double q = damping(all);
  return {std::pow(std::pow(q, 7) / all, 1.0 / 6), kMostSlack * q};
}

double Boxes::spread_after_small_jobs(double slack, Random& random) {
  forget_boxes();
  return spread(box_small_jobs(all_jobs(), slack, random));
}

Offsets Boxes::loose_offsets(double slack, Random& random) {
  forget_boxes();
  const Jobs jobs = box_small_jobs(all_jobs(), slack, random);
  const double eps = std::min(slack / damping(spread(jobs)), kMostSlack);
  const auto height = static_cast<Bytes>(std::ceil(static_cast<double>(greatest(jobs)) / eps));
  Offsets offsets(buffers_);
  unpack_rows(box_all(jobs, height, eps, random), 0, offsets);
  return offsets;
}

// Boxes the smallest jobs among themselves until the rest is of similar size. Each round raises the least size
// above its limit, so it ends.
Boxes::Jobs Boxes::box_small_jobs(Jobs jobs, double slack, Random& random) {
  while (true) {
    const double q = damping(spread(jobs));
    const double eps = slack / q;
    if (eps >= kMostSlack) return jobs;
    const double height = std::ceil(std::pow(eps, 5) * static_cast<double>(greatest(jobs)) / q);
    const auto limit = static_cast<Bytes>(eps * height);
    if (limit < least(jobs)) return jobs;
    const auto small =
        std::partition(jobs.begin(), jobs.end(), [&](JobIndex job) { return jobs_[job].size > limit; });
    const Jobs boxes = box_all(Jobs(small, jobs.end()), static_cast<Bytes>(height), eps, random);
    jobs.erase(small, jobs.end());
    jobs.insert(jobs.end(), boxes.begin(), boxes.end());
  }
}

// Boxes the jobs in buckets, one for each power of 1 + slack, so that the jobs of a bucket are almost of one
// size.
Boxes::Jobs Boxes::box_all(const Jobs& jobs, Bytes height, double slack, Random& random) {
  const double unit = static_cast<double>(least(jobs));
  std::map<int, Jobs> buckets;
  for (const JobIndex job : jobs) {
    const double times = static_cast<double>(jobs_[job].size) / unit;
    buckets[static_cast<int>(std::log(times) / std::log1p(slack))].push_back(job);
  }
  Jobs boxes;
  for (auto& [power, bucket] : buckets) {
    const auto capacity = static_cast<std::size_t>(std::max<Bytes>(1, height / greatest(bucket)));
    box_bucket({std::move(bucket), capacity, height, slack}, random, boxes);
  }
  return boxes;
}

void Boxes::box_bucket(Bucket bucket, Random& random, Jobs& boxes) {
  struct Round {
    Jobs jobs;
    std::vector<Time> moments;
  };
  std::vector<Round> rounds;
  rounds.push_back({std::move(bucket.jobs), {}});
  while (!rounds.empty()) {
    Round round = std::move(rounds.back());
    rounds.pop_back();
    // A moment at which at least one job lives makes every round end with fewer jobs.
    round.moments.push_back(jobs_[round.jobs[random.below(round.jobs.size())]].life.begin);
    const Moments moments(std::move(round.moments));
    std::map<std::size_t, Jobs> cliques;
    std::map<std::size_t, Round> between;
    for (const JobIndex job : round.jobs) {
      const Lifetime& life = jobs_[job].life;
      if (moments.meets(life)) {
        cliques[moments.moment_of(life)].push_back(job);
      } else {
        between[moments.rank(life.begin)].jobs.push_back(job);
      }
    }
    Jobs peeled;
    for (auto& [moment, clique] : cliques) box_clique(bucket, std::move(clique), boxes, peeled);
    box_rows(bucket, peeled, boxes);
    // Jobs of the next round can be boxed at the begins and ends of rows without sticking out.
    for (const JobIndex job : peeled) {
      for (const Time time : {jobs_[job].life.begin, jobs_[job].life.end}) {
        const auto next = between.find(moments.rank(time));
        if (next != between.end()) next->second.moments.push_back(time);
      }
    }
    for (auto& [interval, next] : between) rounds.push_back(std::move(next));
  }
}

// Boxes the jobs of `clique`, which all live at one moment.
void Boxes::box_clique(const Bucket& bucket, Jobs clique, Jobs& boxes, Jobs& peeled) {
  const std::size_t peel = bucket.capacity * ceil_of(1 / (bucket.slack * bucket.slack));
  const std::size_t strip = bucket.capacity * ceil_of(1 / bucket.slack);
  if (clique.size() <= 2 * peel) {
    peeled.insert(peeled.end(), clique.begin(), clique.end());
    return;
  }
  const auto born_first = [this](JobIndex a, JobIndex b) {
    return std::tie(jobs_[a].life.begin, a) < std::tie(jobs_[b].life.begin, b);
  };
  const auto dies_last = [this](JobIndex a, JobIndex b) {
    return std::tie(jobs_[b].life.end, b) < std::tie(jobs_[a].life.end, a);
  };
  // Removes the first `count` jobs in the order of `first` from the clique and returns them.
  const auto take = [&clique](std::size_t count, auto first) {
    count = std::min(count, clique.size());
    std::nth_element(clique.begin(), clique.begin() + static_cast<std::ptrdiff_t>(count) - 1, clique.end(),
                     first);
    Jobs taken(clique.begin(), clique.begin() + static_cast<std::ptrdiff_t>(count));
    clique.erase(clique.begin(), clique.begin() + static_cast<std::ptrdiff_t>(count));
    return taken;
  };
  const auto cut = [&](Jobs jobs, auto first) {
    std::sort(jobs.begin(), jobs.end(), first);
    for (auto at = jobs.begin(); at != jobs.end();) {
      const auto end = at + std::min(static_cast<std::ptrdiff_t>(bucket.capacity), jobs.end() - at);
      boxes.push_back(make_box(Jobs(at, end), bucket.height));
      at = end;
    }
  };
  for (const JobIndex job : take(peel, born_first)) peeled.push_back(job);
  for (const JobIndex job : take(peel, dies_last)) peeled.push_back(job);
  for (bool by_birth = true; !clique.empty(); by_birth = !by_birth) {
    if (by_birth) {
      cut(take(strip, born_first), dies_last);
    } else {
      cut(take(strip, dies_last), born_first);
    }
  }
}

// Stacks the jobs in as few rows as possible; every `capacity` rows make boxes.
void Boxes::box_rows(const Bucket& bucket, const Jobs& jobs, Jobs& boxes) {
  const std::vector<std::uint32_t> rows = interval_rows(lives(jobs));
  std::map<std::size_t, Jobs> bands;
  for (std::size_t i = 0; i < jobs.size(); ++i) bands[rows[i] / bucket.capacity].push_back(jobs[i]);
  for (auto& [band, members] : bands) box_parts(bucket, std::move(members), boxes);
}

// Makes one box for each stretch of time that the jobs cover without a gap.
void Boxes::box_parts(const Bucket& bucket, Jobs jobs, Jobs& boxes) {
  std::sort(jobs.begin(), jobs.end(),
            [this](JobIndex a, JobIndex b) { return jobs_[a].life.begin < jobs_[b].life.begin; });
  Jobs part;
  Time all_dead = jobs_[jobs.front()].life.end;
  for (const JobIndex job : jobs) {
    if (jobs_[job].life.begin >= all_dead) boxes.push_back(make_box(std::exchange(part, {}), bucket.height));
    all_dead = std::max(all_dead, jobs_[job].life.end);
    part.push_back(job);
  }
  boxes.push_back(make_box(std::move(part), bucket.height));
}

Boxes::JobIndex Boxes::make_box(Jobs contents, Bytes height) {
  Lifetime life = jobs_[contents.front()].life;
  for (const JobIndex job : contents) {
    life = {std::min(life.begin, jobs_[job].life.begin), std::max(life.end, jobs_[job].life.end)};
  }
  jobs_.push_back({life, height, std::move(contents)});
  return static_cast<JobIndex>(jobs_.size() - 1);
}

void Boxes::unpack(JobIndex job, Offset base, Offsets& offsets) const {
  if (job < buffers_) {
    offsets[job] = base;
    return;
  }
  std::map<Bytes, Jobs> by_size;
  for (const JobIndex inner : jobs_[job].contents) by_size[jobs_[inner].size].push_back(inner);
  for (auto same = by_size.rbegin(); same != by_size.rend(); ++same)
    base += unpack_rows(same->second, base, offsets);
}

// Stacks jobs of one size in rows. Returns how high they stand.
Bytes Boxes::unpack_rows(const Jobs& jobs, Offset base, Offsets& offsets) const {
  const std::vector<std::uint32_t> rows = interval_rows(lives(jobs));
  Bytes top = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Offset above = static_cast<Offset>(rows[i]) * jobs_[jobs[i]].size;
    top = std::max(top, above + jobs_[jobs[i]].size);
    unpack(jobs[i], base + above, offsets);
  }
  return top;
}

}  // namespace memo::planner
