#include "planner/system/tree.h"

#include <fmt/format.h>

#include <fstream>

namespace memo::process {

std::vector<pid_t> tree_of(pid_t process) {
  std::vector<pid_t> found = {process};
  for (std::size_t next = 0; next < found.size(); ++next) {
    std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", found[next]));
    for (pid_t child = 0; children >> child;) found.push_back(child);
  }
  return found;
}

}  // namespace memo::process
