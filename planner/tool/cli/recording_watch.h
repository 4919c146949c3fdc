// Says now and then how many passes a program's traces have, while it is recorded: whether it is time to end it.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "planner/tool/cli/progress.h"
#include "planner/trace/pass_count.h"

namespace memo::cli {

class RecordingWatch {
 public:
  // `find_traces` returns the files that the program has begun by now.
  explicit RecordingWatch(std::function<std::vector<std::filesystem::path>()> find_traces);
  ~RecordingWatch();
  RecordingWatch(const RecordingWatch&) = delete;
  RecordingWatch& operator=(const RecordingWatch&) = delete;

 private:
  void watch();
  void look();

  std::function<std::vector<std::filesystem::path>()> find_traces_;
  std::map<std::filesystem::path, planner::PassCount> counts_;
  ProgressLine line_{Beside::kProgram};
  std::mutex mutex_;
  std::condition_variable over_changed_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace memo::cli
