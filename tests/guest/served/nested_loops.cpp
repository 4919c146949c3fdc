// A pass with a loop in a loop, attacked from inside: it is left in the middle of an iteration by a return, an exception and a
// longjmp; other threads free what earlier iterations made; handlers of signals allocate in it; it forks, and both go on; it runs
// itself; its thread ends in it; it has iterations by the ten thousand, sizes that double with each, blocks that are resized,
// aligned, or kept for ever. Failure: a byte that changed, two blocks that share one, statistics that do not add up, or a pass
// after it that is not served.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>

#include "looping.h"

using namespace served;

namespace {

constexpr Iterations kIterations{.outer = 4, .inner = 5};

bool is_in_the_middle(const Iteration& at) {
  return at.outer == 2 && at.inner == 3;
}

// After whatever happened, passes are served as if it had not.
void expect_served() {
  const Accounts accounts;
  const std::uint64_t served = figure("served");
  const std::uint64_t made = g_made.load();
  ordinary_passes();
  EXPECT(accounts.add_up());
  EXPECT(!by_plan() || figure("served") - served == g_made.load() - made);
}

// ---- left in the middle of an iteration ----

void left_by_a_return() {
  const Accounts accounts;
  static Held held;
  {
    const Pass pass;
    EXPECT(!walk(held, kIterations, [](Held&, const Iteration& at) { return !is_in_the_middle(at); }));
  }
  EXPECT(held.count() > kGathered);
  held.drop_all();
  EXPECT(accounts.add_up());
}

void left_by_an_exception() {
  const Accounts accounts;
  static Held held;
  try {
    const Pass pass;
    walk(held, kIterations, [](Held&, const Iteration& at) { return is_in_the_middle(at) ? throw 1 : true; });
    EXPECT(false);
  } catch (int) {
  }
  held.drop_all();
  EXPECT(accounts.add_up(1));  // the exception
}

sigjmp_buf g_back;

// The pass that is left has no end; the next one begins where it began.
[[gnu::noinline]] void pass_that_jumps(Held& held, Inside inside) {
  if (sigsetjmp(g_back, 1) != 0) return;
  if (memo_pass_begin != nullptr) memo_pass_begin(0);
  walk(held, kIterations, inside);
  if (memo_pass_end != nullptr) memo_pass_end();
}

void left_by_a_longjmp() {
  const Accounts accounts;
  static Held held;
  pass_that_jumps(held, [](Held&, const Iteration& at) {
    if (is_in_the_middle(at)) siglongjmp(g_back, 1);
    return true;
  });
  EXPECT(held.count() > kGathered);
  held.drop_all();
  pass_that_jumps(held, goes_on);
  EXPECT(accounts.add_up());
}

// ---- signals ----

Held g_of_handler;

void allocate_in_handler(int) {
  g_of_handler.born(malloc(kNarrowBytes), kNarrowBytes);
  g_of_handler.born(malloc(kWideBytes), kWideBytes);
  if (g_of_handler.count() > 6) check_and_free(g_of_handler.taken(1));
}

void jump_from_handler(int) {
  allocate_in_handler(0);
  siglongjmp(g_back, 1);
}

void on_signal(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  EXPECT(sigaction(SIGUSR1, &action, nullptr) == 0);
}

void handlers_allocate() {
  const Accounts accounts;
  on_signal(allocate_in_handler);
  ordinary_pass(kIterations, [](Held&, const Iteration&) { return raise(SIGUSR1) == 0; });
  g_of_handler.drop_all();
  EXPECT(accounts.add_up());
}

void left_by_a_handler() {
  const Accounts accounts;
  static Held held;
  on_signal(jump_from_handler);
  pass_that_jumps(held,
                  [](Held&, const Iteration& at) { return !is_in_the_middle(at) || raise(SIGUSR1) == 0; });
  EXPECT(held.count() > kGathered);
  held.drop_all();
  g_of_handler.drop_all();
  pass_that_jumps(held, goes_on);
  EXPECT(accounts.add_up());
}

// ---- other threads ----

// Hands blocks from one thread to the other, which frees them in its own time.
class Mailbox {
 public:
  void put(const Block& block) {
    pthread_mutex_lock(&mutex_);
    EXPECT(count_ < kRoom);
    blocks_[count_++] = block;
    pthread_cond_signal(&changed_);
    pthread_mutex_unlock(&mutex_);
  }
  // Puts a block that is none: the last.
  void close() { put({nullptr, 0, 0}); }

  static void* free_all(void* mailbox) {
    static Block taken[kRoom];
    for (;;) {
      const std::size_t count = static_cast<Mailbox*>(mailbox)->take(taken);
      for (std::size_t at = 0; at < count; ++at) {
        if (taken[at].begin == nullptr) return nullptr;
        check_and_free(taken[at]);
      }
    }
  }

 private:
  static constexpr std::size_t kRoom = 1024;  // for all that is handed on before it is closed

  std::size_t take(Block* taken) {
    pthread_mutex_lock(&mutex_);
    while (count_ == 0) pthread_cond_wait(&changed_, &mutex_);
    const std::size_t count = count_;
    memcpy(taken, blocks_, count * sizeof *taken);
    count_ = 0;
    pthread_mutex_unlock(&mutex_);
    return count;
  }

  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed_ = PTHREAD_COND_INITIALIZER;
  Block blocks_[kRoom];
  std::size_t count_ = 0;
};

Mailbox g_mailbox;

// Hands on what an earlier iteration of the inner loop gathered.
bool hand_on(Held& held, const Iteration& at) {
  if (at.inner > 0) g_mailbox.put(held.taken(kGathered));
  return true;
}

void freed_by_another_thread() {
  pthread_t thread;
  EXPECT(pthread_create(&thread, nullptr, Mailbox::free_all, &g_mailbox) == 0);
  {
    const Accounts accounts;
    for (int pass = 0; pass < 20; ++pass) ordinary_pass(kIterations, hand_on);
    EXPECT(accounts.add_up());
  }
  g_mailbox.close();
  pthread_join(thread, nullptr);
}

// Ends its thread in the pass, in one of two ways.
bool exit_in_the_middle(Held&, const Iteration& at) {
  if (is_in_the_middle(at)) pthread_exit(nullptr);
  return true;
}
bool be_cancelled_in_the_middle(Held&, const Iteration& at) {
  if (is_in_the_middle(at)) {
    pthread_cancel(pthread_self());
    pthread_testcancel();
  }
  return true;
}

struct Doomed {
  Held held;
  Inside inside;
};

void* end_in_a_pass(void* argument) {
  auto& doomed = *static_cast<Doomed*>(argument);
  if (memo_pass_begin != nullptr) memo_pass_begin(0);
  walk(doomed.held, kIterations, doomed.inside);
  return nullptr;
}

void end_of_the_thread() {
  static Doomed doomed[6];
  pthread_t threads[6];
  const std::uint64_t made = g_made.load();
  for (int at = 0; at < 6; ++at) {
    doomed[at].inside = at % 2 == 0 ? exit_in_the_middle : be_cancelled_in_the_middle;
    EXPECT(pthread_create(&threads[at], nullptr, end_in_a_pass, &doomed[at]) == 0);
  }
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  EXPECT(g_made.load() > made);
  for (Doomed& each : doomed) {
    EXPECT(each.held.count() > kGathered);
    each.held.drop_all();
  }
}

// ---- copies of the process ----

pid_t g_child = -1;

bool fork_in_the_middle(Held&, const Iteration& at) {
  if (is_in_the_middle(at)) g_child = fork();
  return true;
}

void forked() {
  ordinary_pass(kIterations, fork_in_the_middle);
  EXPECT(g_child >= 0);
  if (g_child == 0) {
    expect_served();
    _exit(0);
  }
  int status = 0;
  EXPECT(waitpid(g_child, &status, 0) == g_child);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

// ---- the pass in its own loop ----

bool run_itself(Held&, const Iteration& at) {
  if (t_depth < 3 && is_in_the_middle(at)) ordinary_pass(kIterations, run_itself);
  return true;
}

void recursion() {
  const Accounts accounts;
  ordinary_pass(kIterations, run_itself);
  EXPECT(accounts.add_up());
}

// ---- many iterations, and sizes that were never seen ----

void iterations_by_the_ten_thousand() {
  const Accounts accounts;
  ordinary_pass({.outer = 20, .inner = 500});
  ordinary_pass({.outer = 5000, .inner = 2});
  ordinary_pass({.outer = 20000, .inner = 0});
  EXPECT(accounts.add_up());
}

void sizes_that_double() {
  const Accounts accounts;
  for (int pass = 0; pass < 3; ++pass) ordinary_pass({.outer = 2, .inner = 11}, goes_on, {.doubling = true});
  EXPECT(accounts.add_up());
}

// ---- blocks of the loop in other hands ----

Block resized(const Block& block, std::size_t size) {
  check(block);
  const std::size_t same = block.room < size ? block.room : size;
  void* moved = realloc(block.begin, size);
  EXPECT(moved != nullptr && is_filled(moved, same, block.seed));
  return filled_block(moved, size);
}

// The blocks of the iteration grow, shrink and leave their slots; others come with an alignment of their own.
bool resize_and_align(Held& held, const Iteration& at) {
  Block wide = held.youngest();
  for (const std::size_t size :
       {kWideBytes + 100, kWideBytes * 3, kNarrowBytes, kWideBytes + at.inner * 4096})
    wide = resized(wide, size);
  const std::size_t alignment = std::size_t{64} << (at.inner + at.outer);
  void* three[] = {aligned_alloc(alignment, 4 * alignment), memalign(alignment, kNarrowBytes), nullptr};
  EXPECT(posix_memalign(&three[2], alignment, kWideBytes) == 0);
  for (void* block : three) EXPECT(is_aligned(block, alignment));
  const Block blocks[] = {filled_block(three[0], 4 * alignment), filled_block(three[1], kNarrowBytes),
                          filled_block(three[2], kWideBytes)};
  for (const Block& block : blocks) check_and_free(block);
  check_and_free(wide);
  held.born(malloc(kWideBytes), kWideBytes);
  return true;
}

void resized_and_aligned() {
  for (int pass = 0; pass < 5; ++pass) ordinary_pass(kIterations, resize_and_align);
}

// Keeps what the inner loop gathers, until the end of the process.
Block g_kept[1024];
std::size_t g_kept_count = 0;

bool keep(Held& held, const Iteration&) {
  if (g_kept_count < 1024) g_kept[g_kept_count++] = held.taken(kGathered);
  return true;
}

void kept_for_ever() {
  const Accounts accounts;
  ordinary_pass(kIterations, keep);
  EXPECT(accounts.add_up());
}

}  // namespace

int main(int argc, char**) {
  if (recorded(argc, ordinary_passes)) return 0;
  for (void (*attack)() : {left_by_a_return, left_by_an_exception, left_by_a_longjmp, handlers_allocate,
                           left_by_a_handler, freed_by_another_thread, end_of_the_thread, forked, recursion,
                           iterations_by_the_ten_thousand, sizes_that_double, resized_and_aligned}) {
    for (int round = 0; round < 2; ++round) {
      attack();
      expect_served();
    }
  }
  for (int round = 0; round < 40; ++round) kept_for_ever();
  ordinary_passes();
  for (std::size_t at = 0; at < g_kept_count; ++at) check(g_kept[at]);
}
