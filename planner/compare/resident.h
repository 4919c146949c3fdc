// Resident memory of a process and its children over time.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <thread>
#include <vector>

namespace memo::compare {

struct Resident {
  double steady = 0;  // bytes; the median over the second half of the time, without its last tenth
  double average = 0;
  double peak = 0;
};

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
  std::thread thread_;
};

}  // namespace memo::compare
