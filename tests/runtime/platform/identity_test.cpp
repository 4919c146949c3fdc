// Tests who runs here: the names of threads and processes in children of every kind, and what is concluded from them.
// Each test asks in a child and looks at its exit status, since a copy has no other thread to tell gtest anything.
#include "runtime/platform/identity.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <functional>
#include <thread>

#include "runtime/platform/process_lock.h"
#include "runtime/serving/copies.h"
#include "tests/runtime/children.h"

namespace memo::runtime::testing {
namespace {

// Shares the memory, and the thread-local storage of the caller, which stands still.
bool holds_in_sharer(const std::function<bool()>& question) {
  constexpr std::size_t kStack = 1 << 18;
  void* low = mmap(nullptr, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const auto ask = [](void* argument) {
    return (*static_cast<const std::function<bool()>*>(argument))() ? 0 : 1;
  };
  const pid_t child = clone(ask, static_cast<char*>(low) + kStack, CLONE_VM | CLONE_VFORK | SIGCHLD,
                            const_cast<std::function<bool()>*>(&question));
  const bool well = ends_well(child);
  munmap(low, kStack);
  return well;
}

ThreadName name_of_ended_thread() {
  ThreadName name = 0;
  std::thread([&] { name = current_thread(); }).join();
  return name;
}

// Whoever waits for a thread is woken some moments before the kernel forgets it.
bool is_known_to_have_ended(ThreadName thread) {
  constexpr int kMostLooks = 1'000'000;
  for (int look = 0; look < kMostLooks; ++look) {
    if (has_ended(thread, current_thread())) return true;
    std::this_thread::yield();
  }
  return false;
}

// A thread that lives until the end of its scope.
class Living {
 public:
  Living() {
    while (name_.load() == 0) std::this_thread::yield();
  }
  ~Living() {
    over_ = true;
    thread_.join();
  }
  Living(const Living&) = delete;
  Living& operator=(const Living&) = delete;
  [[nodiscard]] ThreadName name() const { return name_; }

 private:
  std::atomic<ThreadName> name_{0};
  std::atomic<bool> over_{false};
  std::thread thread_{[this] {
    name_ = current_thread();
    while (!over_) std::this_thread::yield();
  }};
};

class Identity : public ::testing::Test {
 protected:
  Identity() { current_thread(); }  // of a process that is nobody's copy, as where a plan is loaded
};

TEST_F(Identity, IsTheKernelsNumber) {
  EXPECT_EQ(number_of(current_thread()), static_cast<std::uint32_t>(gettid()));
  EXPECT_EQ(generation_of(current_thread()), this_generation());
  EXPECT_TRUE(runs_in_own_process());
}

TEST_F(Identity, TellsEndedThreadsFromLivingOnes) {
  const Living living;
  EXPECT_FALSE(has_ended(living.name(), current_thread()));
  EXPECT_FALSE(has_ended(current_thread(), current_thread()));
  EXPECT_TRUE(is_known_to_have_ended(name_of_ended_thread()));
}

TEST_F(Identity, ConcludesNothingOfAThreadWithoutNumber) {
  EXPECT_FALSE(has_ended(this_generation() << kNumberBits, current_thread()));
}

TEST_F(Identity, IsAnotherOneInACopy) {
  const ThreadName parent = current_thread();
  EXPECT_TRUE(holds_in_copy([&] {
    return current_thread() != parent &&
           number_of(current_thread()) == static_cast<std::uint32_t>(gettid()) &&
           generation_of(current_thread()) == generation_of(parent) + 1 && is_forked_child();
  }));
  EXPECT_EQ(current_thread(), parent);
  EXPECT_FALSE(is_forked_child());
}

TEST_F(Identity, GrowsWithEveryCopyOfACopy) {
  const std::uint32_t before = this_generation();
  EXPECT_TRUE(holds_in_copy([&] { return holds_in_copy([&] { return this_generation() >= before + 1; }); }));
  EXPECT_TRUE(holds_in_copy([&] {
    current_thread();
    return holds_in_copy([&] { return this_generation() == before + 2; });
  }));
}

TEST_F(Identity, IsAskedForInACopyByAThreadThatHadNone) {
  EXPECT_TRUE(holds_in_copy([&] {
    bool asked = false;
    std::thread([&] {
      asked = holds_in_copy([&] {
        return number_of(current_thread()) == static_cast<std::uint32_t>(gettid()) &&
               generation_of(current_thread()) == this_generation();
      });
    }).join();
    return asked;
  }));
}

// A lane of the generation before may be the thread's own until the thread has come.
TEST_F(Identity, WaitsInACopyForTheThreadThatWasCopied) {
  const Living living;
  const ThreadName self = current_thread();
  EXPECT_TRUE(holds_in_copy([&] {
    bool waits = false;
    std::thread([&] {
      const ThreadName first = current_thread();
      waits = !has_ended(living.name(), first) && !has_ended(self, first);
    }).join();
    const ThreadName own = current_thread();
    return waits && has_ended(living.name(), own) && has_ended(self, own) && !has_ended(own, own);
  }));
}

TEST_F(Identity, LendsItsNameToWhoeverSharesTheThreadLocalStorage) {
  const ThreadName self = current_thread();
  EXPECT_TRUE(holds_in_sharer([&] { return current_thread() == self && !runs_in_own_process(); }));
}

TEST_F(Identity, IsNotTakenFromWhoeverSharesTheThreadLocalStorage) {
  ThreadName of_sharer = 1;
  ThreadName own = 0;
  std::thread([&] {
    EXPECT_TRUE(holds_in_sharer([&] { return of_sharer = current_thread(), true; }));
    own = current_thread();
    EXPECT_EQ(number_of(own), static_cast<std::uint32_t>(gettid()));
  }).join();
  EXPECT_EQ(number_of(of_sharer), 0U);
}

// Its process has none of the threads, and yet they live.
TEST_F(Identity, ConcludesNothingInAProcessThatSharesTheMemory) {
  const Living living;
  const ThreadName ended = name_of_ended_thread();
  EXPECT_TRUE(holds_in_sharer(
      [&] { return !has_ended(living.name(), current_thread()) && !has_ended(ended, current_thread()); }));
  EXPECT_TRUE(is_known_to_have_ended(ended));
}

TEST(ProcessLock, IsHeldByOneAtATime) {
  ProcessLock lock;
  int inside = 0;
  const auto count = [&] {
    for (int round = 0; round < 10000; ++round) {
      if (!lock.lock()) continue;
      ++inside;
      lock.unlock();
    }
  };
  std::thread other(count);
  count();
  other.join();
  EXPECT_EQ(inside, 20000);
  EXPECT_FALSE(lock.was_taken_over());
}

TEST(ProcessLock, IsTakenOverInACopyFromWhoIsNotThere) {
  ProcessLock lock;
  ASSERT_TRUE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock());
  EXPECT_TRUE(holds_in_copy([&] { return lock.lock() && lock.was_taken_over() && !lock.try_lock(); }));
  EXPECT_FALSE(lock.was_taken_over());
  lock.unlock();
  EXPECT_TRUE(holds_in_copy([&] { return lock.lock() && !lock.was_taken_over(); }));
}

TEST(ProcessLock, IsNotWaitedForInAProcessThatSharesTheMemory) {
  ProcessLock lock;
  ASSERT_TRUE(lock.try_lock());
  EXPECT_TRUE(holds_in_sharer([&] { return !lock.lock() && !lock.was_taken_over(); }));
  lock.unlock();
  EXPECT_TRUE(holds_in_sharer([&] { return lock.lock(); }));
}

}  // namespace
}  // namespace memo::runtime::testing
