// Children made in every way while threads allocate. fork's child owns none of the locks it may find held and
// has only one thread; vfork's child shares the parent's memory and runs no fork handlers; posix_spawn may
// use either; a double fork leaves an orphan that goes on. Failure: a child that hangs or crashes, or a
// parent whose blocks changed.

#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>

#include <atomic>

#include "hostile.h"

namespace {

constexpr int kThreads = 8;
std::atomic<bool> stop;

void* allocate_all_the_time(void*) {
  unsigned i = 0;
  void* kept[16] = {};
  while (!stop.load(std::memory_order_relaxed)) {
    void*& slot = kept[++i % 16];
    free(slot);
    slot = malloc(i * 97 % 30000);
  }
  for (void* block : kept) free(block);
  return nullptr;
}

void expect_success(pid_t child) {
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

void use_the_heap() {
  for (unsigned i = 0; i < 500; ++i) {
    void* block = malloc(i * 131 % 40000);
    EXPECT(block != nullptr);
    free(realloc(block, i * 17 % 9000 + 1));
  }
}

void* use_in_thread(void*) {
  use_the_heap();
  return nullptr;
}

// The child allocates, frees what the parent made, and starts a thread of its own.
void fork_once(void* inherited) {
  const pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) {
    EXPECT(is_filled(inherited, 5000, 3));
    free(inherited);
    use_the_heap();
    pthread_t thread;
    EXPECT(pthread_create(&thread, nullptr, use_in_thread, nullptr) == 0);
    pthread_join(thread, nullptr);
    _exit(0);
  }
  expect_success(child);
}

void fork_twice() {
  const pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) {
    const pid_t grandchild = fork();
    if (grandchild == 0) {
      use_the_heap();
      _exit(0);
    }
    use_the_heap();
    expect_success(grandchild);
    exit(0);  // through the destructors, unlike the others
  }
  expect_success(child);
}

void vfork_and_exec() {
  const pid_t child = vfork();
  if (child == 0) {
    execl("/bin/true", "true", static_cast<char*>(nullptr));
    _exit(127);
  }
  expect_success(child);
}

void spawn() {
  char name[] = "true";
  char* arguments[] = {name, nullptr};
  pid_t child = 0;
  EXPECT(posix_spawn(&child, "/bin/true", nullptr, nullptr, arguments, environ) == 0);
  expect_success(child);
  EXPECT(system("exit 0") == 0);
  FILE* pipe = popen("echo hello", "r");
  char line[16] = "";
  EXPECT(pipe != nullptr && fgets(line, sizeof line, pipe) != nullptr && strcmp(line, "hello\n") == 0);
  EXPECT(pclose(pipe) == 0);
}

}  // namespace

int main() {
  expect_right_allocator();
  pthread_t threads[kThreads];
  for (pthread_t& thread : threads)
    EXPECT(pthread_create(&thread, nullptr, allocate_all_the_time, nullptr) == 0);
  void* inherited = malloc(5000);
  fill(inherited, 5000, 3);
  for (int i = 0; i < 12; ++i) fork_once(inherited);
  for (int i = 0; i < 3; ++i) fork_twice();
  for (int i = 0; i < 3; ++i) vfork_and_exec();
  for (int i = 0; i < 2; ++i) spawn();
  stop = true;
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  EXPECT(is_filled(inherited, 5000, 3));
  free(inherited);
}
