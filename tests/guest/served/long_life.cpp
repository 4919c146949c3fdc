// Days of a server's life in seconds: each thing that happens to it again and again, by itself, so often that whatever it
// left behind each time would be seen. Plans are exchanged, the one for the other, for files that are none, for one that is
// not there, with blocks of a pass that outlive it; threads end, in a pass and outside; children are forked; a library with
// call sites of the plan comes and goes; passes find no plan. argv[1] is that library. Runs served, and once more while it is
// recorded. Failure: memory or mappings that grow, or figures that do not add up.
#include <pthread.h>
#include <sys/wait.h>

#include "held.h"
#include "served.h"

using namespace served;

namespace {

constexpr std::size_t kBlocks = 12;

std::size_t size_of(std::size_t i, std::uint64_t shape) {
  return 40 + i * 90 + (i % 4 == 3 ? 20000 * shape : 0);
}

[[gnu::noinline]] void* make_block(std::size_t size) {
  void* block = malloc(size);
  EXPECT(block != nullptr);
  fill(block, size, 7);
  return block;
}

// Keeps the first block, for whoever wants it.
void* pass_of(std::uint64_t shape) {
  const Pass pass;
  void* blocks[kBlocks];
  for (std::size_t i = 0; i < kBlocks; ++i) {
    if (i % 3 == 0) open_scope(i % 2 == 0 ? "convolve" : "add");
    blocks[i] = make_block(size_of(i, shape));
    if (i % 3 == 2) close_scope();
  }
  for (std::size_t i = 1; i < kBlocks; ++i) {
    EXPECT(is_filled(blocks[i], size_of(i, shape), 7));
    free(blocks[i]);
  }
  return blocks[0];
}

void answer(std::uint64_t shape) {
  free(pass_of(shape));
}

const char* variable(const char* name) {
  const char* value = getenv(name);
  EXPECT(value != nullptr);
  return value;
}

// A pass on each; a block of the pass before is freed when the lane it lies in belongs to the plan before.
void exchange_plans(int round) {
  static const char* const kPlans[] = {variable("MEMOMALLOC_PLAN"), variable("OTHER_PLAN")};
  void* outlives = pass_of(1);
  EXPECT(memo_plan_load(kPlans[round % 2]) == 0);
  answer(1 + static_cast<std::uint64_t>(round % 3));
  free(outlives);
  answer(1);
}

void offer_what_is_no_plan(int round) {
  EXPECT(memo_plan_load(round % 2 == 0 ? variable("NO_PLAN") : "/nonexistent/plan") != 0);
  answer(1);
}

// Lets two threads run passes at the same time, in every round as in every other: a round in which they happened to do so for
// the first time would need a lane and a heap more than those before.
void meet() {
  static pthread_barrier_t both;
  static const int begun = pthread_barrier_init(&both, nullptr, 2);
  EXPECT(begun == 0);
  const int met = pthread_barrier_wait(&both);
  EXPECT(met == 0 || met == PTHREAD_BARRIER_SERIAL_THREAD);
}

void* worker(void* shape) {
  {
    const Pass pass;
    meet();
    free(make_block(size_of(0, 1)));
  }
  for (int pass = 0; pass < 3; ++pass) answer(reinterpret_cast<std::uintptr_t>(shape));
  return nullptr;
}

// Ends in the middle of a pass, whose lane another takes over.
void* leaves_its_pass(void*) {
  if (memo_pass_begin != nullptr) memo_pass_begin(0);
  meet();
  free(make_block(size_of(0, 1)));
  return nullptr;
}

void restart_workers(int round) {
  pthread_t threads[2];
  for (pthread_t& thread : threads) {
    auto* work = round % 5 == 4 ? leaves_its_pass : worker;
    EXPECT(pthread_create(&thread, nullptr, work, reinterpret_cast<void*>(std::uintptr_t{2})) == 0);
  }
  for (pthread_t thread : threads) EXPECT(pthread_join(thread, nullptr) == 0);
}

void fork_a_child(int) {
  void* block = pass_of(2);
  const pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) {
    answer(2);
    free(block);
    _exit(0);
  }
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  free(block);
}

const char* g_model;

// The model is a library of its own, loaded anew.
void reload_model(int) {
  void* model = dlopen(g_model, RTLD_NOW | RTLD_LOCAL);
  EXPECT(model != nullptr);
  auto* allocate = reinterpret_cast<char* (*)(std::size_t)>(dlsym(model, "plugin_allocate"));
  {
    const Pass pass;
    for (std::size_t i = 0; i < kBlocks; ++i) free(allocate(size_of(i, 1)));
  }
  EXPECT(dlclose(model) == 0);
  answer(1);
}

// Runs a pass of a shape that is in no plan.
void run_on_the_heap(int round) {
  answer(5 + static_cast<std::uint64_t>(round % 4));
}

void ordinary_passes() {
  answer(1);
  answer(2);
  reload_model(0);
}

void live_long() {
  expect_flat("threads that end", 50, 300, restart_workers);
  expect_flat("forked children", 20, 100, fork_a_child);
  expect_flat("a library that comes and goes", 50, 500, reload_model);
  expect_flat("passes on the heap", 100, 1000, run_on_the_heap);
}

}  // namespace

int main(int argc, char** argv) {
  EXPECT(argc > 1);
  g_model = argv[1];
  expect_right_allocator();
  const bool ordinary = argc > 2;
  for (int pass = 0; pass < 6; ++pass) ordinary_passes();
  if (ordinary) return 0;
  if (by_plan()) {
    expect_flat("plans exchanged", 200, 2000, exchange_plans);
    expect_flat("files that are no plans", 100, 1000, offer_what_is_no_plan);
  }
  live_long();
  EXPECT(figure("double_free") + figure("bad_free") == 0);
}
