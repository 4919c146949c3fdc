// Tests that a command ends with its program's status although it faults itself, in each phase and thread. Failure: another
// status, or a command that never ends.
#include "planner/system/program_status.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <functional>
#include <stdexcept>
#include <thread>

namespace memo::process {
namespace {

constexpr int kStatus = 7;

// Returns the status of a child that does this.
int status_of(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(99);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

// Touches a page beyond the end of a file, as a mapping of one that was cut off.
void touch_what_is_not_there() {
  FILE* file = std::tmpfile();
  const auto* page =
      static_cast<const volatile char*>(mmap(nullptr, 4096, PROT_READ, MAP_SHARED, fileno(file), 0));
  static_cast<void>(page[0]);
}

void throw_to_nobody() {
  std::thread([] { throw std::runtime_error("of ours"); }).join();
}

TEST(ProgramStatus, OutlivesFaultsAfterTheProgramsEnd) {
  using Fault = void (*)();
  for (const Fault fault : {Fault{touch_what_is_not_there}, Fault{throw_to_nobody}, Fault{std::abort}}) {
    const int status = status_of([&] {
      outlive_own_faults();
      note_program_has_ended(kStatus);
      fault();
    });
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), kStatus);
  }
}

TEST(ProgramStatus, OutlivesAFaultOfAnotherThreadWhileTheProgramRuns) {
  const int status = status_of([] {
    outlive_own_faults();
    std::thread(touch_what_is_not_there).detach();
    usleep(100'000);  // of which nothing depends: the fault may come before the end or after it
    note_program_has_ended(kStatus);
    pause();
  });
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), kStatus);
}

TEST(ProgramStatus, LeavesAFaultBeforeTheProgramAsItIs) {
  const int status = status_of([] {
    outlive_own_faults();
    touch_what_is_not_there();
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGBUS);
}

TEST(ProgramStatus, IsNothingUntilTheProgramHasEnded) {
  EXPECT_FALSE(status_of_ended_program());
  const int status = status_of([] {
    note_program_has_ended(kStatus);
    _exit(status_of_ended_program() == kStatus ? 0 : 1);
  });
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace memo::process
