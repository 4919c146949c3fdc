// Lists what is asked of torch_server, and when.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace torch_server {

using Clock = std::chrono::steady_clock;

struct Options {
  std::string model;
  std::int64_t batch = 1;
  std::vector<std::int64_t> sides{128};
  std::size_t workers = 1;
  std::size_t passes = 200;
  std::size_t warmup = 20;
  double rate = 0;     // requests a second; 0: the next as soon as a worker is free
  double seconds = 0;  // until when there are requests, whatever their number; 0: `passes` of them
  bool each = false;   // say them all
  bool asked = false;  // a request for each line of the input, answered by a line
  // Events of a server's long life, each after so many requests; 0: never.
  std::size_t restart_workers = 0;
  std::size_t reload_every = 0;
  std::size_t fork_every = 0;
};

// Is set by a signal: no further request is taken, and what was done is reported.
inline std::atomic<bool> g_told_to_stop{false};

// A request is the time when it was due: a worker that comes late to it adds to its latency.
struct Request {
  std::size_t number;
  Clock::time_point due;
};

class Requests {
 public:
  explicit Requests(const Options& options)
      : options_(options), count_(options.workers * (options.warmup + options.passes)) {}

  std::optional<Request> take() {
    if (options_.asked) return read();
    const std::size_t number = next_++;
    const Clock::time_point due =
        options_.rate > 0 ? begin_ + after(static_cast<double>(number) / options_.rate) : Clock::now();
    const bool over = options_.seconds > 0 ? due > begin_ + after(options_.seconds) : number >= count_;
    if (over || g_told_to_stop) return std::nullopt;
    std::this_thread::sleep_until(due);
    return Request{number, due};
  }

 private:
  std::optional<Request> read() {
    const std::lock_guard lock(input_);
    std::string line;
    if (!std::getline(std::cin, line)) return std::nullopt;
    return Request{next_++, Clock::now()};
  }

  static Clock::duration after(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  const Options& options_;
  const std::size_t count_;
  const Clock::time_point begin_ = Clock::now();
  std::atomic<std::size_t> next_{0};
  std::mutex input_;
};

}  // namespace torch_server
