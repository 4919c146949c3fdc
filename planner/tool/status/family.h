// Follows a program and the children that it makes, by the live pages in one folder: for the lines that
// `memomalloc run` and `memomalloc serve` say while the program runs, and for their closing line.
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
#include <string>
#include <thread>

#include "planner/tool/served/served.h"

namespace memo::status {

// The figures of a family from its start on.
struct FamilyFigures {
  std::size_t processes = 0;  // those with a page, ended ones included
  planner::Served all;
  planner::Served steady;
  std::uint64_t slab_bytes = 0;     // of the process with the largest slab
  std::uint64_t heap_resident = 0;  // of the same process
  std::string plan;                 // that a process served last; "" for none
};

class Family {
 public:
  // Watches the pages in the folder. Calls `say`, from a thread of its own, with one line when a process gets into
  // trouble and one when it serves again. Removes the pages of processes that have ended.
  Family(std::filesystem::path folder, std::function<void(const std::string&)> say);
  ~Family();
  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;

  // Looks for the last time, and stops watching. Returns the figures of all processes together.
  [[nodiscard]] FamilyFigures finish();

  // Returns the last statistics of the process that `parent` started; of the one with most passes, where there are
  // several. To be called after finish().
  [[nodiscard]] std::optional<nlohmann::ordered_json> last_of_child_of(pid_t parent) const;

 private:
  struct Member {
    nlohmann::ordered_json statistics;
    std::string state;
    bool ended = false;
  };

  void watch();
  void look();
  void take(const std::string& name, nlohmann::ordered_json statistics);

  const std::filesystem::path folder_;
  const std::function<void(const std::string&)> say_;
  std::map<std::string, Member> members_;  // by the name of the page
  FamilyFigures gone_;                     // of members that have ended and were let go
  std::mutex mutex_;
  std::condition_variable over_changed_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace memo::status
