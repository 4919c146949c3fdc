// Whether a limit of passes at once grows where that makes them faster, and only there: simulated passes under a simulated clock.
#include "runtime/serving/turn_trial.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "tests/runtime/worth/simulated.h"

namespace memo::runtime {
namespace {

using testing::Noise;

constexpr std::uint32_t kLimit = 3;
constexpr std::uint32_t kThreads = 24;
constexpr std::int64_t kPass = kSecond / 500;

// A program whose threads run one pass after the other.
class Load {
 public:
  // `useful` passes at once are faster than fewer; from there on each takes longer for the others.
  Load(std::uint32_t useful, double spread, std::uint64_t seed)
      : useful_(useful), spread_(spread), noise_(seed) {
    trial_.begin(kLimit);
  }

  void run(std::int64_t nanoseconds) {
    for (const std::int64_t end = now_ + nanoseconds; now_ < end;) {
      const auto took = static_cast<double>(kPass) / std::min(may_run_, useful_) * noise_.factor(spread_);
      now_ += static_cast<std::int64_t>(took);
      ++ended_;
      waited_ += may_run_ < kThreads && crowded_ ? 1 : 0;
      may_run_ = trial_.limit_after({.now = now_, .ended = ended_, .waited = waited_},
                                    static_cast<std::uint64_t>(noise_.factor(0.5) * 1e9));
      with_more_ += may_run_ > kLimit ? 1 : 0;
    }
  }

  void let_nobody_wait() { crowded_ = false; }
  [[nodiscard]] std::uint32_t limit() const { return trial_.limit(); }
  [[nodiscard]] double share_with_more() const { return static_cast<double>(with_more_) / ended_; }

 private:
  TurnTrial trial_;
  const std::uint32_t useful_;
  const double spread_;
  Noise noise_;
  bool crowded_ = true;
  std::int64_t now_ = kSecond;
  std::uint32_t ended_ = 0, may_run_ = kLimit, with_more_ = 0;
  std::uint64_t waited_ = 0;
};

TEST(TurnTrial, TheLimitGrowsAsLongAsMorePassesAtOnceAreFaster) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Load load(kThreads, 0.1, seed);
    load.run(10 * kSecond);
    EXPECT_GE(load.limit(), kThreads) << "seed " << seed;
  }
}

TEST(TurnTrial, WherePassesWantProcessorsTheLimitStays) {
  int grown = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Load load(2, 0.1, seed);
    load.run(60 * kSecond);
    grown += load.limit() != kLimit ? 1 : 0;
  }
  EXPECT_LE(grown, 10) << "one experiment in a hundred may err";
}

TEST(TurnTrial, HavingSettledMoreRunRarely) {
  Load load(2, 0.01, 1);
  load.run(3600 * kSecond);
  EXPECT_EQ(load.limit(), kLimit);
  EXPECT_GT(load.share_with_more(), 0);
  EXPECT_LT(load.share_with_more(), 0.01);
}

TEST(TurnTrial, WhereNobodyWaitsThereIsNothingToFind) {
  Load load(kThreads, 0.01, 1);
  load.let_nobody_wait();
  load.run(60 * kSecond);
  EXPECT_EQ(load.limit(), kLimit);
}

}  // namespace
}  // namespace memo::runtime
