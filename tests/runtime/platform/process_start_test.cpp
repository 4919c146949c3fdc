// Tests whether a process has ended, told from its number and its start: the claim to record
// (preload/modes/auto/recording_claim.h) must be taken over from a process that was killed, and never because the answer is
// not known.
#include "runtime/platform/process_start.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace memo::runtime {
namespace {

// A child that lives until it is told to end.
class Child {
 public:
  Child() {
    EXPECT_EQ(pipe(pipe_), 0);
    process_ = fork();
    if (process_ != 0) return;
    close(pipe_[1]);
    char nothing = 0;
    (void)!read(pipe_[0], &nothing, 1);
    _exit(0);
  }
  ~Child() {
    close(pipe_[0]);
    if (process_ != 0) collect();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] auto number() const { return static_cast<std::uint64_t>(process_); }

  // Leaves its status to be collected: the number stays taken.
  void end() {
    let_end();
    siginfo_t ended{};
    waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOWAIT);
  }
  void collect() {
    let_end();
    waitpid(process_, nullptr, 0);
    process_ = 0;
  }

 private:
  void let_end() {
    if (pipe_[1] >= 0) close(pipe_[1]);
    pipe_[1] = -1;
  }

  int pipe_[2] = {-1, -1};
  pid_t process_ = 0;
};

// An emulator of another processor does not tell a program its own start, but those of others.
TEST(ProcessStart, IsTheSameAtEachLookAndNotBeforeThatOfTheParent) {
  const Child child;
  const std::uint64_t childs = start_of_process(child.number());
  EXPECT_NE(childs, 0U);
  EXPECT_EQ(childs, start_of_process(child.number()));
  EXPECT_GE(childs, start_of_process(static_cast<std::uint64_t>(getpid())));
}

TEST(ProcessStart, AProcessThatLivesHasNotEnded) {
  const Child child;
  EXPECT_FALSE(has_process_ended(child.number(), start_of_process(child.number())));
  EXPECT_FALSE(has_process_ended(child.number(), 0)) << "nothing is known of its start";
  EXPECT_FALSE(has_process_ended(1, start_of_process(1))) << "another user's, perhaps";
}

TEST(ProcessStart, AProcessHasEndedBeforeItsParentWaitsForItAndAfterwards) {
  Child child;
  const std::uint64_t number = child.number();
  const std::uint64_t started = start_of_process(number);
  child.end();
  EXPECT_TRUE(has_process_ended(number, started));
  child.collect();
  EXPECT_TRUE(has_process_ended(number, started));
}

TEST(ProcessStart, AnotherProcessOfTheSameNumberIsNotTheOneThatWasMeant) {
  const Child child;
  EXPECT_TRUE(has_process_ended(child.number(), start_of_process(child.number()) - 1));
}

}  // namespace
}  // namespace memo::runtime
