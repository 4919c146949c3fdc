// A heap whose blocks have several addresses (mode profile, --tag=alias). The program is given one of them for each block,
// another each time the block is reused, and must not notice: bytes stay with their blocks through threads, realloc, calloc
// after pages were given back, huge blocks and all kinds of children. Children are the hard part: the pages are shared
// memory, which a child would go on sharing. Failure: a byte of one process that shows in another, or under another block.

#include <pthread.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <atomic>

#include "hostile.h"

namespace {

constexpr int kThreads = 4;
std::atomic<bool> g_stop;

bool is_injected() {
  return getenv("HOSTILE_INJECTED") != nullptr;
}

bool is_zeroed(const char* block, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    if (block[i] != 0) return false;
  }
  return true;
}

// A chain of sizes that grows and shrinks, in place and not, up to blocks that have pages of their own.
void grow_and_shrink(unsigned seed) {
  size_t size = 24;
  char* block = static_cast<char*>(malloc(size));
  fill(block, size, seed);
  for (unsigned step = 0; step < 60; ++step) {
    const size_t next = 1 + (size * 5 / 3 + step * seed) % 3'000'000;
    block = static_cast<char*>(realloc(block, next));
    EXPECT(block != nullptr && is_filled(block, next < size ? next : size, seed));
    EXPECT(malloc_usable_size(block) >= next);
    fill(block, next, seed);
    size = next;
  }
  free(block);
}

void expect_zeroes(unsigned seed) {
  for (unsigned i = 0; i < 40; ++i) {
    const size_t size = 1 + (i * 977 + seed * 131) % 300'000;
    char* block = static_cast<char*>(calloc(1, size));
    EXPECT(block != nullptr && is_zeroed(block, size));
    memset(block, 0x5a, size);
    free(block);
  }
}

void* work_all_the_time(void* argument) {
  const auto seed = static_cast<unsigned>(reinterpret_cast<uintptr_t>(argument));
  for (unsigned i = 0; !g_stop.load(std::memory_order_relaxed) || i < 3; ++i) {
    grow_and_shrink(seed + i);
    expect_zeroes(seed + i);
  }
  return nullptr;
}

struct Workers {
  pthread_t threads[kThreads];
  Workers() {
    g_stop = false;
    for (uintptr_t i = 0; i < kThreads; ++i)
      EXPECT(pthread_create(&threads[i], nullptr, work_all_the_time, reinterpret_cast<void*>(i + 1)) == 0);
  }
  ~Workers() {
    g_stop = true;
    for (pthread_t thread : threads) pthread_join(thread, nullptr);
  }
};

// While others allocate, idle pages go back: what comes again must be zeroes in every window.
void threads() {
  const Workers workers;
  for (int i = 0; i < 20; ++i) {
    malloc_trim(0);
    usleep(1000);
  }
}

struct Blocks {
  static constexpr size_t kCount = 400;
  char* blocks[kCount];
  static size_t size_of(size_t i) { return 1 + i * i * 3; }
  void make(unsigned seed) {
    for (size_t i = 0; i < kCount; ++i) {
      blocks[i] = static_cast<char*>(malloc(size_of(i)));
      fill(blocks[i], size_of(i), seed);
    }
  }
  void refill(unsigned seed) {
    for (size_t i = 0; i < kCount; ++i) fill(blocks[i], size_of(i), seed);
  }
  void expect(unsigned seed) const {
    for (size_t i = 0; i < kCount; ++i) EXPECT(is_filled(blocks[i], size_of(i), seed));
  }
  // Grown blocks first: they may stay where they are, at another address.
  void grow_and_free(unsigned seed) {
    for (size_t i = 0; i < kCount; ++i) {
      const size_t size = size_of(i);
      blocks[i] = static_cast<char*>(realloc(blocks[i], size + 1 + i % 5));
      EXPECT(is_filled(blocks[i], size, seed));
      blocks[i] = static_cast<char*>(realloc(blocks[i], 2 * size + 100));
      EXPECT(is_filled(blocks[i], size, seed));
      free(blocks[i]);
    }
  }
};

void expect_success(pid_t child) {
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

// Tells the two processes that the other has written, so that each looks at its own blocks after that.
struct Signal {
  int ends[2];
  Signal() { EXPECT(pipe(ends) == 0); }
  void give() const { EXPECT(write(ends[1], "x", 1) == 1); }
  void await() const {
    char byte;
    EXPECT(read(ends[0], &byte, 1) == 1);
  }
  ~Signal() {
    close(ends[0]);
    close(ends[1]);
  }
};

// Both write over the blocks that they have in common, and each must see its own bytes alone.
void fork_once(Blocks& shared, unsigned seed, int depth) {
  const Signal child_has_written;
  const Signal parent_has_written;
  const pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) {
    parent_has_written.await();
    shared.expect(seed);
    shared.refill(seed + 1);
    child_has_written.give();
    shared.expect(seed + 1);
    expect_zeroes(seed);
    grow_and_shrink(seed);
    if (depth > 0) fork_once(shared, seed + 1, depth - 1);
    Blocks own;
    own.make(seed + 2);
    shared.grow_and_free(depth > 0 ? seed + 3 : seed + 1);
    own.expect(seed + 2);
    own.grow_and_free(seed + 2);
    _exit(0);
  }
  shared.refill(seed + 2);
  parent_has_written.give();
  child_has_written.await();
  shared.expect(seed + 2);
  expect_success(child);
}

void forks() {
  Blocks shared;
  shared.make(7);
  {
    const Workers workers;
    for (unsigned i = 0; i < 4; ++i) fork_once(shared, 7 + 2 * i, i == 1 ? 1 : 0);
  }
  shared.expect(15);
  shared.grow_and_free(15);
  malloc_trim(0);
  expect_zeroes(3);
}

// Two threads that fork at once: neither child may come into being while the pages are still shared.
void* fork_alone(void* argument) {
  auto* start = static_cast<pthread_barrier_t*>(argument);
  char* block = static_cast<char*>(malloc(5000));
  fill(block, 5000, 1);
  pthread_barrier_wait(start);
  const pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) {
    fill(block, 5000, 2);
    _exit(0);
  }
  expect_success(child);
  EXPECT(is_filled(block, 5000, 1));
  free(block);
  return nullptr;
}

void forks_at_once() {
  pthread_barrier_t start;
  pthread_barrier_init(&start, nullptr, kThreads);
  pthread_t threads[kThreads];
  for (pthread_t& thread : threads) EXPECT(pthread_create(&thread, nullptr, fork_alone, &start) == 0);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
}

// Children that share the memory on purpose leave the heap as it is.
void sharing_children() {
  char* block = static_cast<char*>(malloc(100));
  const pid_t child = vfork();
  if (child == 0) {
    execl("/bin/true", "true", static_cast<char*>(nullptr));
    _exit(127);
  }
  expect_success(child);
  EXPECT(system("exit 0") == 0);
  free(block);
}

// A pointer to a block that is gone is another than the one to the block in its place, and freeing it again harms nobody.
void wrong_free() {
  if (!is_injected()) return;
  char* former = static_cast<char*>(malloc(3000));
  free(former);
  char* present = static_cast<char*>(malloc(3000));
  EXPECT(former != present);
  EXPECT(((reinterpret_cast<uintptr_t>(former) ^ reinterpret_cast<uintptr_t>(present)) & 0xffffff) == 0);
  fill(present, 3000, 9);
  free(former);
  EXPECT(realloc(former, 10) == nullptr);
  char* other = static_cast<char*>(malloc(3000));
  memset(other, 0, 3000);
  EXPECT(is_filled(present, 3000, 9));
  free(other);
  free(present);
}

// Every file may be closed before the process is copied.
void closed_files() {
  for (int file = 3; file < 1024; ++file) close(file);
  Blocks shared;
  shared.make(21);
  fork_once(shared, 21, 0);
  shared.expect(23);
  shared.grow_and_free(23);
}

void huge() {
  constexpr size_t kSize = size_t{300} << 20;
  for (int round = 0; round < 3; ++round) {
    char* block = static_cast<char*>(calloc(1, kSize));
    EXPECT(block != nullptr);
    for (size_t at = 0; at < kSize; at += 4096) {
      EXPECT(block[at] == 0);
      block[at] = 1;
    }
    block = static_cast<char*>(realloc(block, kSize + kSize / 2));
    EXPECT(block != nullptr && block[kSize - 4096] == 1);
    free(block);
    malloc_trim(0);
  }
}

// No mapping more may be made: blocks and children do without, where other heaps have no more blocks.
void no_more_mappings() {
  if (!is_injected()) return;
  constexpr int kMost = 200'000;
  for (int i = 0; i < kMost; ++i) {
    if (mmap(nullptr, 4096, i % 2 == 0 ? PROT_READ : PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
        MAP_FAILED)
      break;
  }
  Blocks shared;
  shared.make(31);
  fork_once(shared, 31, 0);
  shared.expect(33);
  for (char* block : shared.blocks) free(block);
}

struct Scene {
  const char* name;
  void (*play)();
};
constexpr Scene kScenes[] = {{"threads", threads},
                             {"forks", forks},
                             {"forks_at_once", forks_at_once},
                             {"sharing_children", sharing_children},
                             {"wrong_free", wrong_free},
                             {"closed_files", closed_files},
                             {"huge", huge},
                             {"no_more_mappings", no_more_mappings}};

}  // namespace

int main(int argc, char** argv) {
  expect_right_allocator();
  for (const Scene& scene : kScenes) {
    if (argc < 2 || strcmp(argv[1], scene.name) != 0) continue;
    scene.play();
    return 0;
  }
  return 2;
}
