#include "planner/system/program_status.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <string_view>

namespace memo::process {
namespace {

constexpr int kFaults[] = {SIGBUS, SIGSEGV, SIGABRT, SIGFPE, SIGILL};
constexpr int kNone = -1;

std::atomic<int> g_status = kNone;
std::atomic<bool> g_has_faulted = false;
std::atomic<pid_t> g_waiting_thread = 0;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

// Writes with a system call of its own: the thread that faulted may hold the locks of every stream.
[[noreturn]] void leave_with(int status) {
  static constexpr std::string_view kLine =
      "memomalloc: a fault of its own ended what was to come after the program; the status is the program's\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kLine.data(), kLine.size());
  _exit(status);
}

// Lets a fault of the waiting thread itself end the command as ever: nobody would be there to wait.
void take_fault(int signal_number) {
  const int status = g_status.load();
  if (status != kNone) leave_with(status);
  if (gettid() == g_waiting_thread.load()) {
    signal(signal_number, SIG_DFL);
    raise(signal_number);
    return;
  }
  g_has_faulted.store(true);
  for (;;) pause();
}

}  // namespace

void outlive_own_faults() {
  g_waiting_thread.store(gettid());
  struct sigaction action {};
  action.sa_handler = take_fault;
  for (const int number : kFaults) sigaction(number, &action, nullptr);
}

void note_program_has_ended(int status) {
  g_status.store(status);
  if (g_has_faulted.load()) leave_with(status);
}

std::optional<int> status_of_ended_program() {
  const int status = g_status.load();
  return status == kNone ? std::nullopt : std::optional(status);
}

}  // namespace memo::process
