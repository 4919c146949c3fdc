#include "planner/tool/doctor/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "memomalloc/arena.h"
#include "planner/system/machine_facts.h"
#include "planner/system/text_file.h"
#include "planner/tool/text/numbers.h"

namespace memo::doctor {
namespace {

using process::first_line_of;

constexpr std::uint64_t kShareOfAddresses = 4;  // the arena takes 1/4 of a limited address space

std::string human(std::uint64_t bytes) {
  return planner::human_bytes(static_cast<planner::Bytes>(bytes));
}

Finding huge_pages(const Machine& machine) {
  static constexpr const char* kSwitch = "/sys/kernel/mm/transparent_hugepage/enabled";
  const std::string choices = first_line_of(machine.root + kSwitch);
  if (choices.empty())
    return {Level::kAdvice, "huge pages",
            "this kernel has no transparent huge pages: the slab is made of small ones",
            "zgrep CONFIG_TRANSPARENT_HUGEPAGE /proc/config.gz"};
  if (choices.find("[never]") != std::string::npos)
    return {Level::kAdvice, "huge pages",
            "transparent huge pages are switched off: the slab is made of small ones",
            fmt::format("echo madvise | sudo tee {}", kSwitch)};
  return {Level::kFine, "huge pages", fmt::format("the slab may have them ({})", choices), ""};
}

std::uint64_t kibibytes_of(const Machine& machine, const std::string& name) {
  const std::string value = process::field_of(machine.root + "/proc/meminfo", name);
  return std::strtoull(value.c_str(), nullptr, 10) * 1024;
}

// Examines the commit limit. The kernel enforces it only in mode 2, where writable memory counts from the
// moment it becomes writable.
Finding overcommit(const Machine& machine, const std::optional<Demand>& demand) {
  if (first_line_of(machine.root + "/proc/sys/vm/overcommit_memory") != "2")
    return {Level::kFine, "overcommit", "the kernel promises memory freely", ""};
  const std::uint64_t limit = kibibytes_of(machine, "CommitLimit");
  const std::uint64_t held = kibibytes_of(machine, "Committed_AS");
  const std::uint64_t left = limit > held ? limit - held : 0;
  const bool fits = !demand || demand->lane_bytes <= left;
  return {
      fits ? Level::kAdvice : Level::kFault, "overcommit",
      fmt::format("the kernel promises no more than it has (vm.overcommit_memory=2), and {} are left{}",
                  human(left), demand ? fmt::format("; one lane takes {}", human(demand->lane_bytes)) : ""),
      "sudo sysctl vm.overcommit_memory=0"};
}

std::uint64_t room(const Machine& machine) {
  const std::string own = machine.root + "/proc/self/cgroup";
  const std::string all = machine.root + "/sys/fs/cgroup";
  return std::min(machine.memory, arena::room_in_groups(own.c_str(), all.c_str()));
}

// Examines the memory that the lanes need. Where lanes are made on demand, assumes one for each core: further
// passes at the same time would only wait for each other.
Finding memory(const Machine& machine, const std::optional<Demand>& demand) {
  const std::uint64_t left = room(machine);
  if (!demand) return {Level::kFine, "memory", fmt::format("{} for lanes and program", human(left)), ""};
  const std::uint64_t lanes = demand->lanes != 0 ? demand->lanes : machine.cores;
  const std::string sum =
      fmt::format("{} lanes of {} come to {}; machine and control groups leave {}", lanes,
                  human(demand->lane_bytes), human(lanes * demand->lane_bytes), human(left));
  if (lanes * demand->lane_bytes <= left) return {Level::kFine, "memory", sum, ""};
  const std::uint64_t fitting = left / std::max<std::uint64_t>(demand->lane_bytes, 1);
  if (fitting == 0)
    return {Level::kFault, "memory", sum + ": not even one fits",
            fmt::format("docker run --memory {}m …",
                        std::ceil(2.0 * static_cast<double>(demand->lane_bytes) / (1 << 20)))};
  return {demand->lanes != 0 ? Level::kFault : Level::kAdvice, "memory",
          fmt::format("{}: other passes run on the heap", sum),
          fmt::format("export MEMOMALLOC_LANES={}", fitting)};
}

Finding addresses(const Machine& machine, const std::optional<Demand>& demand) {
  if (machine.address_space == kUnlimited) return {Level::kFine, "addresses", "not limited", ""};
  const std::uint64_t slab = machine.address_space / kShareOfAddresses;
  const bool fits = !demand || demand->lane_bytes * std::max<std::uint64_t>(demand->lanes, 1) <= slab;
  return {fits ? Level::kAdvice : Level::kFault, "addresses",
          fmt::format("ulimit -v leaves the process {} of addresses, of which the slab takes a quarter",
                      human(machine.address_space)),
          "ulimit -v unlimited"};
}

// Returns the number of processors that the control group grants. The file holds "max 100000", or the
// microseconds of processor time in each period and the period's microseconds.
std::optional<double> processor_quota(const Machine& machine) {
  std::ifstream groups(machine.root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    if (!line.starts_with("0::")) continue;
    std::istringstream text(first_line_of(machine.root + "/sys/fs/cgroup" + line.substr(3) + "/cpu.max"));
    double quota = 0;
    double period = 0;
    if (text >> quota >> period && period > 0) return quota / period;
  }
  return std::nullopt;
}

Finding cores(const Machine& machine, const std::optional<Demand>& demand) {
  const std::optional<double> quota = processor_quota(machine);
  const double usable = std::min<double>(machine.cores, quota.value_or(machine.cores));
  const std::string have =
      quota && *quota < machine.cores
          ? fmt::format("{} cores, of which the control group grants {:.1f}", machine.cores, *quota)
          : fmt::format("{} cores", machine.cores);
  if (!demand || static_cast<double>(demand->lanes) <= std::ceil(usable))
    return {Level::kFine, "cores", have, ""};
  return {
      Level::kAdvice, "cores",
      fmt::format("{} lanes for {}: passes that run at once will wait for each other", demand->lanes, have),
      fmt::format("export MEMOMALLOC_LANES={}", std::ceil(usable))};
}

}  // namespace

Machine this_machine() {
  return {"", process::limit_of_addresses(), process::physical_memory(), process::usable_processors()};
}

Findings examine(const Machine& machine, const std::optional<Demand>& demand) {
  return {huge_pages(machine), overcommit(machine, demand), memory(machine, demand),
          addresses(machine, demand), cores(machine, demand)};
}

}  // namespace memo::doctor
