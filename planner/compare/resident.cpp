#include "planner/compare/resident.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <numeric>

#include "planner/compare/statistics.h"
#include "planner/process/tree.h"

namespace memo::compare {
namespace {

// Often enough for the peak of a pass of some ten milliseconds to be met in a few seconds, and no load worth the name.
constexpr std::chrono::milliseconds kPause{5};

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

ResidentSampler::ResidentSampler(pid_t process) : process_(process), thread_([this] { sample(); }) {}

ResidentSampler::~ResidentSampler() {
  done_ = true;
  if (thread_.joinable()) thread_.join();
}

void ResidentSampler::sample() {
  while (!done_) {
    if (const double now = resident_of_tree(process_); now > 0) samples_.push_back(now);
    std::this_thread::sleep_for(kPause);
  }
}

Resident ResidentSampler::finish() {
  done_ = true;
  thread_.join();
  if (samples_.empty()) return {};
  const auto middle = samples_.begin() + static_cast<std::ptrdiff_t>(samples_.size() / 2);
  const auto end = samples_.end() - static_cast<std::ptrdiff_t>(samples_.size() / 10);
  Resident resident;
  resident.steady = spread_of({middle, end}).median;
  resident.average =
      std::accumulate(samples_.begin(), samples_.end(), 0.0) / static_cast<double>(samples_.size());
  resident.peak = *std::ranges::max_element(samples_);
  return resident;
}

}  // namespace memo::compare
