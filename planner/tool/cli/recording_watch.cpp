#include "planner/tool/cli/recording_watch.h"

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

namespace memo::cli {
namespace {

// Reading what was recorded in this time takes a few milliseconds.
constexpr std::chrono::seconds kBetweenLooks{1};

std::string describe(std::size_t passes) {
  if (passes == 0) return "recording, and no marked pass has ended";
  return fmt::format("recording, {} passes", passes);
}

}  // namespace

RecordingWatch::RecordingWatch(std::function<std::vector<std::filesystem::path>()> find_traces)
    : find_traces_(std::move(find_traces)), thread_([this] { watch(); }) {}

RecordingWatch::~RecordingWatch() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  over_changed_.notify_all();
  thread_.join();
}

void RecordingWatch::watch() {
  std::unique_lock lock(mutex_);
  while (!over_changed_.wait_for(lock, kBetweenLooks, [this] { return over_; })) look();
}

void RecordingWatch::look() {
  std::size_t passes = 0;
  for (const std::filesystem::path& trace : find_traces_())
    passes += counts_.try_emplace(trace, trace).first->second.look();
  line_.show({.what = describe(passes)});
}

}  // namespace memo::cli
