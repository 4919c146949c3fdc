#include "planner/system/last_of_all.h"

#include <fcntl.h>
#include <sys/resource.h>
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

bool has_ended_after(std::chrono::milliseconds time, const Child& child) {
  constexpr std::chrono::milliseconds kBetweenLooks{10};
  const auto due = std::chrono::steady_clock::now() + time;
  while (!has_ended(child.id)) {
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

bool is_starving(std::chrono::nanoseconds used, std::chrono::nanoseconds in) {
  constexpr int kShare = 3;
  return used * kShare < in;
}

bool ends_without_starving(const Child& child) {
  constexpr std::chrono::milliseconds kWhile{1000};
  auto used = processor_time(child.id);
  for (auto since = std::chrono::steady_clock::now(); !has_ended_after(kWhile, child);) {
    const auto used_now = processor_time(child.id);
    const auto now = std::chrono::steady_clock::now();
    if (is_starving(used_now - used, now - since)) return false;
    used = used_now;
    since = now;
  }
  return true;
}

}  // namespace memo::process
