// One run of a command: what it took, what it printed of itself, what it exited with.
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
  std::map<std::string, double> figures;  // ours ("seconds", "resident_steady", …) and the program's own
  std::map<std::string, std::string> answers;  // see PrintedFigures
  std::string errors;                          // what went to stderr
  std::vector<MemoryPoint> memory;             // resident, over the time it was sampled
  std::vector<double> turns;  // milliseconds for a line, where it was asked in turn (in_turn.h)
};

// What is run, and who judges it: without a client the command runs to its end and prints its figures itself; with
// one, the command is a server, the client (a line for the shell, under no allocator of ours) prints the figures, and
// the server is told to end (SIGTERM) when the client has.
struct Workload {
  std::vector<std::string> words;
  std::string client;
};

// What the kernel counted.
void add_usage(const rusage& usage, std::map<std::string, double>& figures);

[[nodiscard]] std::string text_of(const std::filesystem::path& path);

// `folder` is for what the run prints. Throws std::runtime_error if a client fails.
[[nodiscard]] MeasuredRun measure(process::Command command, const Workload& workload,
                                  const std::filesystem::path& folder);

}  // namespace memo::compare
