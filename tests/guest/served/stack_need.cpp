// Measures how much of the program's stack each exported function and each event takes, and prints it as "<bytes>
// <situation> <name>" for stack_test.py to judge: on a fresh thread (nothing of the thread is set up), on one that was
// here before, for blocks of several sizes, and inside a pass. The events are those for which the library has much to do
// at once: a thread's first pass, a plan that is taken up or refused, statistics that are due, an object that was loaded,
// a hooked function, a fork and a thread's end. Failure: an event that does not come.
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include <initializer_list>

#include "measured.h"
#include "served.h"

using namespace served;

namespace {

enum class Kind { kSizeFirst, kAlignmentFirst, kMoves, kOut, kFrees, kOther };

using Function = void (*)();

struct Call {
  const char* name;
  Kind kind;
  Function other;  // for kOther
};

std::size_t g_size = 600;
void* g_block;
Function g_function;
Kind g_kind;
FILE* g_nowhere;
char g_statistics[4096];

template <typename Its, typename... Arguments>
auto call(Arguments... arguments) {
  return reinterpret_cast<Its*>(g_function)(arguments...);
}

// Arguments that a function does not take do no harm in either calling convention.
[[gnu::noinline]] void run_call() {
  using Allocates = void*(std::size_t, std::size_t, std::size_t);
  using Moves = void*(void*, std::size_t, std::size_t);
  constexpr std::size_t kAlignment = 64;
  switch (g_kind) {
    case Kind::kSizeFirst:
      g_block = call<Allocates>(g_size, kAlignment, kAlignment);
      return;
    case Kind::kAlignmentFirst:
      g_block = call<Allocates>(kAlignment, g_size, kAlignment);
      return;
    case Kind::kMoves:
      g_block = call<Moves>(g_block, g_size * 3, std::size_t{1});
      return;
    case Kind::kOut:
      EXPECT(call<int(void**, std::size_t, std::size_t)>(&g_block, kAlignment, g_size) == 0);
      return;
    case Kind::kFrees:
      call<Moves>(g_block, kAlignment, kAlignment);
      g_block = nullptr;
      return;
    case Kind::kOther:
      return;
  }
}

constexpr Call kCalls[] = {
    {"malloc", Kind::kSizeFirst, nullptr},
    {"calloc", Kind::kSizeFirst, nullptr},
    {"valloc", Kind::kSizeFirst, nullptr},
    {"pvalloc", Kind::kSizeFirst, nullptr},
    {"__libc_malloc", Kind::kSizeFirst, nullptr},
    {"__libc_calloc", Kind::kSizeFirst, nullptr},
    {"__libc_valloc", Kind::kSizeFirst, nullptr},
    {"__libc_pvalloc", Kind::kSizeFirst, nullptr},
    {"_Znwm", Kind::kSizeFirst, nullptr},
    {"_ZnwmRKSt9nothrow_t", Kind::kSizeFirst, nullptr},
    {"_ZnwmSt11align_val_t", Kind::kSizeFirst, nullptr},
    {"_ZnwmSt11align_val_tRKSt9nothrow_t", Kind::kSizeFirst, nullptr},
    {"_Znam", Kind::kSizeFirst, nullptr},
    {"_ZnamRKSt9nothrow_t", Kind::kSizeFirst, nullptr},
    {"_ZnamSt11align_val_t", Kind::kSizeFirst, nullptr},
    {"_ZnamSt11align_val_tRKSt9nothrow_t", Kind::kSizeFirst, nullptr},
    {"_ZN3c109alloc_cpuEm", Kind::kSizeFirst, nullptr},
    {"memalign", Kind::kAlignmentFirst, nullptr},
    {"aligned_alloc", Kind::kAlignmentFirst, nullptr},
    {"__libc_memalign", Kind::kAlignmentFirst, nullptr},
    {"realloc", Kind::kMoves, nullptr},
    {"reallocarray", Kind::kMoves, nullptr},
    {"__libc_realloc", Kind::kMoves, nullptr},
    {"posix_memalign", Kind::kOut, nullptr},
    {"__posix_memalign", Kind::kOut, nullptr},
    {"free", Kind::kFrees, nullptr},
    {"cfree", Kind::kFrees, nullptr},
    {"free_sized", Kind::kFrees, nullptr},
    {"free_aligned_sized", Kind::kFrees, nullptr},
    {"__libc_free", Kind::kFrees, nullptr},
    {"_ZN3c108free_cpuEPv", Kind::kFrees, nullptr},
    {"_ZdlPv", Kind::kFrees, nullptr},
    {"_ZdlPvm", Kind::kFrees, nullptr},
    {"_ZdlPvRKSt9nothrow_t", Kind::kFrees, nullptr},
    {"_ZdlPvSt11align_val_t", Kind::kFrees, nullptr},
    {"_ZdlPvmSt11align_val_t", Kind::kFrees, nullptr},
    {"_ZdlPvSt11align_val_tRKSt9nothrow_t", Kind::kFrees, nullptr},
    {"_ZdaPv", Kind::kFrees, nullptr},
    {"_ZdaPvm", Kind::kFrees, nullptr},
    {"_ZdaPvRKSt9nothrow_t", Kind::kFrees, nullptr},
    {"_ZdaPvSt11align_val_t", Kind::kFrees, nullptr},
    {"_ZdaPvmSt11align_val_t", Kind::kFrees, nullptr},
    {"_ZdaPvSt11align_val_tRKSt9nothrow_t", Kind::kFrees, nullptr},
    {"malloc_usable_size", Kind::kOther, [] { call<std::size_t(void*)>(g_block); }},
    {"malloc_trim", Kind::kOther, [] { call<int(std::size_t)>(std::size_t{0}); }},
    {"mallinfo", Kind::kOther, [] { call<struct mallinfo()>(); }},
    {"mallinfo2", Kind::kOther, [] { call<struct mallinfo2()>(); }},
    {"malloc_info", Kind::kOther, [] { call<int(int, FILE*)>(0, g_nowhere); }},
    {"malloc_stats", Kind::kOther, [] { call<void()>(); }},
    {"mallopt", Kind::kOther, [] { call<int(int, int)>(0, 0); }},
    {"dlopen", Kind::kOther, [] { call<void*(const char*, int)>(nullptr, RTLD_LAZY); }},
    {"memo_pass_begin", Kind::kOther, [] { call<void(std::uint64_t)>(std::uint64_t{0}); }},
    {"memo_pass_end", Kind::kOther, [] { call<void()>(); }},
    {"memo_scope_begin", Kind::kOther, [] { call<void(const char*)>("scope"); }},
    {"memo_scope_end", Kind::kOther, [] { call<void()>(); }},
    {"memo_identify", Kind::kOther,
     [] {
       memo_allocation found;
       call<int(const void*, memo_allocation*)>(g_block, &found);
     }},
    {"memo_stats_json", Kind::kOther,
     [] { call<std::size_t(char*, std::size_t)>(g_statistics, sizeof g_statistics); }},
    {"memo_plan_load", Kind::kOther, [] { call<int(const char*)>("/nowhere/the.plan"); }},
    {"memo_release", Kind::kOther, [] { call<std::size_t()>(); }},
    {"memo_last_pass", Kind::kOther,
     [] {
       memo_pass pass;
       call<int(memo_pass*)>(&pass);
     }},
    {"memo_python_runs", Kind::kOther, [] { call<void(int)>(0); }},
    {"memo_data_flow", Kind::kOther,
     [] {
       const void* const blocks[] = {g_block, g_block};
       call<void(const char*, const void* const*, std::size_t, std::size_t)>("operator", blocks,
                                                                             std::size_t{1}, std::size_t{1});
     }},
};

// False: the C library has no such function, and nothing is injected.
bool choose(const Call& its) {
  g_function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, its.name));
  g_kind = its.kind;
  return g_function != nullptr;
}

bool needs_block(Kind kind) {
  return kind == Kind::kMoves || kind == Kind::kFrees || kind == Kind::kOther;
}

void prepare(Kind kind) {
  if (needs_block(kind)) g_block = malloc(g_size);
}

void tidy() {
  free(g_block);
  g_block = nullptr;
}

Function what_runs(const Call& its) {
  return its.kind == Kind::kOther ? its.other : run_call;
}

std::size_t measure_prepared(const Call& its) {
  const std::size_t depth = depth_of(what_runs(its));
  tidy();
  return depth;
}

std::size_t measure(const Call& its) {
  prepare(its.kind);
  return measure_prepared(its);
}

constexpr std::size_t kSizes[] = {600, 40'000, 3 << 20, 70 << 20};

std::size_t deepest_of_all_sizes(const Call& its) {
  std::size_t deepest = 0;
  for (const std::size_t size : kSizes) {
    g_size = size;
    const std::size_t depth = measure(its);
    deepest = depth > deepest ? depth : deepest;
  }
  g_size = kSizes[0];
  return deepest;
}

std::size_t measure_in_pass(const Call& its) {
  const Pass pass;
  return deepest_of_all_sizes(its);
}

void* measure_on_fresh_thread(void* argument) {
  const Call& its = *static_cast<const Call*>(argument);
  tell(measure_prepared(its), "first", its.name);
  tell(deepest_of_all_sizes(its), "again", its.name);
  tell(measure_in_pass(its), "in_pass", its.name);
  return nullptr;
}

void measure_exported_functions() {
  for (const Call& its : kCalls) {
    if (!choose(its)) continue;
    prepare(its.kind);
    on_fresh_thread(measure_on_fresh_thread, const_cast<Call*>(&its));
  }
}

// The calls of a pass come from where they are measured, so that a plan knows them.
void ordinary_pass() {
  const Pass pass;
  for (const Call& its : kCalls) {
    if (its.kind == Kind::kOther || !choose(its)) continue;
    prepare(its.kind);
    run_call();
    tidy();
  }
}

void begin_pass() {
  if (memo_pass_begin != nullptr) memo_pass_begin(0);
}
void end_pass() {
  if (memo_pass_end != nullptr) memo_pass_end();
}
void allocate() {
  g_block = malloc(g_size);
}

// Measures a pass that the program marks, and one of a hooked function.
void* measure_passes(void* which) {
  const auto* situation = static_cast<const char*>(which);
  for (int pass = 0; pass < 2; ++pass) {
    tell(depth_of(begin_pass), situation, "pass_begins");
    tell(depth_of(allocate), situation, "allocation_in_pass");
    tidy();
    tell(depth_of(end_pass), situation, "pass_ends");
    situation = "next_pass";
  }
  return nullptr;
}

void* measure_hooks(void* which) {
  const auto* situation = static_cast<const char*>(which);
  for (int pass = 0; pass < 2; ++pass) {
    tell(depth_of([] { drand48(); }), situation, "hooked_pass");
    tell(depth_of([] { lrand48(); }), situation, "hooked_scope");
    situation = "next_pass";
  }
  tell(depth_of(allocate), situation, "hooked_pass_is_over");
  tidy();
  return nullptr;
}

// Every thread holds a lane, so that the next one has to bring its own.
void* measure_with_lanes_held(void* function) {
  begin_pass();
  allocate();
  tidy();
  void* brought = const_cast<char*>("lane_brought");
  on_fresh_thread(reinterpret_cast<void* (*)(void*)>(function), brought);
  end_pass();
  return nullptr;
}

void* measure_with_two_lanes_held(void*) {
  begin_pass();
  on_fresh_thread(measure_with_lanes_held, reinterpret_cast<void*>(measure_passes));
  on_fresh_thread(measure_with_lanes_held, reinterpret_cast<void*>(measure_hooks));
  end_pass();
  return nullptr;
}

// Passes until `done`; the deepest of their beginnings, allocations and ends.
template <typename Done>
std::size_t deepest_pass_until(Done done) {
  std::size_t deepest = 0;
  const time_t end = time(nullptr) + 60;
  while (!done()) {
    EXPECT(time(nullptr) < end);
    for (const Function part : {begin_pass, allocate, end_pass}) {
      const std::size_t depth = depth_of(part);
      deepest = depth > deepest ? depth : deepest;
    }
    tidy();
  }
  return deepest;
}

void copy_over(const char* from, const char* to, bool damaged) {
  char beside[4096];
  snprintf(beside, sizeof beside, "%s.new", to);
  const int in = open(from, O_RDONLY | O_CLOEXEC);
  const int out = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  EXPECT(in >= 0 && out >= 0);
  char piece[4096];
  for (ssize_t got = 0; (got = read(in, piece, sizeof piece)) > 0;) {
    if (damaged) piece[got - 1] ^= 1;
    EXPECT(write(out, piece, static_cast<std::size_t>(got)) == got);
  }
  close(in);
  close(out);
  EXPECT(rename(beside, to) == 0);
}

void* take_up_plans(void*) {
  const char* plan = getenv("MEMOMALLOC_PLAN");
  copy_over(plan, plan, false);
  const std::uint64_t before = figure("plans_loaded");
  tell(deepest_pass_until([&] { return figure("plans_loaded") > before; }), "taken_up", "plan");
  const std::uint64_t refused = figure("plans_refused");
  copy_over(plan, plan, true);
  tell(deepest_pass_until([&] { return figure("plans_refused") > refused; }), "refused", "plan");
  return nullptr;
}

void* write_statistics(void*) {
  const char* statistics = getenv("MEMOMALLOC_STATS");
  unlink(statistics);
  tell(deepest_pass_until([&] { return access(statistics, F_OK) == 0; }), "written", "statistics");
  return nullptr;
}

void* learn(void*) {
  tell(deepest_pass_until([] { return figure("plans_loaded") != 0; }), "learned", "plan");
  return nullptr;
}

// The object has functions to be hooked. What notices that it is there is a hooked function once, an allocation then.
void* load_object(void* path) {
  void* library = dlopen(static_cast<const char*>(path), RTLD_LAZY);
  EXPECT(library != nullptr);
  tell(depth_of([] { drand48(); }), "loaded_before_hook", "object");
  dlclose(library);
  tell(depth_of([] { drand48(); }), "unloaded_before_hook", "object");
  library = dlopen(static_cast<const char*>(path), RTLD_LAZY);
  tell(depth_of(allocate), "loaded_before_malloc", "object");
  tidy();
  dlclose(library);
  tell(depth_of(allocate), "unloaded_before_malloc", "object");
  tidy();
  return nullptr;
}

pid_t g_child;

void* measure_fork(void*) {
  begin_pass();
  fflush(stdout);
  const std::size_t depth = depth_of([] { g_child = fork(); });
  tell(depth, g_child == 0 ? "child" : "parent", "fork");
  if (g_child == 0) {
    tell(depth_of(allocate), "child", "malloc");
    tell(depth_of(end_pass), "child", "pass_ends");
    tell(depth_of(begin_pass), "child", "pass_begins");
    fflush(stdout);
    _exit(0);
  }
  int status = 0;
  EXPECT(waitpid(g_child, &status, 0) == g_child && status == 0);
  end_pass();
  return nullptr;
}

volatile std::uintptr_t* g_left_from;

void* work_and_end(void*) {
  g_left_from = stack_pointer();
  begin_pass();
  g_block = malloc(g_size);
  tidy();
  return nullptr;  // inside the pass, with a cache of the heap
}

void measure_end_of_thread() {
  void* stack = mmap(nullptr, kLittleRoom, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto* low = static_cast<std::uintptr_t*>(stack);
  paint(low, low + kLittleRoom / sizeof *low);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, kLittleRoom);
  pthread_t thread;
  EXPECT(pthread_create(&thread, &attributes, work_and_end, nullptr) == 0);
  pthread_join(thread, nullptr);
  tell(bytes_unpainted(low, g_left_from), "whole_life", "thread");
}

void* measure_failures(void*) {
  tell(depth_of([] { EXPECT(malloc(SIZE_MAX / 4) == nullptr); }), "too_large", "malloc");
  tell(depth_of([] { EXPECT(calloc(SIZE_MAX / 4, 8) == nullptr); }), "too_large", "calloc");
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "record") == 0) return recorded(argc, ordinary_pass) ? 0 : 1;
  expect_right_allocator();
  on_fresh_thread(measure_passes, const_cast<char*>("first_of_process"));
  for (int pass = 0; pass < 2; ++pass) ordinary_pass();
  g_nowhere = fopen("/dev/null", "w");
  setvbuf(g_nowhere, nullptr, _IONBF, 0);
  measure_exported_functions();
  on_fresh_thread(measure_passes, const_cast<char*>("first_of_thread"));
  on_fresh_thread(measure_hooks, const_cast<char*>("first_of_thread"));
  on_fresh_thread(measure_with_two_lanes_held, nullptr);
  on_fresh_thread(measure_fork, nullptr);
  on_fresh_thread(measure_failures, nullptr);
  if (argc > 1) on_fresh_thread(load_object, argv[1]);
  measure_end_of_thread();
  if (getenv("STACK_PLANS") != nullptr) on_fresh_thread(take_up_plans, nullptr);
  if (getenv("STACK_STATISTICS") != nullptr) on_fresh_thread(write_statistics, nullptr);
  if (getenv("STACK_LEARN") != nullptr) on_fresh_thread(learn, nullptr);
}
