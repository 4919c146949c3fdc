#include "planner/system/last_of_all.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <string_view>
#include <thread>

namespace memo::process {

void come_last() {
  constexpr int kLowest = 19;
  setpriority(PRIO_PROCESS, 0, kLowest);
}

namespace {

// Writes the weight of this process's session, on the scale of nice values. The file is missing where the
// kernel has no autogroups.
void weigh_own_session(std::string_view value) {
  if (getsid(0) != getpid()) return;
  const int group = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
  if (group < 0) return;
  [[maybe_unused]] const ssize_t written = write(group, value.data(), value.size());
  close(group);
}

std::chrono::nanoseconds processor_time(pid_t process) {
  clockid_t clock{};
  timespec used{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &used) != 0) return {};
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

bool has_ended(const Child& child) {
  siginfo_t about{};
  return waitid(P_PID, static_cast<id_t>(child.id), &about, WEXITED | WNOWAIT | WNOHANG) == 0 &&
         about.si_pid != 0;
}

bool has_ended_after(std::chrono::milliseconds time, const Child& child) {
  constexpr std::chrono::milliseconds kBetweenLooks{10};
  const auto due = std::chrono::steady_clock::now() + time;
  while (!has_ended(child)) {
    if (std::chrono::steady_clock::now() >= due) return false;
    std::this_thread::sleep_for(kBetweenLooks);
  }
  return true;
}

}  // namespace

void let_own_session_step_back() {
  weigh_own_session("10");  // nice 10 has about a tenth of the weight of nice 0
}

void let_own_session_come_back() {
  weigh_own_session("0");
}

bool ends_without_starving(const Child& child) {
  constexpr std::chrono::milliseconds kWhile{1000};
  constexpr int kShare = 4;
  for (auto before = processor_time(child.id); !has_ended_after(kWhile, child);) {
    const auto now = processor_time(child.id);
    if ((now - before) * kShare < kWhile) return false;
    before = now;
  }
  return true;
}

}  // namespace memo::process
