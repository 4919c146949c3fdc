// torch_server: a TorchScript network on libtorch behind a queue of requests and a pool of workers. The requests come
// from inside, as fast as they are taken or at a steady rate, so that one command measures it. It knows nothing of
// MemoMalloc.
#include <ATen/Parallel.h>
#include <torch/script.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::string model;
  std::int64_t batch = 1;
  std::int64_t side = 128;
  std::size_t workers = 1;
  std::size_t passes = 200;
  std::size_t warmup = 20;
  double rate = 0;  // requests a second; 0: the next as soon as a worker is free
};

// A request is the time when it was made: a worker that comes late to it adds to its latency.
class Queue {
 public:
  void put(Clock::time_point made) {
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(made);
    }
    ready_.notify_one();
  }
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    ready_.notify_all();
  }
  std::optional<Clock::time_point> take() {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [this] { return closed_ || !requests_.empty(); });
    if (requests_.empty()) return std::nullopt;
    const Clock::time_point made = requests_.front();
    requests_.pop_front();
    return made;
  }

 private:
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<Clock::time_point> requests_;
  bool closed_ = false;
};

// The sum of the bits of all numbers: any order, any worker, and any wrong bit shows.
std::uint64_t checksum_of(const torch::Tensor& answer) {
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

struct Worker {
  std::vector<double> latencies;  // milliseconds
  double seconds = 0;             // from the end of its warm-up to its last answer
  std::optional<std::uint64_t> checksum;
  bool alike = true;  // the same request has the same answer

  void run(torch::jit::Module& network, const torch::Tensor& images, std::size_t warmup, bool at_a_rate,
           Queue& queue) {
    const c10::InferenceMode inference;
    std::size_t done = 0;
    Clock::time_point warm = Clock::now();
    while (const std::optional<Clock::time_point> made = queue.take()) {
      const Clock::time_point begin = at_a_rate ? *made : Clock::now();
      const std::uint64_t sum = checksum_of(network.forward({images}).toTensor());
      const double took = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
      alike = alike && sum == checksum.value_or(sum);
      checksum = sum;
      if (++done > warmup) latencies.push_back(took);
      if (done == warmup) warm = Clock::now();
    }
    seconds = std::chrono::duration<double>(Clock::now() - warm).count();
  }
};

void feed(const Options& options, Queue& queue) {
  const std::size_t count = options.workers * (options.warmup + options.passes);
  const Clock::time_point begin = Clock::now();
  for (std::size_t i = 0; i < count; ++i) {
    const auto due = begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                                 options.rate > 0 ? static_cast<double>(i) / options.rate : 0));
    std::this_thread::sleep_until(due);
    queue.put(due);
  }
  queue.close();
}

double percentile(const std::vector<double>& ordered, double share) {
  if (ordered.empty()) return 0;
  return ordered[std::min(ordered.size() - 1,
                          static_cast<std::size_t>(share * static_cast<double>(ordered.size())))];
}

void report(const std::vector<Worker>& workers) {
  std::vector<double> all;
  double passes_per_second = 0;
  std::optional<std::uint64_t> checksum;
  bool alike = true;
  for (const Worker& worker : workers) {
    all.insert(all.end(), worker.latencies.begin(), worker.latencies.end());
    if (!worker.latencies.empty())
      passes_per_second += static_cast<double>(worker.latencies.size()) / worker.seconds;
    alike = alike && worker.alike && (!worker.checksum || !checksum || worker.checksum == checksum);
    if (worker.checksum) checksum = worker.checksum;
  }
  std::sort(all.begin(), all.end());
  const nlohmann::json json{
      {"passes_per_second", passes_per_second},
      {"latency_ms",
       {{"p50", percentile(all, 0.5)}, {"p99", percentile(all, 0.99)}, {"p999", percentile(all, 0.999)}}},
      {"checksum", alike && checksum ? std::to_string(*checksum) : "differs from pass to pass"}};
  std::cout << json.dump() << '\n';
}

void serve(const Options& options) {
  at::set_num_threads(1);
  torch::manual_seed(1);
  torch::jit::Module network = torch::jit::load(options.model);
  const torch::Tensor images = torch::rand({options.batch, 3, options.side, options.side});
  Queue queue;
  std::vector<Worker> workers(options.workers);
  std::vector<std::thread> threads;
  threads.reserve(options.workers);
  for (Worker& worker : workers)
    threads.emplace_back([&] { worker.run(network, images, options.warmup, options.rate > 0, queue); });
  feed(options, queue);
  for (std::thread& thread : threads) thread.join();
  report(workers);
}

int parse_and_run(int argc, char** argv) {
  Options options;
  CLI::App app{"Runs a TorchScript network for requests from inside, and prints speed and latencies as JSON.",
               "torch_server"};
  app.add_option("model", options.model, "What examples/torch_python/infer.py --save has written")
      ->required();
  app.add_option("--batch", options.batch, "Images in a request")->capture_default_str();
  app.add_option("--side", options.side, "Their width and height")->capture_default_str();
  app.add_option("--workers", options.workers, "Requests worked on at once")->check(CLI::PositiveNumber);
  app.add_option("--passes", options.passes, "Requests for each worker")->capture_default_str();
  app.add_option("--warmup", options.warmup, "Requests of each worker before those")->capture_default_str();
  app.add_option("--rate", options.rate, "Requests a second; 0: the next as soon as a worker is free");
  try {
    app.parse(argc, argv);
    serve(options);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "torch_server: " << error.what() << '\n';
    return 1;
  }
}
