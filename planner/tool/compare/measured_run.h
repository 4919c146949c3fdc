// Runs a command once, and measures what it cost. Keeps the figures that it printed, and its exit status.
#pragma once

#include <sys/resource.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "planner/system/child.h"
#include "planner/tool/compare/resident.h"

namespace memo::compare {

struct MeasuredRun {
  int status = 0;
  // The figures that `compare` measures ("seconds", "resident_steady", …) and those that the program prints.
  std::map<std::string, double> figures;
  std::map<std::string, std::string> answers;  // see PrintedFigures
  std::string errors;                          // the text on stderr
  std::vector<MemoryPoint> memory;             // resident memory over time
  std::vector<double> turns;  // milliseconds for each line, if the program was asked in turn (in_turn.h)
};

// The command to run, and what prints its figures. Without a client, the command runs to its end and prints its
// figures itself. With a client, the command is a server: the client (a line for the shell, run without the
// allocator) prints the figures, and the server receives SIGTERM when the client has ended.
struct Workload {
  std::vector<std::string> words;
  std::string client;
};

// Adds the figures of the memory that was sampled.
void add_resident(Resident resident, MeasuredRun& run);

// Adds the figures that the kernel counted.
void add_usage(const rusage& usage, std::map<std::string, double>& figures);

[[nodiscard]] std::string text_of(const std::filesystem::path& path);

// Runs the workload once, with its output in `folder`. Throws std::runtime_error if a client fails.
[[nodiscard]] MeasuredRun measure(process::Command command, const Workload& workload,
                                  const std::filesystem::path& folder);

}  // namespace memo::compare
