// Samples the resident memory of a process and its children over time.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace memo::compare {

struct MemoryPoint {
  double seconds = 0;  // since the sampling began
  double bytes = 0;
};

struct Resident {
  // Bytes: the median over the second half of the time, without its last tenth.
  double steady = 0;
  // Bytes: the maximum in that time. A machine needs them for a server that goes on like this.
  double high = 0;
  double average = 0;
  double peak = 0;
  std::vector<MemoryPoint> over_time;  // at most a few hundred points, each the maximum of its period
};

// Returns at most `count` of the points, in order: from each period of equal length the point with the most
// bytes.
[[nodiscard]] std::vector<MemoryPoint> thinned(const std::vector<MemoryPoint>& points, std::size_t count);

class ResidentSampler {
 public:
  enum class Begin { kAtOnce, kPaused };

  explicit ResidentSampler(pid_t process, Begin begin = Begin::kAtOnce);
  ~ResidentSampler();
  ResidentSampler(const ResidentSampler&) = delete;
  ResidentSampler& operator=(const ResidentSampler&) = delete;

  // While paused, takes no sample and no time. Samples of all periods count as if they followed each other. A period has at least
  // one, at its end.
  void pause();
  void resume();

  // Ends the sampling and returns the result.
  [[nodiscard]] Resident finish();

 private:
  void sample();
  void take_one();
  void stop();

  const pid_t process_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::atomic<bool> done_ = false;
  std::atomic<bool> watching_;
  std::mutex mutex_;  // guards the points
  std::vector<MemoryPoint> points_;
  std::thread thread_;
};

}  // namespace memo::compare
