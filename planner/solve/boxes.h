// Boxing: packs many buffers of many sizes into few boxes of one size, which are then easy to stack. After
// Buchsbaum et al. (2003) and its practical form, idealloc (Lamprakos et al.).
//
//      |        +--------------box---------------+     A box holds jobs (buffers or boxes) of almost equal size,
//      |        | [---job---]   [-----job-----]  |     at most `capacity` of them at any moment, so they stack in
//      |        |    [--job--][----job----]      |     rows inside it. Its height is that of all boxes of the
//      |        +--------------------------------+     round, its life that of what it holds.
//
// Jobs of one size are boxed around critical moments. Of the jobs alive at a moment, the earliest born and the
// latest dying fit no box tightly: they are peeled off and stacked in plain rows. The rest is
// cut into strips, in turn by birth and by death, and each strip into boxes, so that jobs which share a box
// also share much of their lives. Jobs between two critical moments wait for the next round, which has moments
// of its own. These are partly random: another seed gives other boxes.
#pragma once

#include <cstddef>
#include <vector>

#include "planner/placing/random.h"
#include "planner/problem/problem.h"

namespace memo::planner {

class Boxes {
 public:
  using JobIndex = std::uint32_t;

  // Begins with the buffers as the jobs 0 … n-1; boxes get the indices from n on.
  explicit Boxes(const Problem& problem);

  // Boxes everything at a slack of `slack` (the eps of the theory) and returns the loose offsets of the buffers
  // when all boxes are stacked. Loose offsets are an order for first fit, not a valid plan. O(n log n)
  // expected.
  [[nodiscard]] Offsets loose_offsets(double slack, Random& random);

  // The slacks for which the theory works: [low, high).
  struct Range {
    double low;
    double high;
  };
  [[nodiscard]] Range slacks() const;

  // Returns the ratio of the largest to the smallest job after boxing the small jobs at this slack. The smaller
  // the ratio, the fewer sizes are left for the last round.
  [[nodiscard]] double spread_after_small_jobs(double slack, Random& random);

 private:
  struct Job {
    Lifetime life;
    Bytes size = 0;
    std::vector<JobIndex> contents;
  };
  using Jobs = std::vector<JobIndex>;

  // The jobs of one size that are to be boxed: `capacity` rows to a box of height `height`.
  struct Bucket {
    Jobs jobs;
    std::size_t capacity;
    Bytes height;
    double slack;
  };

  [[nodiscard]] Jobs all_jobs() const;
  [[nodiscard]] Bytes least(const Jobs& jobs) const;
  [[nodiscard]] Bytes greatest(const Jobs& jobs) const;
  [[nodiscard]] double spread(const Jobs& jobs) const;
  [[nodiscard]] std::vector<Lifetime> lives(const Jobs& jobs) const;

  void forget_boxes() { jobs_.resize(buffers_); }
  Jobs box_small_jobs(Jobs jobs, double slack, Random& random);
  Jobs box_all(const Jobs& jobs, Bytes height, double slack, Random& random);
  void box_bucket(Bucket bucket, Random& random, Jobs& boxes);
  void box_clique(const Bucket& bucket, Jobs clique, Jobs& boxes, Jobs& peeled);
  void box_rows(const Bucket& bucket, const Jobs& jobs, Jobs& boxes);
  void box_parts(const Bucket& bucket, Jobs jobs, Jobs& boxes);
  JobIndex make_box(Jobs contents, Bytes height);
  void unpack(JobIndex job, Offset base, Offsets& offsets) const;
  Bytes unpack_rows(const Jobs& jobs, Offset base, Offsets& offsets) const;

  std::size_t buffers_;
  std::vector<Job> jobs_;
};

}  // namespace memo::planner
