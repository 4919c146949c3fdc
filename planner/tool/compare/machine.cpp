#include "planner/tool/compare/machine.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <fstream>
#include <thread>

#include "planner/tool/text/numbers.h"

namespace memo::compare {
namespace {

// Returns the text after the colon in the first line that begins with `name`.
std::string field_of(const char* path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (line.starts_with(name) && colon != std::string::npos) {
      const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
      return begin == std::string::npos ? "" : line.substr(begin);
    }
  }
  return "";
}

std::string first_line_of(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string memory() {
  constexpr planner::Bytes kKibibyte = 1024;
  const std::string total = field_of("/proc/meminfo", "MemTotal");
  return total.empty() ? "" : planner::human_bytes(std::stoll(total) * kKibibyte);
}

std::string kernel() {
  utsname names{};
  return uname(&names) == 0 ? fmt::format("{} {} {}", names.sysname, names.release, names.machine) : "";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> describe_machine() {
  std::vector<std::pair<std::string, std::string>> known = {
      {"processor", field_of("/proc/cpuinfo", "model name")},
      {"cores", fmt::format("{}", std::thread::hardware_concurrency())},
      {"memory", memory()},
      {"kernel", kernel()},
      {"huge pages", first_line_of("/sys/kernel/mm/transparent_hugepage/enabled")},
      {"load before", first_line_of("/proc/loadavg")},
  };
  std::erase_if(known, [](const auto& pair) { return pair.second.empty(); });
  return known;
}

}  // namespace memo::compare
