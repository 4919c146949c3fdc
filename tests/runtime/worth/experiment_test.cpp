// The experiment on simulated requests: their clocks go as fast as the test says. Failure: what the load does by itself, its drift, its
// period or other threads, is taken for the worth of serving, or the heap gets more requests than it should.
#include "runtime/worth/experiment.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/runtime/worth/simulated.h"

namespace memo::runtime {
namespace {

using testing::Noise;

constexpr double kMillisecond = 1e6;
constexpr int kMostRequests = 1'000'000;

// A program whose requests take `nanoseconds_of(number)` on the heap, and a share more where they are served.
class Program {
 public:
  Program(std::uint64_t seed, double effect) : noise_(seed), effect_(effect) {}

  template <typename Nanoseconds>
  Finding run(Nanoseconds nanoseconds_of) {
    for (requests_ = 0; !experiment_.is_over() && requests_ < kMostRequests; ++requests_) {
      const bool serves = experiment_.serves_next([this] { return taken(); }, noise_.next());
      served_ += serves ? 1 : 0;
      const double change = served_before_ && !serves ? change_ : 0;
      served_before_ = serves;
      const double time =
          nanoseconds_of(requests_) * (serves ? 1 + effect_ : 1 + change) * noise_.factor(0.02);
      thread_ += time;
      process_ += time + workers_ * time;
      const std::uint64_t on_the_heap = on_heap_ < cold_ ? 1000 : 5;
      faults_ += serves ? 2 : on_the_heap;
      on_heap_ += serves ? 0 : 1;
      others_ += passes_of_others_;
    }
    return experiment_.test().finding();
  }

  // Threads that compute for each request as much as its own does.
  void have_workers(double workers) { workers_ = workers; }
  // The first request after a change from the slab to the heap takes so much more.
  void have_changes_cost(double change) { change_ = change; }
  // So many requests find a heap that has no memory yet.
  void have_a_cold_heap(int requests) { cold_ = requests; }
  void have_passes_of_others() { passes_of_others_ = 1; }

  [[nodiscard]] int requests() const { return requests_; }
  [[nodiscard]] int served() const { return served_; }
  [[nodiscard]] double seconds() const { return thread_ / 1e9; }
  [[nodiscard]] const Experiment& experiment() const { return experiment_; }

 private:
  [[nodiscard]] Taken taken() const {
    return {.thread = static_cast<std::uint64_t>(thread_),
            .process = static_cast<std::uint64_t>(process_),
            .faults_of_thread = faults_,
            .faults_of_process = faults_,
            .passes = {.own = static_cast<std::uint64_t>(requests_), .others = others_}};
  }

  Noise noise_;
  double effect_;
  double change_ = 0;
  bool served_before_ = false;
  Experiment experiment_;
  int requests_ = 0, served_ = 0, on_heap_ = 0, cold_ = 0;
  double thread_ = 0, process_ = 0, workers_ = 0;
  std::uint64_t faults_ = 0, others_ = 0, passes_of_others_ = 0;
};

TEST(Experiment, FindsWhatServingIsWorth) {
  for (const double milliseconds : {0.01, 1.0, 100.0}) {
    Program program(1, -0.05);
    EXPECT_EQ(program.run([=](int) { return milliseconds * kMillisecond; }), Finding::kHelps) << milliseconds;
    EXPECT_NEAR(program.experiment().test().share(), -0.05, 0.02);
    EXPECT_NEAR(program.experiment().more_faults(), -3, 0.01);
  }
}

// A program that serving makes slower by two hundredths is left within ten seconds of requests.
TEST(Experiment, LeavesWhatHarmsWithinTenSeconds) {
  for (const double milliseconds : {0.02, 3.0, 20.0}) {
    Program program(2, 0.02);
    EXPECT_EQ(program.run([=](int) { return milliseconds * kMillisecond; }), Finding::kHarms) << milliseconds;
    EXPECT_LT(program.seconds(), 10) << milliseconds;
  }
}

// The way of the first block is left to chance, so that neither way gets the better half of a load that comes and goes.
TEST(Experiment, TakesNoPeriodOrDriftForAnEffect) {
  const auto periodic = [](int period) {
    return [period](int number) { return (number % period == 0 ? 3 : 1) * kMillisecond; };
  };
  const auto drifting = [](int number) { return kMillisecond * std::pow(1.003, number); };
  const auto waving = [](int number) { return kMillisecond * (1 + 0.3 * std::sin(number / 40.0)); };
  int wrong = 0, runs = 0;
  const auto look_at = [&](Finding finding) {
    ++runs;
    wrong += finding == Finding::kHelps || finding == Finding::kHarms ? 1 : 0;
  };
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    for (const int period : {2, 3, 4, 6, 10}) look_at(Program(seed, 0).run(periodic(period)));
    look_at(Program(seed, 0).run(drifting));
    look_at(Program(seed, 0).run(waving));
  }
  EXPECT_LE(wrong, runs / 100) << "of " << runs;
}

TEST(Experiment, LeavesOutWhatAChangeCosts) {
  int wrong = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Program program(seed, 0);
    program.have_changes_cost(0.5);
    wrong += program.run([](int) { return kMillisecond; }) == Finding::kHelps ? 1 : 0;
  }
  EXPECT_LE(wrong, 1);
}

TEST(Experiment, LeavesOutWhatTheHeapHasToGetFirst) {
  Program program(4, -0.05);
  program.have_a_cold_heap(2);
  EXPECT_EQ(program.run([](int) { return 3 * kMillisecond; }), Finding::kHelps);
  EXPECT_NEAR(program.experiment().more_faults(), -3, 0.01);
}

TEST(Experiment, CountsThreadsThatComputeForTheOnlyOneWithPasses) {
  Program program(3, -0.05);
  program.have_workers(3);
  program.run([](int) { return kMillisecond; });
  EXPECT_NEAR(program.experiment().test().share(), -0.05, 0.02);
}

// Half of the requests of an experiment go to the heap, and hardly more.
TEST(Experiment, GivesTheHeapAsManyRequestsAsTheSlab) {
  Program program(4, 0);
  program.have_passes_of_others();
  program.run([](int) { return kMillisecond; });
  EXPECT_NEAR(program.served(), program.requests() / 2.0, program.requests() / 10.0);
}

TEST(Experiment, KnowsUnderWhichLoadItMeasured) {
  Program alone(5, -0.05), beside_another(5, -0.05);
  beside_another.have_passes_of_others();
  alone.run([](int) { return kMillisecond; });
  beside_another.run([](int) { return kMillisecond; });
  EXPECT_EQ(alone.experiment().load().others, 0U);
  EXPECT_EQ(beside_another.experiment().load().others, beside_another.experiment().load().own);
  EXPECT_TRUE(has_changed(alone.experiment().load(), beside_another.experiment().load()));
}

// Blocks of tiny passes become so long that reading the clocks costs next to nothing.
TEST(Experiment, ReadsTheClocksSeldom) {
  Experiment experiment;
  int reads = 0;
  std::uint64_t now = 0;
  const auto take = [&] {
    ++reads;
    return Taken{now, now, 0, 0, {}};
  };
  int requests = 0;
  for (; requests < 20'000 && !experiment.is_over(); ++requests) {
    experiment.serves_next(take, 1);
    now += 20'000 + static_cast<std::uint64_t>(requests % 97) * 300;
  }
  EXPECT_LT(reads, requests / 20);
}

TEST(Experiment, ForgetsAPairThatIsBroken) {
  Experiment experiment;
  std::uint64_t now = 0;
  const auto take = [&] { return Taken{now, now, 0, 0, {}}; };
  for (int request = 0; request < 100; ++request) {
    experiment.serves_next(take, 0);
    now += 1'000'000;
    experiment.drop_pair();
  }
  EXPECT_EQ(experiment.test().pairs(), 0U);
}

}  // namespace
}  // namespace memo::runtime
