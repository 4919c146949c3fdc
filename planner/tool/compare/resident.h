// Resident memory of a process and its children over time.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <thread>
#include <vector>

namespace memo::compare {

struct MemoryPoint {
  double seconds = 0;  // since the sampling began
  double bytes = 0;
};

struct Resident {
  double steady = 0;  // bytes; the median over the second half of the time, without its last tenth
  double high = 0;    // the most in that time: what the machine must have for a server that goes on like this
  double average = 0;
  double peak = 0;
  std::vector<MemoryPoint> over_time;  // a few hundred points at most, each the greatest of its stretch
};

// At most `count` of the points, in their order: of each stretch of equal length the one with the most bytes.
[[nodiscard]] std::vector<MemoryPoint> thinned(const std::vector<MemoryPoint>& points, std::size_t count);

class ResidentSampler {
 public:
  explicit ResidentSampler(pid_t process);
  ~ResidentSampler();
  ResidentSampler(const ResidentSampler&) = delete;
  ResidentSampler& operator=(const ResidentSampler&) = delete;

  // Ends the sampling.
  [[nodiscard]] Resident finish();

 private:
  void sample();

  const pid_t process_;
  std::atomic<bool> done_ = false;
  std::vector<double> samples_;
  std::vector<MemoryPoint> points_;  // the same with their time
  std::thread thread_;
};

}  // namespace memo::compare
