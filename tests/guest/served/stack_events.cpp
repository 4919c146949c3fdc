// Measures how much of the program's stack the rare events take that depend on what the process has loaded or asked for
// before, and tells it as stack_need.cpp does, for stack_test.py to judge.
//
//   stack_events tensors [LIBRARY…]   who answers for PyTorch's tensors is decided, with these libraries loaded
//   stack_events runtime LIBRARY      a runtime with ONNX Runtime's table is wrapped, and called through the wrappers
//   stack_events take_up PLAN         this plan becomes the one in force, and no pass begins
//   stack_events grow                 a plan grows, and a thread of the library is started for it
//
// Failure: an event that does not come.
#include <time.h>

#include "measured.h"
#include "served.h"
#include "tests/preload/programs/onnxruntime/fake_runtime.h"

using namespace served;

namespace {

void* open_library(const char* path) {
  void* library = dlopen(path, RTLD_NOW);
  EXPECT(library != nullptr);
  return library;
}

// ---- tensors ----

void* (*g_allocate_tensor)(std::size_t);
void (*g_release_tensor)(void*);
void* g_tensor;

// Whatever function comes first decides: a thread may give back a tensor before any other is made.
void* measure_tensors(void*) {
  tell(depth_of([] { g_release_tensor(nullptr); }), "decided_by_release", "tensors");
  tell(depth_of([] { g_tensor = g_allocate_tensor(5000); }), "first", "tensor");
  tell(depth_of([] { g_release_tensor(g_tensor); }), "first", "tensor_released");
  return nullptr;
}

void* measure_deciding_allocation(void*) {
  tell(depth_of([] { g_tensor = g_allocate_tensor(5000); }), "decided_by_allocation", "tensors");
  g_release_tensor(g_tensor);
  return nullptr;
}

void tensors(char** libraries, bool release_first) {
  for (; *libraries != nullptr; ++libraries) open_library(*libraries);
  g_allocate_tensor = reinterpret_cast<void* (*)(std::size_t)>(dlsym(RTLD_DEFAULT, "_ZN3c109alloc_cpuEm"));
  g_release_tensor = reinterpret_cast<void (*)(void*)>(dlsym(RTLD_DEFAULT, "_ZN3c108free_cpuEPv"));
  EXPECT(g_allocate_tensor != nullptr && g_release_tensor != nullptr);
  on_fresh_thread(release_first ? measure_tensors : measure_deciding_allocation, nullptr);
}

// ---- a runtime with a table ----

const Entry* g_table;
Binding* g_binding;
Session g_session{nullptr, 0, 0, 0};
std::int64_t g_dimensions[] = {3, 4, 5};
Tensor g_tensors[] = {{g_dimensions, 3}, {nullptr, 0}};
void* g_result;
const void* const kNoOptions = nullptr;

template <typename... Arguments>
void call(std::size_t entry, Arguments... arguments) {
  reinterpret_cast<Status* (*)(Arguments...)>(g_table[entry])(arguments...);
}

void run_session() {
  const char* const names[] = {"left", "right"};
  const Tensor* const inputs[] = {g_tensors, g_tensors};
  const char* const outputs[] = {"sum"};
  call(9, &g_session, kNoOptions, static_cast<const char* const*>(names),
       static_cast<const Tensor* const*>(inputs), std::size_t{2}, static_cast<const char* const*>(outputs),
       std::size_t{1}, &g_result);
  free(g_result);
}

void* measure_runtime(void* library) {
  tell(depth_of([] { free(malloc(1)); }), "wrapped", "runtime");
  g_table = reinterpret_cast<const ApiBase* (*)()>(dlsym(library, "OrtGetApiBase"))()->table(1);
  const Session* own = &g_session;
  call(134, own, &g_binding);
  tell(depth_of(run_session), "first", "Run");
  tell(depth_of(run_session), "next", "Run");
  tell(depth_of([] { call(136, g_binding, "left", static_cast<const Tensor*>(g_tensors)); }), "shape",
       "BindInput");
  tell(depth_of([] { call(136, g_binding, "right", static_cast<const Tensor*>(g_tensors + 1)); }), "no_shape",
       "BindInput");
  tell(depth_of([] { call(133, &g_session, kNoOptions, g_binding); }), "first", "RunWithBinding");
  tell(depth_of([] { call(141, g_binding); }), "all", "ClearBoundInputs");
  tell(depth_of([] { call(135, g_binding); }), "once", "ReleaseIoBinding");
  EXPECT(g_session.runs == 3);
  return nullptr;
}

// ---- a plan that grows ----

constexpr int kBlocks = 24;
std::size_t g_size = 20'000;
std::size_t g_deepest;

void raise_deepest(std::size_t depth) {
  g_deepest = depth > g_deepest ? depth : g_deepest;
}

[[gnu::noinline]] void* one_block(unsigned number) {
  return malloc(g_size + number);
}

void measured_pass() {
  void* blocks[kBlocks];
  raise_deepest(depth_of([] {
    if (memo_pass_begin != nullptr) memo_pass_begin(0);
  }));
  for (unsigned at = 0; at < kBlocks; ++at) blocks[at] = one_block(at);
  for (void* block : blocks) free(block);
  raise_deepest(depth_of([] {
    if (memo_pass_end != nullptr) memo_pass_end();
  }));
}

// Requests for larger blocks than were planned make the plan grow between two passes.
void* measure_growth(void*) {
  const time_t end = time(nullptr) + 60;
  while (by_plan() && figure("plans_grown") == 0) {
    EXPECT(time(nullptr) < end);
    g_size = 60'000;
    measured_pass();
  }
  tell(g_deepest, "grown", "plan");
  return nullptr;
}

// ---- a plan that is replaced while no pass begins ----

void* measure_taking_up(void*) {
  const time_t end = time(nullptr) + 60;
  while (figure("plans_loaded") < 2) {
    EXPECT(time(nullptr) < end);
    raise_deepest(depth_of([] { free(malloc(60'000)); }));
  }
  tell(g_deepest, "taken_up_without_passes", "plan");
  return nullptr;
}

void take_up(const char* newer) {
  EXPECT(rename(newer, getenv("MEMOMALLOC_PLAN")) == 0);
  on_fresh_thread(measure_taking_up, nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  EXPECT(argc > 1);
  const auto does = [argv](const char* what) { return strcmp(argv[1], what) == 0; };
  if (does("record")) return recorded(argc, measured_pass) ? 0 : 1;
  if (does("tensors_released")) tensors(argv + 2, true);
  if (does("tensors")) tensors(argv + 2, false);
  if (does("runtime")) on_fresh_thread(measure_runtime, open_library(argv[2]));
  if (does("take_up")) take_up(argv[2]);
  if (does("grow")) on_fresh_thread(measure_growth, nullptr);
  return 0;
}
