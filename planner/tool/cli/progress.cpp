#include "planner/tool/cli/progress.h"

#include <spdlog/spdlog.h>

#include <chrono>
#include <string>

#include "planner/tool/cli/messages.h"

namespace memo::cli {
namespace {

using progress::Clock;
using progress::Way;

constexpr std::chrono::milliseconds kBetweenTicks{250};

// Lines with a time or in JSON are for programs, which a line that is drawn anew would confuse.
Way choose_way(Beside beside) {
  if (!spdlog::should_log(spdlog::level::info)) return Way::kSilent;
  const bool is_drawn = beside == Beside::kNobody && has_plain_format() && can_draw_line();
  return is_drawn ? Way::kRedrawn : Way::kSentences;
}

progress::Output output_for(Way way) {
  if (way != Way::kRedrawn)
    return {way, {}, [](const std::string& sentence) { spdlog::info("{}", sentence); }};
  return {way,
          [] { return terminal_columns() - 1; },  // many terminals break a line that fills the last column
          [](const std::string& text) {
            const std::lock_guard lock(terminal_mutex());
            draw_line(text);
          }};
}

}  // namespace

ProgressLine::ProgressLine(Beside beside) : way_(choose_way(beside)), line_(output_for(way_), Clock::now()) {
  if (way_ == Way::kRedrawn) ending_.emplace();
  if (way_ != Way::kSilent) thread_ = std::thread([this] { keep_drawing(); });
}

ProgressLine::~ProgressLine() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  over_changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  erase_line();
}

void ProgressLine::keep_drawing() {
  std::unique_lock lock(mutex_);
  while (!over_) {
    line_.tick(Clock::now());
    over_changed_.wait_for(lock, kBetweenTicks, [this] { return over_; });
  }
}

void ProgressLine::show(const progress::State& state) {
  const std::lock_guard lock(mutex_);
  line_.show(state, Clock::now());
}

}  // namespace memo::cli
