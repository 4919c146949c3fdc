// Finds the processes on this machine that have the library in them, in containers, too. Reads /proc alone: it
// sends no signal, and the processes do not notice.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace memo::status {

struct Process {
  pid_t id = 0;                // as this process sees it
  std::string program;         // name of its executable
  std::string mode;            // what MEMOMALLOC_MODE said at its start; "off" if nothing
  std::filesystem::path page;  // its live page; "" where it has none
  // The statistics in its live page; nothing where it has no page: no pass has run yet, or its mode has none.
  std::optional<nlohmann::ordered_json> statistics;
};

// Returns the processes by number. Leaves out those that belong to others, unless the caller is root.
[[nodiscard]] std::vector<Process> find_processes();

// Returns the process, or nothing if it does not exist, has no library in it, or may not be looked into.
[[nodiscard]] std::optional<Process> find_process(pid_t id);

// Returns the state for people: that of the live page, or what the mode tells.
[[nodiscard]] std::string state_of(const Process& process);

// Returns true if the process serves passes, or will serve the first that comes.
[[nodiscard]] bool is_serving(const Process& process);

}  // namespace memo::status
