// Threads with the smallest stack there is (PTHREAD_STACK_MIN) run passes, load an object, ask for statistics and end, one
// after the other and side by side; one forks and the last one ends the program. Whatever the library has to do at such a
// moment, the thread that happens to be there must have room for it. Failure: a crash, or a block that changed.
#include <limits.h>
#include <pthread.h>
#include <sys/wait.h>

#include "served.h"

using namespace served;

namespace {

constexpr int kThreads = 6;
constexpr std::size_t kBlocks = 24;

std::size_t size_of(std::size_t i) {
  return 16 + i * 61 % 900 + (i % 8 == 0 ? 50'000 : 0);
}

[[gnu::noinline]] unsigned char* make_block(std::size_t i) {
  auto* block = static_cast<unsigned char*>(malloc(size_of(i)));
  EXPECT(block != nullptr);
  fill(block, size_of(i), static_cast<unsigned>(i));
  return block;
}

void ordinary_pass() {
  const Pass pass;
  open_scope("operator");
  unsigned char* blocks[kBlocks];
  for (std::size_t i = 0; i < kBlocks; ++i) blocks[i] = make_block(i);
  for (std::size_t i = 0; i < kBlocks; ++i) {
    EXPECT(is_filled(blocks[i], size_of(i), static_cast<unsigned>(i)));
    free(blocks[i]);
  }
  close_scope();
}

void* run_passes(void*) {
  for (int pass = 0; pass < 40; ++pass) ordinary_pass();
  return nullptr;
}

char g_statistics[4096];

void* ask(void*) {
  if (memo_stats_json != nullptr) memo_stats_json(g_statistics, sizeof g_statistics);
  malloc_trim(0);
  return nullptr;
}

void* fork_inside_a_pass(void*) {
  const Pass pass;
  unsigned char* block = make_block(1);
  const pid_t child = fork();
  EXPECT(is_filled(block, size_of(1), 1));
  free(block);
  if (child == 0) _exit(0);
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child && status == 0);
  return nullptr;
}

void* end_program(void*) {
  ordinary_pass();
  exit(0);
}

pthread_t start(void* (*function)(void*)) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  EXPECT(pthread_attr_setstacksize(&attributes, static_cast<std::size_t>(PTHREAD_STACK_MIN)) == 0);
  pthread_t thread;
  EXPECT(pthread_create(&thread, &attributes, function, nullptr) == 0);
  return thread;
}

void run(void* (*function)(void*)) {
  pthread_join(start(function), nullptr);
}

}  // namespace

// The passes of the recorded run are on the threads in question, too.
int main(int argc, char**) {
  expect_right_allocator();
  for (int round = 0; round < 3; ++round) run(run_passes);
  if (argc > 1) return 0;
  pthread_t threads[kThreads];
  for (pthread_t& thread : threads) thread = start(run_passes);
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  run(ask);
  run(fork_inside_a_pass);
  run(end_program);
  return 1;
}
