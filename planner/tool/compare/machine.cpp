#include "planner/tool/compare/machine.h"

#include <fmt/format.h>

#include <thread>

#include "planner/system/machine_facts.h"
#include "planner/system/text_file.h"
#include "planner/tool/text/numbers.h"

namespace memo::compare {
namespace {

std::string memory() {
  const std::uint64_t bytes = process::physical_memory();
  return bytes == 0 ? "" : planner::human_bytes(static_cast<planner::Bytes>(bytes));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> describe_machine() {
  std::vector<std::pair<std::string, std::string>> known = {
      {"processor", process::field_of("/proc/cpuinfo", "model name")},
      {"cores", fmt::format("{}", std::thread::hardware_concurrency())},
      {"memory", memory()},
      {"kernel", process::kernel_name()},
      {"huge pages", process::first_line_of("/sys/kernel/mm/transparent_hugepage/enabled")},
      {"load before", process::first_line_of("/proc/loadavg")},
  };
  std::erase_if(known, [](const auto& pair) { return pair.second.empty(); });
  return known;
}

}  // namespace memo::compare
