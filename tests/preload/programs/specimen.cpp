// A program of many small scenes, run under the recorder by the tests. Each scene allocates in a way the trace must
// show; it exits with 0 where what it can see itself is right.
#include <dlfcn.h>
#include <malloc.h>
#include <setjmp.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "memomalloc/memomalloc.h"
#include "memomalloc/tagged_ptr.h"
#include "tests/preload/programs/engines.h"
#include "tests/preload/programs/hooked.h"

namespace {

void require(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "specimen: not so: %s\n", what);
  std::exit(1);
}
#define REQUIRE(condition) require(condition, #condition)

// The compiler must not argue the pair away.
void allocate_and_free(std::size_t size) {
  void* volatile block = std::malloc(size);
  std::free(block);
}

memo_allocation identified(const void* pointer) {
  memo_allocation found{};
  REQUIRE(memo_identify(pointer, &found) == 1);
  return found;
}

// The same byte may have several addresses.
bool has_aliases() {
  const char* tag = std::getenv("MEMOMALLOC_TAG");
  return tag != nullptr && std::strcmp(tag, "alias") == 0;
}

// So much of the stack lies between the caller and this allocation.
[[gnu::noinline]] void allocate_deeper() {
  volatile char frame[8192];
  frame[0] = 20;
  allocate_and_free(static_cast<std::size_t>(frame[0]));
  frame[1] = frame[0];  // a call in last place would leave the frame before
}

void scene_depth() {
  memo_pass_begin(1);
  allocate_and_free(10);
  allocate_deeper();
  memo_pass_end();
}

// Every kind of allocation once, two scopes nested, one block left alive.
void scene_kinds() {
  memo_pass_begin(77);
  memo_scope_begin("outer");
  allocate_and_free(100);
  memo_scope_begin("inner");
  void* volatile zeroed = std::calloc(10, 20);
  std::free(zeroed);
  memo_scope_end();
  void* volatile grown = std::realloc(nullptr, 300);
  grown = std::realloc(grown, 40000);
  std::free(grown);
  memo_scope_end();
  void* aligned = nullptr;
  REQUIRE(posix_memalign(&aligned, 4096, 500) == 0);
  std::free(aligned);
  void* volatile object = operator new(8);
  operator delete(object);
  memo_pass_end();
}

// Takes one address again and again: its generation goes round many times.
void scene_million() {
  constexpr int kPasses = 10;
  constexpr int kBlocks = 100000;
  for (int pass = 0; pass < kPasses; ++pass) {
    memo_pass_begin(0);
    for (int i = 0; i < kBlocks; ++i) allocate_and_free(64);
    memo_pass_end();
  }
}

// Blocks of one thread's pass, freed by another: during the pass, after it, and when the first thread is gone.
void scene_threads() {
  std::vector<void*> during;
  std::vector<void*> after;
  during.reserve(100);
  after.reserve(100);
  std::thread worker([&] {
    memo_pass_begin(0);
    for (std::size_t i = 0; i < 100; ++i) {
      during.push_back(std::malloc(1000 + i));
      after.push_back(std::malloc(2000 + i));
    }
    std::thread([&] {
      for (void* block : during) std::free(block);
    }).join();
    memo_pass_end();
  });
  worker.join();
  for (void* block : after) std::free(block);
}

// Many threads, each gone before the next: their buffers are used again and nothing is lost.
void scene_thread_churn() {
  for (int i = 0; i < 200; ++i) {
    std::thread([] {
      memo_pass_begin(0);
      for (std::size_t size = 1; size <= 50; ++size) allocate_and_free(size);
      memo_pass_end();
    }).join();
  }
}

void make_a_pass(std::size_t blocks) {
  memo_pass_begin(0);
  for (std::size_t i = 0; i < blocks; ++i) allocate_and_free(10 + i);
  memo_pass_end();
}

void scene_fork() {
  make_a_pass(10);
  memo_pass_begin(0);
  allocate_and_free(11);
  void* kept = std::malloc(22);
  const pid_t child = fork();
  if (child == 0) {
    std::free(kept);
    memo_pass_end();
    make_a_pass(20);
    std::exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child && status == 0);
  allocate_and_free(33);
  std::free(kept);
  memo_pass_end();
}

// A server that forks its workers, each of which has threads: the n-th worker's passes have 10 n blocks.
void scene_prefork() {
  constexpr int kWorkers = 3;
  make_a_pass(5);
  std::vector<pid_t> workers;
  for (int worker = 1; worker <= kWorkers; ++worker) {
    const pid_t child = fork();
    if (child == 0) {
      const auto serve = [worker] {
        for (int i = 0; i < 4; ++i) make_a_pass(10 * static_cast<std::size_t>(worker));
      };
      std::thread other(serve);
      serve();
      other.join();
      std::exit(0);
    }
    workers.push_back(child);
  }
  for (const pid_t worker : workers) {
    int status = 0;
    REQUIRE(waitpid(worker, &status, 0) == worker && status == 0);
  }
  make_a_pass(5);
}

// Views, interior pointers, the byte behind the end, and a former self at the same address.
void scene_alias() {
  memo_pass_begin(0);
  memo_scope_begin("tensor");
  char* tensor = static_cast<char*>(std::malloc(1 << 20));
  memo_scope_end();
  const memo_allocation whole = identified(tensor);
  REQUIRE(whole.address == tensor && whole.size == 1 << 20 && whole.pass == 1);
  REQUIRE(whole.scope != nullptr && std::strcmp(whole.scope, "tensor") == 0);
  for (const int offset : {1, 17, 4096, 65537, (1 << 20) - 1}) {
    REQUIRE(identified(tensor + offset).tagged == whole.tagged);
  }
  memo_allocation none{};
  REQUIRE(memo_identify(tensor + (1 << 20), &none) == 0);
  int local = 0;
  REQUIRE(memo_identify(&local, &none) == 0);
  std::free(tensor);
  REQUIRE(memo_identify(tensor, &none) == 0);
  char* again = static_cast<char*>(std::malloc(1 << 20));
  REQUIRE(identified(again).tagged != whole.tagged);
  if (again == tensor) REQUIRE(identified(again).address == whole.address);
  const memo::tagged_ptr<char> pointer(identified(again).tagged);
  REQUIRE(pointer.get() == memo::canonicalize(again) || has_aliases());
  REQUIRE(pointer.tag() == identified(again).tagged >> 48);
  *again = 7;
  REQUIRE(*pointer == 7);
  std::free(again);
  memo_pass_end();
}

// An operator that reads a block from before the pass and one of the pass, by a pointer into its middle, and writes a third;
// one that names no block at all; and one outside of passes, which is none.
void scene_data_flow() {
  char* volatile weights = static_cast<char*>(std::malloc(1000));
  memo_pass_begin(0);
  memo_scope_begin("outer");
  char* volatile input = static_cast<char*>(std::malloc(1 << 20));
  char* volatile output = static_cast<char*>(std::malloc(3000));
  int local = 0;
  const void* const blocks[] = {weights, input + (1 << 19), nullptr, &local, output};
  memo_data_flow("conv", blocks, 4, 1);
  memo_scope_end();
  memo_data_flow("nothing", nullptr, 0, 0);
  std::free(input);
  std::free(output);
  memo_pass_end();
  memo_data_flow("outside", blocks, 1, 0);
  std::free(weights);
}

// Where pointers carry their tags, one to a former block is told from one to the block that has its address now, in
// questions and in frees; elsewhere the two are the same.
void scene_stale_pointer() {
  memo_pass_begin(0);
  char* former = static_cast<char*>(std::malloc(64));
  const bool tagged = former != memo::canonicalize(former);
  former[63] = 1;
  std::free(former);
  char* present = static_cast<char*>(std::malloc(64));
  REQUIRE(tagged == (former != present) || memo::canonicalize(former) != memo::canonicalize(present));
  if (tagged && memo::canonicalize(former) == memo::canonicalize(present)) {
    memo_allocation none{};
    REQUIRE(memo_identify(former, &none) == 0);
    std::free(former);
    REQUIRE(std::realloc(former, 128) == nullptr);
  }
  REQUIRE(identified(present + 63).address == present);
  present = static_cast<char*>(std::realloc(present, 100'000));
  REQUIRE(identified(present + 99'999).address == present && malloc_usable_size(present) >= 100'000);
  std::free(present);
  memo_pass_end();
}

void scene_overrun() {
  memo_pass_begin(0);
  memo_scope_begin("careless");
  volatile char* block = static_cast<char*>(std::malloc(24));
  volatile std::size_t end = 24;
  block[end] = 1;
  std::free(const_cast<char*>(block));
  memo_scope_end();
  memo_pass_end();
}

void run_layer(const char* name, std::size_t length, std::size_t size) {
  cv::dnn::LayerData layer{1, name, length, {}};
  cv::dnn::Net::Impl().forwardLayer(layer, [size] { allocate_and_free(size); });
}

// Layers of OpenCV, and three whose names cannot be read: none, none in memory, and one of an absurd length.
void scene_layers() {
  hooked_pass([] {
    for (const char* name : {"conv1", "conv2", "conv1"}) run_layer(name, std::strlen(name), 1);
    allocate_and_free(2);
    run_layer("", 0, 3);
    run_layer(reinterpret_cast<const char*>(16), 4, 4);
    run_layer("conv3", std::size_t{1} << 40, 5);
  });
}

// Kernels of PyTorch as TorchScript calls them, alone, around an operator and inside of one.
void scene_kernels() {
  REQUIRE(at::native::softmax_stub == 1);
  hooked_pass([] {
    at::native::softmax([] {
      allocate_and_free(1);
      at::_ops::relu::call([] {
        allocate_and_free(2);
        at::native::softmax([] { allocate_and_free(3); });
      });
      allocate_and_free(4);
    });
    at::meta::structured_cat().meta([] { allocate_and_free(5); });
    allocate_and_free(6);
  });
}

void scene_hooks() {
  hooked_pass([] {
    allocate_and_free(1);
    hooked_scope([] { allocate_and_free(2); });
    allocate_and_free(3);
    for (int i = 0; i < 3; ++i) hooked_scope([] { allocate_and_free(4); });
    hooked_pass([] { allocate_and_free(5); });
    hooked_jumping_scope([] { allocate_and_free(6); });
    allocate_and_free(7);
  });
  allocate_and_free(8);
}

// The frames that an exception or a longjmp leaves have no exit of their own.
void scene_unwinding() {
  for (int i = 0; i < 2; ++i) {
    try {
      hooked_pass(
          [] { hooked_scope([] { hooked_scope([] { throw std::runtime_error("out of all three"); }); }); });
    } catch (const std::runtime_error&) {
    }
    allocate_and_free(1);
  }
  hooked_pass([] {
    static jmp_buf target;
    if (setjmp(target) == 0) hooked_scope([] { longjmp(target, 1); });
    allocate_and_free(2);
  });
  allocate_and_free(3);
}

ucontext_t g_main_context;
ucontext_t g_fiber_context;

void run_fiber() {
  allocate_and_free(2);
  swapcontext(&g_fiber_context, &g_main_context);
}

// Inside a scope, but on another stack: who allocates there is not known.
void scene_fiber() {
  static char stack[64 * 1024];
  getcontext(&g_fiber_context);
  g_fiber_context.uc_stack = {stack, 0, sizeof stack};
  g_fiber_context.uc_link = nullptr;
  makecontext(&g_fiber_context, run_fiber, 0);
  hooked_pass([] {
    hooked_scope([] {
      allocate_and_free(1);
      swapcontext(&g_main_context, &g_fiber_context);
      allocate_and_free(3);
    });
  });
}

void scene_arguments() {
  hooked_pass([] {
    REQUIRE(hooked_scope_sums(1, 2, 3, 4, 5, 6, 7, 1.5, 2, 3, 4, 5, 6, 7, 8, 9) == 140 + 285.5);
    REQUIRE(hooked_scope_variadic(4, 1.0, 2.0, 3.0, 4.0) == 10);
    const hooked::Pair pair = hooked_scope_pair(2.5F, 7);
    REQUIRE(pair.first == 2.5 && pair.second == 7);
    const hooked::Large large = hooked_scope_large(40);
    REQUIRE(large.words[0] == 40 && large.words[7] == 47);
    REQUIRE(hooked_scope_extended(1.25L) == 2.5L);
#if defined(__AVX__)
    const __m256d sum = hooked_scope_wide(_mm256_set_pd(1, 2, 3, 4), _mm256_set_pd(10, 20, 30, 40));
    alignas(32) double parts[4];
    _mm256_store_pd(parts, sum);
    REQUIRE(parts[0] == 44 && parts[1] == 33 && parts[2] == 22 && parts[3] == 11);
#endif
  });
}

const char* g_late_library;

void scene_late() {
  void* library = dlopen(g_late_library, RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library != nullptr);
  allocate_and_free(1);
  const auto run_late = reinterpret_cast<void (*)(void (*)())>(dlsym(library, "run_late"));
  REQUIRE(run_late != nullptr);
  run_late([] { allocate_and_free(2); });
}

// memo_pass_begin inside a pass, an end too many, scopes that are never ended.
void scene_careless_marks() {
  memo_pass_end();
  memo_scope_begin("outside");
  memo_pass_begin(1);
  memo_scope_begin("left open");
  memo_pass_begin(2);
  allocate_and_free(1);
  memo_pass_end();
  allocate_and_free(2);
  memo_pass_end();
  memo_scope_end();
  allocate_and_free(3);
  make_a_pass(4);
}

void scene_ten_passes() {
  for (std::size_t i = 0; i < 10; ++i) make_a_pass(5);
}

void make_passes(int count, std::size_t blocks) {
  for (int i = 0; i < count; ++i) make_a_pass(blocks);
}

// More than the smallest trace that keeps the newest passes has room for: some 60 KiB a pass.
constexpr int kManyPasses = 300;
constexpr std::size_t kManyBlocks = 1000;

void scene_many_passes() {
  make_passes(kManyPasses, kManyBlocks);
}

// Four threads at it when the process dies.
void scene_many_passes_killed() {
  std::vector<std::thread> workers;
  for (int i = 0; i < 4; ++i) workers.emplace_back([] { make_passes(100 * kManyPasses, kManyBlocks); });
  make_passes(kManyPasses, kManyBlocks);
  kill(getpid(), SIGKILL);
}

void scene_nothing() {
  allocate_and_free(1);
}

void scene_kill() {
  for (std::size_t i = 0; i < 10; ++i) make_a_pass(5);
  kill(getpid(), SIGKILL);
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)()> scenes = {{"kinds", scene_kinds},
                                                    {"depth", scene_depth},
                                                    {"million", scene_million},
                                                    {"threads", scene_threads},
                                                    {"thread-churn", scene_thread_churn},
                                                    {"fork", scene_fork},
                                                    {"prefork", scene_prefork},
                                                    {"alias", scene_alias},
                                                    {"stale-pointer", scene_stale_pointer},
                                                    {"data-flow", scene_data_flow},
                                                    {"overrun", scene_overrun},
                                                    {"hooks", scene_hooks},
                                                    {"layers", scene_layers},
                                                    {"kernels", scene_kernels},
                                                    {"unwinding", scene_unwinding},
                                                    {"fiber", scene_fiber},
                                                    {"arguments", scene_arguments},
                                                    {"late", scene_late},
                                                    {"marks", scene_careless_marks},
                                                    {"ten-passes", scene_ten_passes},
                                                    {"many-passes", scene_many_passes},
                                                    {"many-passes-killed", scene_many_passes_killed},
                                                    {"nothing", scene_nothing},
                                                    {"kill", scene_kill}};
  if (argc < 2 || scenes.find(argv[1]) == scenes.end()) return 2;
  g_late_library = argc > 2 ? argv[2] : nullptr;
  scenes.at(argv[1])();
  return 0;
}
