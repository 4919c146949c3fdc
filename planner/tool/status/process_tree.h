// Follows a program and the children that it makes, by the live pages in one folder: for the lines that
// `memomalloc run` and `memomalloc serve` say while the program runs, and for their closing lines.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "planner/tool/served/served.h"

namespace memo::status {

// The figures of all processes of one executable, from their start on.
struct ProgramFigures {
  std::size_t processes = 0;  // those with a page, ended ones included
  planner::Served all;
  planner::Served steady;
  std::uint64_t aside_passes = 0;  // left to the heap, since serving them does not pay
  std::string plan;                // that a process served last; "" for none

  // Of one process, the one that made most passes: the sizes of several that lived one after the other add up to nothing that
  // ever was.
  std::uint64_t passes_of_largest = 0;
  std::uint64_t slab_bytes = 0;
  std::uint64_t heap_resident = 0;
  std::string worth;  // of serving, as that process found out; "" where it compared nothing
};

// What a command and all that it started did.
struct ProcessTreeFigures {
  ProgramFigures
      own;  // of the program that was started, or, where that made no pass, of the one that made most

  // Of the programs besides: how many passes all made, and the name of the one that made most.
  std::uint64_t other_passes = 0;
  std::string other_program;
};

class ProcessTree {
 public:
  // Watches the pages in the folder. Calls `say`, from a thread of its own, with one line when a process gets into
  // trouble and one when it serves again, and with the trouble that a process may not write to stderr. Removes the pages of
  // processes that have ended.
  ProcessTree(std::filesystem::path folder, std::function<void(const std::string&)> say);
  ~ProcessTree();
  ProcessTree(const ProcessTree&) = delete;
  ProcessTree& operator=(const ProcessTree&) = delete;

  // Looks for the last time, and stops watching. Returns the figures of the program that `parent` started, apart from those of
  // its children.
  [[nodiscard]] ProcessTreeFigures finish(pid_t parent);

  // Returns the last statistics of the process that `parent` started; of the one with most passes, where there are
  // several. To be called after finish().
  [[nodiscard]] std::optional<nlohmann::ordered_json> last_of_child_of(pid_t parent) const;

 private:
  struct Member {  // NOLINT(bugprone-exception-escape): JSON moves without a throw
    nlohmann::ordered_json statistics;
    std::string state;
    bool ended = false;
  };
  using ByProgram = std::map<std::string, ProgramFigures>;

  void watch();
  void look();
  void take(const std::string& name, nlohmann::ordered_json statistics);
  void hand_on(const nlohmann::ordered_json& statistics);

  const std::filesystem::path folder_;
  const std::function<void(const std::string&)> say_;
  std::map<std::string, Member> members_;  // by the name of the page
  std::set<std::string> handed_on_;        // lines of processes, each once
  ByProgram gone_;                         // of members that have ended and were let go
  std::mutex mutex_;
  std::condition_variable over_changed_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace memo::status
