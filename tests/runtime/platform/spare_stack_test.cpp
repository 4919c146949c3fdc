// Code that is moved to a spare stack: it gets another one than its caller's and than any other thread's, leaves errno, signals
// and cancellations as it found them, is seen through by unwinders, and runs in place where there is no stack to be had.
#include "runtime/platform/spare_stack.h"

#include <execinfo.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cerrno>
#include <set>
#include <thread>
#include <vector>

#include "runtime/platform/memory_annotations.h"
#include "tests/guest/served/painted_stack.h"

namespace memo::runtime {
namespace {

#if defined(MEMO_ADDRESS_SANITIZER) || defined(__SANITIZE_THREAD__)
constexpr bool kSwitches = false;
#else
constexpr bool kSwitches = true;
#endif

[[gnu::noinline]] std::uintptr_t here() {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

bool on_threads_own_stack() {
  pthread_attr_t attributes;
  void* low = nullptr;
  std::size_t bytes = 0;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &low, &bytes);
  pthread_attr_destroy(&attributes);
  return here() - reinterpret_cast<std::uintptr_t>(low) < bytes;
}

TEST(SpareStack, IsAnotherOneForTheTimeOfTheCall) {
  EXPECT_TRUE(on_threads_own_stack());
  EXPECT_EQ(on_spare_stack(on_threads_own_stack), !kSwitches);
  EXPECT_TRUE(on_threads_own_stack());
}

TEST(SpareStack, HandsOverWhatTheFunctionReturnsAndChanges) {
  int changed = 0;
  on_spare_stack([&] { changed = 7; });
  EXPECT_EQ(changed, 7);
  EXPECT_EQ(on_spare_stack([&] { return changed * 6; }), 42);
}

TEST(SpareStack, IsKeptByCallsInsideIt) {
  static constexpr std::uintptr_t kFrames = 4096;
  on_spare_stack([] {
    const std::uintptr_t outside = here();
    EXPECT_LT(outside - on_spare_stack(here), kFrames);
  });
}

TEST(SpareStack, IsUsedAgain) {
  EXPECT_EQ(on_spare_stack(here), on_spare_stack(here));
}

TEST(SpareStack, TakesLittleOfTheCallersStack) {
  if (!kSwitches) GTEST_SKIP() << "runs in place";
  const auto deep = [] {
    on_spare_stack([] {
      volatile char bytes[20'000];
      std::fill(std::begin(bytes), std::end(bytes), '\1');
    });
  };
  deep();  // binds what it calls
  EXPECT_LT(served::depth_of(deep), 512U);
}

TEST(SpareStack, HoldsTwoHundredKilobytes) {
  on_spare_stack([] {
    volatile char bytes[200'000];
    std::fill(std::begin(bytes), std::end(bytes), '\1');
  });
}

TEST(SpareStack, EndsInAGuard) {
  if (!kSwitches) GTEST_SKIP() << "runs in place";
  const auto overrun = [] {
    on_spare_stack([] {
      for (auto* at = reinterpret_cast<volatile char*>(here());; at -= 512) *at = 1;
    });
  };
  EXPECT_EXIT(overrun(), testing::KilledBySignal(SIGSEGV), "");
}

TEST(SpareStack, LeavesErrnoToTheFunction) {
  errno = EXDEV;
  on_spare_stack([] {});
  EXPECT_EQ(errno, EXDEV);
  on_spare_stack([] { errno = ELOOP; });
  EXPECT_EQ(errno, ELOOP);
}

std::atomic<int> g_handled{0};

TEST(SpareStack, IsNotTheOneThatHandlersRunOn) {
  if (!kSwitches) GTEST_SKIP() << "runs in place";
  signal(SIGUSR1, [](int) { ++g_handled; });
  on_spare_stack([] {
    pthread_kill(pthread_self(), SIGUSR1);
    EXPECT_EQ(g_handled, 0);
  });
  EXPECT_EQ(g_handled, 1);
}

TEST(SpareStack, HoldsNoSignalBackThatTheCodeCauses) {
  on_spare_stack([] {
    sigset_t waiting;
    pthread_sigmask(SIG_BLOCK, nullptr, &waiting);
    for (const int caused : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT})
      EXPECT_EQ(sigismember(&waiting, caused), 0) << caused;
  });
}

TEST(SpareStack, LeavesTheSignalsThatWaitedBefore) {
  sigset_t some;
  sigemptyset(&some);
  sigaddset(&some, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &some, nullptr);
  on_spare_stack([] {});
  sigset_t after;
  pthread_sigmask(SIG_UNBLOCK, &some, &after);
  EXPECT_EQ(sigismember(&after, SIGUSR2), 1);
  EXPECT_EQ(sigismember(&after, SIGUSR1), 0);
}

TEST(SpareStack, EndsNoThread) {
  if (!kSwitches) GTEST_SKIP() << "runs in place";
  bool came_through = false;
  pthread_t thread;
  const auto cancelled = [](void* through) -> void* {
    on_spare_stack([&] {
      pthread_cancel(pthread_self());
      pthread_testcancel();
      *static_cast<bool*>(through) = true;
    });
    pthread_testcancel();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, nullptr, cancelled, &came_through), 0);
  void* result = nullptr;
  pthread_join(thread, &result);
  EXPECT_TRUE(came_through);
  EXPECT_EQ(result, PTHREAD_CANCELED);
}

TEST(SpareStack, IsEachThreadsOwn) {
  constexpr std::size_t kThreads = 16;
  std::barrier all_there(kThreads);
  std::vector<std::uintptr_t> stacks(kThreads);
  std::vector<std::thread> threads;
  for (std::uintptr_t& its : stacks) {
    threads.emplace_back([&all_there, &its] {
      for (int round = 0; round < 50; ++round) {
        on_spare_stack([&] {
          its = here();
          all_there.arrive_and_wait();
        });
        all_there.arrive_and_wait();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::set(stacks.begin(), stacks.end()).size(), kThreads);
}

// Runs in a process whose other threads hold every stack that is kept.
void run_without_memory() {
  constexpr int kHolders = 8;
  std::barrier all_hold(kHolders + 1);
  for (int holder = 0; holder < kHolders; ++holder) {
    std::thread([&] {
      on_spare_stack([&] {
        all_hold.arrive_and_wait();
        for (;;) pause();
      });
    }).detach();
  }
  all_hold.arrive_and_wait();
  const rlimit none{0, 0};
  setrlimit(RLIMIT_AS, &none);
  constexpr std::size_t kAny = 1 << 18;
  void* memory = mmap(nullptr, kAny, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) _exit(0);  // emulators do not know the limit
  _exit(on_spare_stack(on_threads_own_stack) ? 0 : 1);
}

TEST(SpareStack, IsDoneWithoutWhereThereIsNoMemory) {
  if (!kSwitches) GTEST_SKIP() << "runs in place";
  EXPECT_EXIT(run_without_memory(), testing::ExitedWithCode(0), "");
}

TEST(SpareStack, SurvivesAForkFromInside) {
  int status = -1;
  on_spare_stack([&] {
    const pid_t child = fork();
    if (child == 0) return;
    waitpid(child, &status, 0);
  });
  if (status == -1) _exit(on_spare_stack(on_threads_own_stack) == kSwitches ? 1 : 0);
  EXPECT_EQ(status, 0);
}

std::vector<void*> callers() {
  std::vector<void*> found(64);
  found.resize(static_cast<std::size_t>(backtrace(found.data(), 64)));
  return found;
}

[[gnu::noinline]] bool unwinds_to_its_caller() {
  const std::vector<void*> found = on_spare_stack(callers);
  return std::find(found.begin(), found.end(), __builtin_return_address(0)) != found.end();
}

TEST(SpareStack, IsSeenThroughByUnwinders) {
  EXPECT_TRUE(unwinds_to_its_caller());
}

}  // namespace
}  // namespace memo::runtime
