// Answers requests: holds the network in force, and the workers that run it.
#pragma once

#include <sys/wait.h>
#include <torch/script.h>
#include <unistd.h>

#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>

#include "requests.h"

namespace torch_server {

using Network = std::shared_ptr<torch::jit::Module>;

// The network in force. Whoever runs it keeps it until the pass is over.
class Model {
 public:
  explicit Model(std::string path) : path_(std::move(path)) { reload(); }

  void reload() {
    auto fresh = std::make_shared<torch::jit::Module>(torch::jit::load(path_));
    const std::lock_guard lock(mutex_);
    network_.swap(fresh);
  }
  [[nodiscard]] Network get() {
    const std::lock_guard lock(mutex_);
    return network_;
  }

 private:
  const std::string path_;
  std::mutex mutex_;
  Network network_;
};

// The sum of the bits of all numbers: any order, any worker, and any wrong bit shows.
inline std::uint64_t checksum_of(const torch::Tensor& answer) {
  const torch::Tensor plain = answer.contiguous();
  const float* numbers = plain.data_ptr<float>();
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < plain.numel(); ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, numbers + i, sizeof bits);
    sum = sum * 31 + bits;
  }
  return sum;
}

inline bool is_due(std::size_t number, std::size_t every) {
  return every != 0 && number % every == every - 1;
}

// The state that the workers share.
struct Service {
  const Options& options;
  Model& model;
  const std::vector<torch::Tensor>& images;  // one for each side
  Requests& requests;

  [[nodiscard]] torch::Tensor answer(const Request& request) const {
    return model.get()->forward({images[shape_of(request)]}).toTensor();
  }
  // Answers in one piece, whichever worker it is.
  static void say(std::uint64_t sum) { std::cout << std::to_string(sum) + "\n" << std::flush; }
  [[nodiscard]] std::size_t shape_of(const Request& request) const { return request.number % images.size(); }
};

struct Worker {
  std::vector<double> latencies;  // milliseconds
  std::map<std::size_t, std::uint64_t> checksums;
  bool alike = true;  // the same request has the same answer
  std::size_t done = 0;
  std::size_t restarts = 0;
  std::size_t reloads = 0;
  std::size_t forks = 0;
  double seconds = 0;  // from the end of its warm-up to its last answer

  // Runs on one thread after the other, where they are to be restarted.
  void run(const Service& service) {
    warm_ = Clock::now();
    if (service.options.restart_workers == 0) {
      run_a_while(service);
    } else {
      for (bool more = true; more; ++restarts) std::thread([&] { more = run_a_while(service); }).join();
      --restarts;  // after the last one nobody took its place
    }
    seconds = std::chrono::duration<double>(Clock::now() - warm_).count();
  }

 private:
  bool run_a_while(const Service& service) {
    const c10::InferenceMode inference;
    for (std::size_t served = 0; served == 0 || served != service.options.restart_workers; ++served) {
      const std::optional<Request> request = service.requests.take();
      if (!request) return false;
      serve(service, *request);
    }
    return true;
  }

  void serve(const Service& service, const Request& request) {
    const torch::Tensor answer = service.answer(request);
    const std::uint64_t sum = checksum_of(answer);
    const double took = std::chrono::duration<double, std::milli>(Clock::now() - request.due).count();
    if (service.options.asked) service.say(sum);
    const auto [known, first] = checksums.emplace(service.shape_of(request), sum);
    alike = alike && (first || known->second == sum);
    if (++done > service.options.warmup) latencies.push_back(took);
    if (done == service.options.warmup) warm_ = Clock::now();
    if (is_due(request.number, service.options.reload_every)) {
      service.model.reload();
      ++reloads;
    }
    if (is_due(request.number, service.options.fork_every)) {
      alike = child_agrees(answer, sum) && alike;
      ++forks;
    }
  }

  // The child has this thread alone and a copy of the memory, with whatever locks of libtorch others hold: it copies the
  // answer and adds it up, and runs no network.
  static bool child_agrees(const torch::Tensor& answer, std::uint64_t expected) {
    const pid_t child = fork();
    if (child == 0) _exit(checksum_of(answer.clone()) == expected ? 0 : 1);
    int status = 0;
    waitpid(child, &status, 0);
    return status == 0;
  }

  Clock::time_point warm_;
};

}  // namespace torch_server
