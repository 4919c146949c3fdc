// A child at the lowest priority beside a program that keeps the processor busy, and beside none: who waits for it learns that
// it gets next to nothing, and only then.
#include "planner/system/last_of_all.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <string>

namespace memo::process {
namespace {

void stay_on_one_processor() {
  cpu_set_t all;
  CPU_ZERO(&all);
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  for (std::size_t number = 0; number < CPU_SETSIZE; ++number) {
    if (!CPU_ISSET(number, &all)) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(number, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    return;
  }
}

// A program that is as busy as can be.
class BusyProgram {
 public:
  BusyProgram() : child_(start({.words = {"/bin/sh", "-c", "while :; do :; done"}})) {}
  ~BusyProgram() {
    kill(child_.id, SIGKILL);
    [[maybe_unused]] const int status = wait_for(child_);
  }
  BusyProgram(const BusyProgram&) = delete;
  BusyProgram& operator=(const BusyProgram&) = delete;

 private:
  const Child child_;
};

Child start_at_lowest_priority(const std::string& script) {
  Command command;
  command.words = {"/bin/sh", "-c", script};
  command.last_of_all = true;
  return start(command);
}

TEST(LastOfAll, StarvesBesideABusyProgram) {
  stay_on_one_processor();
  const BusyProgram busy;
  const Child child = start_at_lowest_priority("while :; do :; done");
  EXPECT_FALSE(ends_without_starving(child));
  kill(child.id, SIGKILL);
  EXPECT_EQ(wait_for(child), 128 + SIGKILL);
}

TEST(LastOfAll, IsNotMistakenForStarvingWhereItEnds) {
  const Child child = start_at_lowest_priority("exit 7");
  EXPECT_TRUE(ends_without_starving(child));
  EXPECT_EQ(wait_for(child), 7);
}

// What is never called starving has a plan of 3 s of processor time within 10 s.
TEST(LastOfAll, LessThanAThirdOfAProcessorIsStarving) {
  using namespace std::chrono_literals;
  EXPECT_TRUE(is_starving(0s, 1s));
  EXPECT_TRUE(is_starving(330ms, 1s));
  EXPECT_FALSE(is_starving(340ms, 1s));
  EXPECT_TRUE(is_starving(340ms, 1100ms)) << "by the time that went by, not by the one that was asked for";
}

}  // namespace
}  // namespace memo::process
