#include "planner/tool/compare/resident.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <numeric>

#include "planner/system/tree.h"
#include "planner/tool/compare/statistics.h"

namespace memo::compare {
namespace {

// Samples often enough to meet the peak of a pass of some ten milliseconds within a few seconds, and causes
// almost no load.
constexpr std::chrono::milliseconds kPause{5};
constexpr std::size_t kPointsKept = 240;

double resident_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/statm", process));
  double pages = 0;
  double resident = 0;
  file >> pages >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double resident_of_tree(pid_t process) {
  double sum = 0;
  for (const pid_t one : process::tree_of(process)) sum += resident_of(one);
  return sum;
}

}  // namespace

std::vector<MemoryPoint> thinned(const std::vector<MemoryPoint>& points, std::size_t count) {
  if (points.size() <= count) return points;
  std::vector<MemoryPoint> kept;
  for (std::size_t i = 0; i < count; ++i) {
    const auto from = points.begin() + static_cast<std::ptrdiff_t>(i * points.size() / count);
    const auto to = points.begin() + static_cast<std::ptrdiff_t>((i + 1) * points.size() / count);
    kept.push_back(*std::max_element(
        from, to, [](const MemoryPoint& a, const MemoryPoint& b) { return a.bytes < b.bytes; }));
  }
  return kept;
}

ResidentSampler::ResidentSampler(pid_t process, Begin begin)
    : process_(process), watching_(begin == Begin::kAtOnce), thread_([this] { sample(); }) {}

ResidentSampler::~ResidentSampler() {
  stop();
}

void ResidentSampler::resume() {
  watching_ = true;
  watching_.notify_one();
}

void ResidentSampler::stop() {
  if (!thread_.joinable()) return;
  done_ = true;
  resume();
  thread_.join();
}

void ResidentSampler::pause() {
  take_one();
  watching_ = false;
}

void ResidentSampler::take_one() {
  const double now = resident_of_tree(process_);
  if (now == 0) return;
  const std::lock_guard lock(mutex_);
  points_.push_back({std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(), now});
}

void ResidentSampler::sample() {
  while (true) {
    watching_.wait(false);
    if (done_) return;
    take_one();
    std::this_thread::sleep_for(kPause);
  }
}

Resident ResidentSampler::finish() {
  stop();
  if (points_.empty()) return {};
  std::vector<double> bytes;
  bytes.reserve(points_.size());
  for (const MemoryPoint& point : points_) bytes.push_back(point.bytes);
  const auto middle = bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() / 2);
  const auto end = bytes.end() - static_cast<std::ptrdiff_t>(bytes.size() / 10);
  Resident resident;
  resident.steady = spread_of({middle, end}).median;
  resident.high = *std::max_element(middle, end);
  resident.average = std::accumulate(bytes.begin(), bytes.end(), 0.0) / static_cast<double>(bytes.size());
  resident.peak = *std::ranges::max_element(bytes);
  resident.over_time = thinned(points_, kPointsKept);
  return resident;
}

}  // namespace memo::compare
