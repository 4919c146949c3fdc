// The ways out: exit with objects that free in destructors and handlers that allocate, quick_exit, _exit,
// abort, a killed process, and an exception nobody catches. argv[1] names the way; without it the program
// runs itself once for each and looks at the status. Failure: another status than the program's own.

#include <signal.h>
#include <sys/wait.h>

#include <string>
#include <vector>

#include "hostile.h"

namespace {

struct FreesAtTheEnd {
  std::vector<std::string> words{1000, std::string(100, 'w')};
  ~FreesAtTheEnd() { words.assign(10, "goodbye, with a text too long for the small buffer"); }
};
FreesAtTheEnd frees_at_the_end;

void allocate_at_exit() {
  free(malloc(5000));
  delete new std::string(500, 'x');
}

[[noreturn]] void leave_by(const std::string& way) {
  atexit(allocate_at_exit);
  at_quick_exit(allocate_at_exit);
  if (way == "exit") exit(7);
  if (way == "quick_exit") quick_exit(8);
  if (way == "_exit") _exit(9);
  if (way == "kill") raise(SIGKILL);
  if (way == "abort") abort();
  throw std::vector<int>(1000);
}

int status_of(const char* program, const char* way) {
  const pid_t child = fork();
  if (child == 0) {
    if (freopen("/dev/null", "w", stderr) == nullptr) _exit(99);
    execl(program, program, way, static_cast<char*>(nullptr));
    _exit(98);
  }
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child);
  return status;
}

bool exited_with(int status, int code) {
  return WIFEXITED(status) && WEXITSTATUS(status) == code;
}
bool died_of(int status, int signal) {
  return WIFSIGNALED(status) && WTERMSIG(status) == signal;
}

}  // namespace

int main(int argc, char** argv) {
  expect_right_allocator();
  if (argc > 1) leave_by(argv[1]);
  EXPECT(exited_with(status_of(argv[0], "exit"), 7));
  EXPECT(exited_with(status_of(argv[0], "quick_exit"), 8));
  EXPECT(exited_with(status_of(argv[0], "_exit"), 9));
  EXPECT(died_of(status_of(argv[0], "kill"), SIGKILL));
  EXPECT(died_of(status_of(argv[0], "abort"), SIGABRT));
  EXPECT(died_of(status_of(argv[0], "throw"), SIGABRT));
}
