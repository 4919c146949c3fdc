// Children made in every way there is, in the middle of a pass and outside of one, by a thread that ran passes before and by
// one that did not, while other threads stand in the middle of theirs. fork, _Fork, clone and clone3 copy the process: the
// copy goes on in its pass, and threads of its own run theirs at the same time. vfork, posix_spawn and clone with CLONE_VM
// share the memory: the child runs a pass on the thread-local storage of its maker, which goes on with it.
//
// Every block is filled with a tag of its own, and looked at before it is freed, in the parent and in every child: two live
// blocks that share a byte show. Failure: that, a child that crashes or hangs, or a copy in which the plan does not serve
// (where COPIES_SERVED says that it has to).
//
// COPIES_EXCHANGED names a plan that a thread loads again and again while the process is copied, and nothing else is done then.
// With COPIES_EXIT a copy ends through its destructors. COPIES_REFUSED names a system call that the kernel refuses this program from its start.
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <atomic>

#include "served.h"

using namespace served;

namespace {

constexpr std::size_t kBlocks = 20;
constexpr std::size_t kHalf = kBlocks / 2;
constexpr int kPasses = 20;
constexpr int kStanding = 3;  // threads in the middle of their passes
constexpr unsigned kSecondsOfAChild = 30;

std::atomic<std::uint64_t> g_tags{0};

std::size_t size_of(std::size_t i) {
  return 104 * (i + 1) + (i % 5 == 4 ? 80000 : 0);
}

struct Block {
  std::uint64_t* words;
  std::uint64_t tag;

  [[gnu::noinline]] void make(std::size_t size) {
    words = static_cast<std::uint64_t*>(malloc(size));
    EXPECT(words != nullptr);
    tag = ++g_tags;
    for (std::size_t word = 0; word < size / sizeof tag; ++word) words[word] = tag;
  }

  void check_and_free(std::size_t size) {
    for (std::size_t word = 0; word < size / sizeof tag; ++word) EXPECT(words[word] == tag);
    free(words);
  }
};

// Holds the blocks of one pass.
struct Blocks {
  Block all[kBlocks];

  void make(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) all[i].make(size_of(i));
  }
  void check_and_free() {
    for (std::size_t i = 0; i < kBlocks; ++i) all[i].check_and_free(size_of(i));
  }
};

// `in_between` happens when half of the blocks are made.
template <typename Between>
void run_pass(Between in_between) {
  const Pass pass;
  Blocks blocks;
  blocks.make(0, kHalf);
  in_between(blocks);
  blocks.make(kHalf, kBlocks);
  blocks.check_and_free();
}

void ordinary_pass() {
  run_pass([](Blocks&) {});
}

void* run_passes(void*) {
  for (int pass = 0; pass < kPasses; ++pass) ordinary_pass();
  return nullptr;
}

// Passes of the calling thread beside those of threads that run their first ones: a lane that is taken from it in one of its
// passes serves two at once.
void run_passes_beside_new_threads() {
  constexpr int kRounds = 4;
  for (int round = 0; round < kRounds; ++round) {
    pthread_t threads[2];
    for (pthread_t& thread : threads) EXPECT(pthread_create(&thread, nullptr, run_passes, nullptr) == 0);
    run_passes(nullptr);
    for (pthread_t thread : threads) pthread_join(thread, nullptr);
  }
}

// ---- threads that stand in the middle of a pass ----

class Standing {
 public:
  Standing() {
    sem_init(&there_, 0, 0);
    sem_init(&go_on_, 0, 0);
    for (pthread_t& thread : threads_) {
      EXPECT(pthread_create(&thread, nullptr, stand, this) == 0);
      wait(there_);
    }
  }
  ~Standing() {
    for (int i = 0; i < kStanding; ++i) sem_post(&go_on_);
    for (pthread_t thread : threads_) pthread_join(thread, nullptr);
  }
  Standing(const Standing&) = delete;
  Standing& operator=(const Standing&) = delete;

 private:
  static void wait(sem_t& semaphore) {
    while (sem_wait(&semaphore) != 0) EXPECT(errno == EINTR);
  }

  static void* stand(void* argument) {
    auto& self = *static_cast<Standing*>(argument);
    run_pass([&](Blocks&) {
      sem_post(&self.there_);
      wait(self.go_on_);
    });
    return run_passes(nullptr);
  }

  sem_t there_;
  sem_t go_on_;
  pthread_t threads_[kStanding];
};

template <typename Function>
void in_new_thread(Function function) {
  pthread_t thread;
  EXPECT(pthread_create(
             &thread, nullptr,
             [](void* argument) -> void* {
               (*static_cast<Function*>(argument))();
               return nullptr;
             },
             &function) == 0);
  pthread_join(thread, nullptr);
}

// ---- copies ----

enum class Copy { kFork, kForkWithoutHandlers, kClone, kClone3 };
constexpr Copy kCopies[] = {Copy::kFork, Copy::kForkWithoutHandlers, Copy::kClone, Copy::kClone3};

pid_t make_copy(Copy how) {
  switch (how) {
    case Copy::kFork:
      return fork();
    case Copy::kForkWithoutHandlers:
      return _Fork();
    case Copy::kClone:
      return static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
    case Copy::kClone3:
      break;
  }
  clone_args arguments{};
  arguments.exit_signal = SIGCHLD;
  return static_cast<pid_t>(syscall(SYS_clone3, &arguments, sizeof arguments));
}

void expect_success(pid_t child) {
  int status = 0;
  EXPECT(child > 0);
  EXPECT(waitpid(child, &status, __WALL) == child);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

bool has_to_serve() {
  return getenv("COPIES_SERVED") != nullptr;
}

// Does not expect all of them, since blocks of passes that the copy does not have stay where they are.
void expect_served_passes() {
  const std::uint64_t before = figure("served");
  run_passes(nullptr);
  EXPECT(!has_to_serve() || figure("served") > before);
}

void copy_in_the_middle(Copy how, int generations);

// Its threads come first, while its own pass, if it is in one, stands still.
void live_as_copy(Blocks* unfinished, int generations) {
  alarm(kSecondsOfAChild);
  {
    const Standing others;
    in_new_thread([] { run_passes(nullptr); });
    if (unfinished != nullptr) {
      unfinished->make(kHalf, kBlocks);
      unfinished->check_and_free();
      if (memo_pass_end != nullptr) memo_pass_end();
    }
    run_passes_beside_new_threads();
  }
  expect_served_passes();
  if (generations > 1) copy_in_the_middle(Copy::kForkWithoutHandlers, generations - 1);
  if (getenv("COPIES_EXIT") != nullptr) exit(0);
  _exit(0);
}

void copy_in_the_middle(Copy how, int generations) {
  run_pass([&](Blocks& blocks) {
    const pid_t child = make_copy(how);
    if (child == 0) live_as_copy(&blocks, generations);
    expect_success(child);
  });
}

void copy_outside(Copy how) {
  const pid_t child = make_copy(how);
  if (child == 0) live_as_copy(nullptr, 1);
  expect_success(child);
}

void copy_in_every_way() {
  for (const Copy how : kCopies) {
    copy_outside(how);
    copy_in_the_middle(how, 2);
    in_new_thread([&] { copy_outside(how); });
    in_new_thread([&] { copy_in_the_middle(how, 1); });
  }
}

// ---- copies in the middle of a change ----

std::atomic<bool> g_enough{false};

void* exchange_plans(void* path) {
  while (!g_enough) memo_plan_load(static_cast<const char*>(path));
  return nullptr;
}

// Whoever held the library's lock is not there to give it back.
void live_while_plans_are_exchanged(const char* plan) {
  alarm(kSecondsOfAChild);
  run_passes(nullptr);
  figure("served");
  memo_plan_load(plan);
  in_new_thread([] { run_passes(nullptr); });
  _exit(0);
}

void copy_while_plans_are_exchanged(char* plan) {
  constexpr int kTimes = 50;
  pthread_t thread;
  EXPECT(pthread_create(&thread, nullptr, exchange_plans, plan) == 0);
  for (int time = 0; time < kTimes; ++time) {
    run_pass([&](Blocks&) {
      const pid_t child = make_copy(kCopies[time % 4]);
      if (child == 0) live_while_plans_are_exchanged(plan);
      expect_success(child);
    });
  }
  g_enough = true;
  pthread_join(thread, nullptr);
}

// ---- children that share the memory ----

int run_passes_as_child(void*) {
  run_passes(nullptr);
  return 0;
}

class Stack {
 public:
  Stack() : low_(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    EXPECT(low_ != MAP_FAILED);
  }
  ~Stack() { munmap(low_, kBytes); }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  [[nodiscard]] void* end() const { return static_cast<char*>(low_) + kBytes; }

 private:
  static constexpr std::size_t kBytes = std::size_t{1} << 18;
  void* low_;
};

enum class Sharer { kVfork, kVforkOnOwnStack, kProcess, kThread };
constexpr Sharer kSharers[] = {Sharer::kVfork, Sharer::kVforkOnOwnStack, Sharer::kProcess, Sharer::kThread};

void expect_success_of_vfork() {
  const pid_t child = vfork();
  if (child == 0) _exit(run_passes_as_child(nullptr));
  expect_success(child);
}

// Runs on the thread-local storage of the calling thread, which stands still meanwhile.
void run_raw_thread() {
  const Stack stack;
  std::atomic<pid_t> running{1};
  constexpr int kFlags =
      CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_CHILD_CLEARTID;
  EXPECT(clone(run_passes_as_child, stack.end(), kFlags, nullptr, nullptr, nullptr, &running) > 0);
  while (running.load() != 0) sched_yield();
}

void run_sharer(Sharer how) {
  const Stack stack;
  switch (how) {
    case Sharer::kVfork:
      return expect_success_of_vfork();
    case Sharer::kVforkOnOwnStack:
      return expect_success(
          clone(run_passes_as_child, stack.end(), CLONE_VM | CLONE_VFORK | SIGCHLD, nullptr));
    case Sharer::kProcess:
      return expect_success(clone(run_passes_as_child, stack.end(), CLONE_VM | SIGCHLD, nullptr));
    case Sharer::kThread:
      return run_raw_thread();
  }
}

void spawn() {
  char name[] = "true";
  char* arguments[] = {name, nullptr};
  pid_t child = 0;
  EXPECT(posix_spawn(&child, "/bin/true", nullptr, nullptr, arguments, environ) == 0);
  expect_success(child);
}

// Makes each child in a thread that has run nothing yet, so that the child is the first to run a pass on its thread-local
// storage.
void share_in_every_way() {
  for (const Sharer how : kSharers) {
    run_sharer(how);
    in_new_thread([&] {
      run_sharer(how);
      run_pass([](Blocks&) {
        in_new_thread([] { run_passes(nullptr); });
        spawn();
      });
      run_passes_beside_new_threads();
    });
  }
}

// ---- a kernel that refuses ----

int number_of_call(const char* name) {
  if (strcmp(name, "tgkill") == 0) return SYS_tgkill;
  EXPECT(strcmp(name, "madvise") == 0);
  return SYS_madvise;
}

// Starts this program again in its own place, under a kernel that refuses the call from the start.
void start_again_without(const char* name, char** arguments) {
  sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number_of_call(name)), 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{sizeof steps / sizeof *steps, steps};
  EXPECT(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  EXPECT(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0);
  unsetenv("COPIES_REFUSED");
  execv("/proc/self/exe", arguments);
  EXPECT(!"started again");
}

}  // namespace

int main(int argc, char** argv) {
  if (const char* refused = getenv("COPIES_REFUSED")) start_again_without(refused, argv);
  if (recorded(argc, ordinary_pass)) return 0;
  if (char* plan = getenv("COPIES_EXCHANGED")) {
    copy_while_plans_are_exchanged(plan);
    return 0;
  }
  copy_in_every_way();
  share_in_every_way();
  {
    const Standing others;
    copy_in_every_way();
    share_in_every_way();
  }
  in_new_thread(share_in_every_way);
  return 0;
}
