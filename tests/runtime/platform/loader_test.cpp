// Visits of what the loader has loaded, in copies of the process that are made while another thread is at one: the loader's
// lock is nobody's to give back there.
#include "runtime/platform/loader.h"

#include <gtest/gtest.h>

#include <semaphore>
#include <thread>

#include "tests/runtime/children.h"

namespace memo::runtime::testing {
namespace {

// A thread in the middle of a visit, until end() or the destructor.
class VisitElsewhere {
 public:
  VisitElsewhere() : thread_([this] { visit(); }) { begun_.acquire(); }
  ~VisitElsewhere() { end(); }
  VisitElsewhere(const VisitElsewhere&) = delete;
  VisitElsewhere& operator=(const VisitElsewhere&) = delete;

  void end() {
    if (!thread_.joinable()) return;
    may_end_.release();
    thread_.join();
  }

 private:
  void visit() {
    for_each_loaded_object([this](const dl_phdr_info&) {
      begun_.release();
      may_end_.acquire();
      return true;
    });
  }

  std::binary_semaphore begun_{0};
  std::binary_semaphore may_end_{0};
  std::thread thread_;
};

bool finds_objects() {
  return for_each_loaded_object([](const dl_phdr_info&) { return true; });
}

TEST(Loader, IsNotAskedInACopyMadeDuringAVisit) {
  const VisitElsewhere visit;
  EXPECT_TRUE(holds_in_copy([] { return !loader_can_be_asked() && !finds_objects(); }));
}

TEST(Loader, IsNotAskedInACopyOfSuchACopy) {
  const VisitElsewhere visit;
  EXPECT_TRUE(
      holds_in_copy([] { return !finds_objects() && holds_in_copy([] { return !finds_objects(); }); }));
  EXPECT_TRUE(holds_in_copy([] { return holds_in_copy([] { return !finds_objects(); }); }));
}

TEST(Loader, IsAskedInCopiesMadeBeforeAndAfterAVisit) {
  EXPECT_TRUE(holds_in_copy(finds_objects));
  VisitElsewhere visit;
  visit.end();
  EXPECT_TRUE(loader_can_be_asked());
  EXPECT_TRUE(holds_in_copy(finds_objects));
}

TEST(Loader, CountsAVisitWithinAVisit) {
  EXPECT_TRUE(for_each_loaded_object([](const dl_phdr_info&) { return finds_objects(); }));
  EXPECT_TRUE(holds_in_copy(finds_objects));
}

TEST(Loader, KeepsVisitsOutOfAFork) {
  hold_visits_for_fork();
  std::binary_semaphore begun{0};
  std::thread visitor([&] {
    begun.release();
    EXPECT_TRUE(finds_objects());
  });
  begun.acquire();
  const bool copied_well = holds_in_copy(finds_objects);
  allow_visits_after_fork();
  visitor.join();
  EXPECT_TRUE(copied_well);
}

// Otherwise a program that forks in a callback of the loader's would wait for ever.
TEST(Loader, HoldsNoForkUpForLong) {
  const VisitElsewhere visit;
  hold_visits_for_fork();
  allow_visits_after_fork();
}

TEST(Loader, HoldsNoVisitUpForLong) {
  hold_visits_for_fork();
  EXPECT_TRUE(finds_objects());
  allow_visits_after_fork();
}

}  // namespace
}  // namespace memo::runtime::testing
