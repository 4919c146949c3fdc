// Signal handlers that allocate. It is forbidden and everybody does it: crash reporters, profilers, Python's
// faulthandler. It works as long as the signal does not interrupt the allocator itself, so here it arrives in
// computing code, on the thread's own stack and on an alternate one, by raise, from another thread and from a
// timer. Failure: a crash, a deadlock, a damaged block.

#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

#include <atomic>

#include "hostile.h"

namespace {

std::atomic<int> handled;
void* kept_from_handler;

void allocate_in_handler(int) {
  void* block = malloc(1000);
  EXPECT(block != nullptr);
  fill(block, 1000, 4);
  block = realloc(block, 100000);
  EXPECT(is_filled(block, 1000, 4));
  free(kept_from_handler);
  kept_from_handler = block;
  handled.fetch_add(1);
}

void install(int signal, int flags) {
  struct sigaction action = {};
  action.sa_handler = allocate_in_handler;
  action.sa_flags = flags;
  EXPECT(sigaction(signal, &action, nullptr) == 0);
}

// Computes until the handler has run `count` times; makes no call that allocates.
void compute_until(int count) {
  volatile double value = 1.0;
  while (handled.load() < count) value = value * 1.0000001 + 1e-9;
}

void* compute_in_thread(void* count) {
  compute_until(static_cast<int>(reinterpret_cast<std::intptr_t>(count)));
  return nullptr;
}

void by_raise() {
  install(SIGUSR1, 0);
  for (int i = 0; i < 10; ++i) raise(SIGUSR1);
  EXPECT(handled == 10);
}

void on_another_stack() {
  stack_t stack = {};
  stack.ss_size = 64 * 1024;
  stack.ss_sp = malloc(stack.ss_size);
  EXPECT(sigaltstack(&stack, nullptr) == 0);
  install(SIGUSR2, SA_ONSTACK);
  raise(SIGUSR2);
  EXPECT(handled == 11);
  stack.ss_flags = SS_DISABLE;
  EXPECT(sigaltstack(&stack, nullptr) == 0);
  free(stack.ss_sp);
}

// The first allocation of the thread is the handler's.
void in_a_thread_that_never_allocated() {
  pthread_t thread;
  EXPECT(pthread_create(&thread, nullptr, compute_in_thread, reinterpret_cast<void*>(std::intptr_t{12})) ==
         0);
  EXPECT(pthread_kill(thread, SIGUSR1) == 0);
  pthread_join(thread, nullptr);
}

void by_timer() {
  install(SIGALRM, SA_RESTART);
  const itimerval often = {{0, 1000}, {0, 1000}};
  EXPECT(setitimer(ITIMER_REAL, &often, nullptr) == 0);
  compute_until(30);
  const itimerval never = {};
  EXPECT(setitimer(ITIMER_REAL, &never, nullptr) == 0);
}

}  // namespace

int main() {
  expect_right_allocator();
  by_raise();
  on_another_stack();
  in_a_thread_that_never_allocated();
  by_timer();
  free(kept_from_handler);
}
