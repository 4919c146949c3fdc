#include "planner/process/last_of_all.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <string_view>

namespace memo::process {

void come_last() {
  constexpr int kLowest = 19;
  setpriority(PRIO_PROCESS, 0, kLowest);
}

// Where the kernel knows no autogroups there is no such file.
void let_own_session_step_back() {
  constexpr std::string_view kTenth = "10";  // as nice values weigh
  if (getsid(0) != getpid()) return;
  const int group = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
  if (group < 0) return;
  [[maybe_unused]] const ssize_t written = write(group, kTenth.data(), kTenth.size());
  close(group);
}

}  // namespace memo::process
