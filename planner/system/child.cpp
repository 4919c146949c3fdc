#include "planner/system/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "planner/system/last_of_all.h"

namespace memo::process {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void give_up(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// The pipe through which the child reports a failed exec. A successful exec closes it.
struct Report {
  int reader = -1;
  int writer = -1;

  Report() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) give_up("cannot make a pipe");
    reader = ends[0];
    writer = ends[1];
  }
  ~Report() {
    close(reader);
    if (writer >= 0) close(writer);
  }
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;

  void close_writer() {
    close(writer);
    writer = -1;
  }
};

// Returns the errno of a failed exec, or 0 once the child runs its program.
int read_exec_error(int reader) {
  int error = 0;
  ssize_t got = 0;
  do {
    got = read(reader, &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  return got == sizeof error ? error : 0;
}

// Resets the signals that this process handles, since its handlers do not exist in the child's program. Ignored
// signals stay ignored, as for any command that a shell starts.
void reset_handlers() {
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action {};
    if (sigaction(number, nullptr, &action) == 0 && action.sa_handler != SIG_IGN) signal(number, SIG_DFL);
  }
}

bool redirect(const std::string& path, int descriptor) {
  if (path.empty()) return true;
  const int how = descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC;
  const int file = open(path.c_str(), how | O_CLOEXEC, 0600);
  return file >= 0 && dup2(file, descriptor) >= 0;
}

bool attach(int channel) {
  return channel < 0 || (dup2(channel, STDIN_FILENO) >= 0 && dup2(channel, STDOUT_FILENO) >= 0);
}

[[noreturn]] void become(const Command& command, int report) {
  for (const std::string& name : command.unset) unsetenv(name.c_str());
  for (const auto& [name, value] : command.set) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : command.words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  reset_handlers();
  if (command.apart) setpgid(0, 0);
  if (command.last_of_all) come_last();
  if (redirect(command.input, STDIN_FILENO) && redirect(command.output, STDOUT_FILENO) &&
      redirect(command.errors, STDERR_FILENO) && attach(command.channel)) {
    if (command.as_child != nullptr) command.as_child();
    execvp(arguments[0], arguments.data());
  }
  const int error = errno;
  const bool reported = write(report, &error, sizeof error) == sizeof error;
  _exit(reported ? kNotFound : kNotExecutable);
}

// Returns the value that puts `path` in front of those of a variable that are separated by colons.
std::string in_front(const std::string& path, const char* variable) {
  const char* already = std::getenv(variable);
  return already == nullptr || *already == '\0' ? path : path + ":" + already;
}

bool marks_python(const Environment& others) {
  static constexpr const char* kSwitch = "MEMOMALLOC_PYTHON";
  const char* own = std::getenv(kSwitch);
  std::string value = own == nullptr ? "" : own;
  for (const auto& [name, other] : others) {
    if (name == kSwitch) value = other;
  }
  return value != "off";
}

}  // namespace

Child start(const Command& command) {
  Report report;
  Child child;
  child.id = fork();
  if (child.id < 0) give_up("cannot fork");
  if (child.id == 0) become(command, report.writer);
  report.close_writer();
  child.exec_error = read_exec_error(report.reader);
  return child;
}

bool has_ended(pid_t child) {
  siginfo_t about{};
  return waitid(P_PID, static_cast<id_t>(child), &about, WEXITED | WNOWAIT | WNOHANG) == 0 &&
         about.si_pid != 0;
}

void wait_for_end(const Child& child) {
  siginfo_t about{};
  while (waitid(P_PID, static_cast<id_t>(child.id), &about, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
}

int wait_for(const Child& child, rusage* usage) {
  int status = 0;
  while (wait4(child.id, &status, 0, usage) < 0) {
    if (errno != EINTR) give_up("cannot wait for the command");
  }
  if (child.exec_error != 0) return child.exec_error == ENOENT ? kNotFound : kNotExecutable;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void kill_with_group(const Child& child) {
  kill(-child.id, SIGKILL);
}

void interrupt(const Child& child) {
  kill(child.id, SIGINT);
}

void hold_interrupts_and_end_with_parent() {
  sigset_t held;
  sigemptyset(&held);
  sigaddset(&held, SIGINT);
  sigprocmask(SIG_BLOCK, &held, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGINT);
}

std::string preload_value(const std::string& library) {
  return in_front(library, "LD_PRELOAD");
}

Environment injection(const std::string& library, const Environment& others) {
  Environment variables{{"LD_PRELOAD", preload_value(library)}};
  const fs::path own(library);
  std::error_code error;
  const fs::path bootstrap =
      fs::weakly_canonical(own, error).parent_path() / "memomalloc" / "python" / "bootstrap";
  if (own.is_absolute() && marks_python(others) && fs::is_directory(bootstrap, error))
    variables.emplace_back("PYTHONPATH", in_front(bootstrap.string(), "PYTHONPATH"));
  return variables;
}

}  // namespace memo::process
