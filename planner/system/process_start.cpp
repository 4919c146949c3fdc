#include "planner/system/process_start.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace memo::process {

std::uint64_t start_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const std::size_t name_ends = text.rfind(')');
  if (name_ends == std::string::npos) return 0;
  std::istringstream fields(text.substr(name_ends + 1));
  std::string field;
  for (int passed = 0; passed < 20 && fields >> field;) ++passed;
  return std::strtoull(field.c_str(), nullptr, 10);
}

}  // namespace memo::process
