#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "preload/platform/platform.h"
#include "runtime/platform/standard_files.h"

namespace memo::guest::platform {
namespace {

// Two processes share the memory of this one, one after the other, while the calling thread stands still. The
// first, the go-between, is reaped here at once, without SIGCHLD and unseen by any wait() of the program. The
// second is its child, and becomes the program to be started.
constexpr std::size_t kStackBytes = 1U << 16;

constexpr int kForAppend = O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY | O_NONBLOCK;

struct Detached {
  const char* const* words;
  const char* errors;
  char* stack_end;  // end of the second process's stack
  int error;
};

bool take_files(const char* errors) {
  const int nothing = open("/dev/null", O_RDWR);
  if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(nothing, STDOUT_FILENO) < 0) return false;
  const int own = runtime::is_as_at_start(STDERR_FILENO) ? STDERR_FILENO : nothing;
  const int log = errors != nullptr ? open(errors, kForAppend, 0644) : own;
  if (dup2(log >= 0 ? log : nothing, STDERR_FILENO) < 0) return false;
  return close_range(STDERR_FILENO + 1, ~0U, 0) == 0;
}

int become_program(void* argument) {
  auto& what = *static_cast<Detached*>(argument);
  static const char* const kEnvironment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", nullptr};
  sigset_t none;
  sigemptyset(&none);
  setsid();
  // Signals that are pending were not meant for this process. No handler of the program ever runs in it: execve
  // comes first, or _exit.
  if (take_files(what.errors)) {
    sigprocmask(SIG_SETMASK, &none, nullptr);
    execve(what.words[0], const_cast<char* const*>(what.words), const_cast<char* const*>(kEnvironment));
  }
  what.error = errno;
  _exit(127);
}

int go_between(void* argument) {
  auto& what = *static_cast<Detached*>(argument);
  if (clone(become_program, what.stack_end, CLONE_VM | CLONE_VFORK | SIGCHLD, argument) < 0)
    what.error = errno;
  _exit(0);
}

// Starts the go-between and waits for its end. It sends no signal when it ends, so only a wait with __WCLONE
// finds it.
int run_go_between(Detached& what, char* stack_end) {
  const int child = clone(go_between, stack_end, CLONE_VM | CLONE_VFORK, &what);
  if (child < 0) return errno;
  constexpr int kWithoutSignal = static_cast<int>(__WCLONE);
  while (waitpid(child, nullptr, kWithoutSignal) < 0 && errno == EINTR) {
  }
  return what.error;
}

}  // namespace

int start_detached(const char* const* words, const char* errors) {
  void* stacks =
      mmap(nullptr, 2 * kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (stacks == MAP_FAILED) return errno;
  char* const end = static_cast<char*>(stacks) + 2 * kStackBytes;
  Detached what{words, errors, end, 0};
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  const int error = run_go_between(what, end - kStackBytes);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  munmap(stacks, 2 * kStackBytes);
  return error;
}

}  // namespace memo::guest::platform
