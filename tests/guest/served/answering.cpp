// A small server in one process: passes of two shapes on two threads, each of which computes an answer in the blocks it is
// given, with blocks that cross threads, grow and outlive their pass, plans that come again, requests that a plan has to grow
// for while a block lives in its lane, a library that is loaded and a child that is forked. It knows what to do where there is no memory: it computes in a reserve of its own. Prints its
// answers, so that they can be held against those of a run in which nothing went wrong. With the word "without-descriptors"
// it can open no file from the beginning of main on.
#include <dlfcn.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "served.h"

using namespace served;

namespace {

constexpr std::size_t kBlocks = 30;
constexpr int kRounds = 12;

std::size_t size_of(std::size_t i, std::uint64_t shape) {
  return 24 + i * 53 % 900 + (i % 6 == 5 ? 40000 * shape : 0);
}

// The memory in which a pass works: a block, or where there is none, the thread's reserve.
struct Buffer {
  unsigned char* bytes;
  std::size_t size;
  bool own;
};

using Reserve = unsigned char[kBlocks][100000];

struct Worker {
  std::uint64_t shape;
  std::uint64_t answer;
  Reserve* reserve;
};

[[gnu::noinline]] Buffer make_buffer(Worker& worker, std::size_t i) {
  const std::size_t size = size_of(i, worker.shape);
  auto* block = static_cast<unsigned char*>(i % 4 == 1 ? calloc(1, size) : malloc(size));
  if (block == nullptr) return {(*worker.reserve)[i], size, false};
  return {block, size, true};
}

void drop(const Buffer& buffer) {
  if (buffer.own) free(buffer.bytes);
}

// Grows one block on the way.
void grow(Buffer& buffer) {
  void* larger = buffer.own ? realloc(buffer.bytes, buffer.size + 200) : nullptr;
  if (larger != nullptr) buffer.bytes = static_cast<unsigned char*>(larger);
}

std::uint64_t sum_of(const Buffer& buffer) {
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at < buffer.size; ++at) sum = sum * 31 + buffer.bytes[at];
  return sum;
}

// Every block is filled while all those before it live, and read when the last one is.
std::uint64_t answer_one(Worker& worker) {
  const Pass pass(worker.shape);
  Buffer buffers[kBlocks];
  std::uint64_t answer = worker.shape;
  for (std::size_t i = 0; i < kBlocks; ++i) {
    if (i % 5 == 0) open_scope(i % 10 == 0 ? "convolve" : "add");
    buffers[i] = make_buffer(worker, i);
    fill(buffers[i].bytes, buffers[i].size, static_cast<unsigned>(i * worker.shape));
    if (i % 7 == 3) grow(buffers[i]);
    if (i % 5 == 4) close_scope();
  }
  for (const Buffer& buffer : buffers) answer = answer * 1099511628211 + sum_of(buffer);
  for (const Buffer& buffer : buffers) drop(buffer);
  return answer;
}

void* work(void* argument) {
  auto& worker = *static_cast<Worker*>(argument);
  for (int round = 0; round < kRounds; ++round) worker.answer = worker.answer * 17 + answer_one(worker);
  return nullptr;
}

// Uses two threads where there are two to be had.
void answer_on_threads(Worker* workers) {
  pthread_t thread;
  const bool two = pthread_create(&thread, nullptr, work, &workers[1]) == 0;
  work(&workers[0]);
  if (two) {
    pthread_join(thread, nullptr);
  } else {
    work(&workers[1]);
  }
}

// Lets a child answer. Its answer is its own; the point is that it answers. Returns 1 where no process was to be had.
int answer_in_child(Worker& worker) {
  const pid_t child = fork();
  if (child == 0) {
    Worker* own = &worker;
    own->answer = 0;
    work(own);
    _exit(own->answer == 0 ? 2 : 1);
  }
  int status = 1 << 8;
  if (child > 0) waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

// ---- requests larger than any that was profiled ----

constexpr std::size_t kLargeBlocks = 4;
constexpr std::size_t kLarge = std::size_t{3} << 19;  // profiled; together they take several pages of 2 MiB
constexpr std::size_t kLarger = kLarge + kLarge / 2;
constexpr std::size_t kStep = 4096;
constexpr int kMostWaits = 50;  // of a millisecond, for a plan that may not grow at all
constexpr unsigned char kMark = 77;

unsigned char g_large_reserves[kLargeBlocks][kLarger];

[[gnu::noinline]] unsigned char* make_large(std::size_t i, std::size_t size, bool* own) {
  auto* block = static_cast<unsigned char*>(malloc(size));
  *own = block != nullptr;
  return *own ? block : g_large_reserves[i];
}

[[gnu::noinline]] unsigned char* make_small() {
  return static_cast<unsigned char*>(malloc(700));
}

// Returns what is written to one byte of each page. The small block is the caller's where it wants it.
std::uint64_t answer_large(std::size_t size, unsigned char** small) {
  const Pass pass(3);
  unsigned char* blocks[kLargeBlocks];
  bool own[kLargeBlocks];
  std::uint64_t answer = 0;
  unsigned char* mine = make_small();
  for (std::size_t i = 0; i < kLargeBlocks; ++i) {
    blocks[i] = make_large(i, size, &own[i]);
    for (std::size_t at = 0; at < size; at += kStep)
      blocks[i][at] = static_cast<unsigned char>(at / kStep + i);
  }
  for (std::size_t i = 0; i < kLargeBlocks; ++i) {
    for (std::size_t at = 0; at < size; at += kStep) answer = answer * 31 + blocks[i][at];
    if (own[i]) free(blocks[i]);
  }
  small != nullptr ? void(*small = mine) : free(mine);
  return answer;
}

// One block stays in the lane of the first pass while the plan grows.
std::uint64_t answer_larger() {
  unsigned char* kept = nullptr;
  std::uint64_t answer = answer_large(kLarge, &kept);
  if (kept != nullptr) *kept = kMark;
  for (int wait = 0; wait == 0 || (by_plan() && figure("plans_grown") == 0 && wait < kMostWaits); ++wait) {
    if (wait != 0) usleep(1000);  // the plan grows on a thread of the library's
    answer_large(kLarger, nullptr);
  }
  answer = answer * 31 + answer_large(kLarger, nullptr);
  EXPECT(kept == nullptr || *kept == kMark);
  free(kept);
  return answer;
}

void load_something() {
  void* library = dlopen("libm.so.6", RTLD_NOW);
  if (library != nullptr) dlclose(library);
}

Reserve g_reserves[2];
Worker g_workers[2] = {{.shape = 1, .answer = 0, .reserve = &g_reserves[0]},
                       {.shape = 2, .answer = 0, .reserve = &g_reserves[1]}};

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "without-descriptors") == 0) {
    const rlimit three{3, 3};
    setrlimit(RLIMIT_NOFILE, &three);
  }
  const char* plan = getenv("MEMOMALLOC_PLAN");
  for (Worker& worker : g_workers) answer_one(worker);
  if (argc > 1 && strcmp(argv[1], "record") == 0) {
    for (Worker& worker : g_workers) work(&worker);
    for (int round = 0; round < kRounds; ++round) answer_large(kLarge, nullptr);
    return 0;
  }
  answer_on_threads(g_workers);
  const std::uint64_t larger = answer_larger();
  load_something();
  if (plan != nullptr && memo_plan_load != nullptr) memo_plan_load(plan);
  const int child = answer_in_child(g_workers[0]);
  answer_on_threads(g_workers);
  printf("%016lx %016lx %016lx %d\n", static_cast<unsigned long>(larger),
         static_cast<unsigned long>(g_workers[0].answer), static_cast<unsigned long>(g_workers[1].answer),
         child);
}
