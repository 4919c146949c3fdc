// The library's own thread: none in a program of one thread, and none that takes a signal of the program's.
#include "runtime/platform/helper_thread.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/single_threaded.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <thread>

namespace memo::runtime {
namespace {

std::atomic<bool> g_ran{false};
sigset_t g_held{};

void note_signals() {
  pthread_sigmask(SIG_BLOCK, nullptr, &g_held);
  g_ran = true;
}

void wait_for_helper() {
  while (!g_ran) std::this_thread::yield();
}

// The first of all: later the program has had threads.
TEST(Helper, IsNotStartedInAProgramOfOneThread) {
  if (__libc_single_threaded == 0) GTEST_SKIP() << "a sanitizer has threads of its own";
  g_ran = false;
  EXPECT_FALSE(start_helper(note_signals));
  EXPECT_NE(__libc_single_threaded, 0);
  EXPECT_FALSE(g_ran);
}

TEST(Helper, DoesItsWorkOnceAndKeepsErrno) {
  std::thread([] {}).join();
  g_ran = false;
  errno = ENOTTY;
  ASSERT_TRUE(start_helper(note_signals));
  EXPECT_EQ(errno, ENOTTY);
  wait_for_helper();
}

TEST(Helper, TakesNoSignalThatIsMeantForTheProgram) {
  std::thread([] {}).join();
  g_ran = false;
  ASSERT_TRUE(start_helper(note_signals));
  wait_for_helper();
  for (const int signal : {SIGINT, SIGTERM, SIGCHLD, SIGALRM, SIGPROF, SIGUSR1, SIGABRT, SIGHUP})
    EXPECT_EQ(sigismember(&g_held, signal), 1) << signal;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE}) EXPECT_EQ(sigismember(&g_held, signal), 0) << signal;
}

}  // namespace
}  // namespace memo::runtime
