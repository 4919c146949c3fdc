// torch_server: a TorchScript network on libtorch behind requests and a pool of workers. The requests come
// from inside, as fast as they are taken or at a steady rate, so that one command measures it. It knows nothing of
// MemoMalloc.
#include <ATen/Parallel.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "worker.h"

namespace torch_server {
namespace {

double percentile(const std::vector<double>& ordered, double share) {
  if (ordered.empty()) return 0;
  return ordered[std::min(ordered.size() - 1,
                          static_cast<std::size_t>(share * static_cast<double>(ordered.size())))];
}

// Returns the checksums of every shape, in their order.
std::string checksums_of(const std::vector<Worker>& workers) {
  std::map<std::size_t, std::uint64_t> all;
  for (const Worker& worker : workers) {
    for (const auto& [shape, sum] : worker.checksums) {
      if (!worker.alike || all.emplace(shape, sum).first->second != sum) return "differs from pass to pass";
    }
  }
  std::string text;
  for (const auto& [shape, sum] : all) text += (text.empty() ? "" : ",") + std::to_string(sum);
  return text;
}

std::size_t total(const std::vector<Worker>& workers, std::size_t Worker::*count) {
  std::size_t sum = 0;
  for (const Worker& worker : workers) sum += worker.*count;
  return sum;
}

void report(const std::vector<Worker>& workers, bool each) {
  std::vector<double> all;
  double passes_per_second = 0;
  for (const Worker& worker : workers) {
    all.insert(all.end(), worker.latencies.begin(), worker.latencies.end());
    if (!worker.latencies.empty())
      passes_per_second += static_cast<double>(worker.latencies.size()) / worker.seconds;
  }
  const std::vector<double> in_order = all;
  std::sort(all.begin(), all.end());
  nlohmann::json json{
      {"passes", total(workers, &Worker::done)},
      {"restarts", total(workers, &Worker::restarts)},
      {"reloads", total(workers, &Worker::reloads)},
      {"forks", total(workers, &Worker::forks)},
      {"passes_per_second", passes_per_second},
      {"latency_ms",
       {{"p50", percentile(all, 0.5)}, {"p99", percentile(all, 0.99)}, {"p999", percentile(all, 0.999)}}},
      {"checksum", checksums_of(workers)}};
  if (each) json["each_ms"] = in_order;
  std::cout << json.dump() << '\n';
}

void serve(const Options& options) {
  at::set_num_threads(1);
  torch::manual_seed(1);
  Model model(options.model);
  std::vector<torch::Tensor> images;
  images.reserve(options.sides.size());
  for (const std::int64_t side : options.sides) images.push_back(torch::rand({options.batch, 3, side, side}));
  std::vector<Worker> workers(options.workers);
  std::vector<std::thread> threads;
  threads.reserve(options.workers);
  Requests requests(options);
  const Service service{options, model, images, requests};
  for (Worker& worker : workers) threads.emplace_back([&] { worker.run(service); });
  for (std::thread& thread : threads) thread.join();
  if (!options.asked) report(workers, options.each);
}

int parse_and_run(int argc, char** argv) {
  Options options;
  CLI::App app{"Runs a TorchScript network for requests from inside, and prints speed and latencies as JSON.",
               "torch_server"};
  app.add_option("model", options.model, "What examples/torch_python/infer.py --save has written")
      ->required();
  app.add_option("--batch", options.batch, "Images in a request")->capture_default_str();
  app.add_option("--side", options.sides, "Their width and height; several are asked for in turn")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--workers", options.workers, "Requests worked on at once")->check(CLI::PositiveNumber);
  app.add_option("--passes", options.passes, "Requests for each worker")->capture_default_str();
  app.add_option("--warmup", options.warmup, "Requests of each worker before those")->capture_default_str();
  app.add_option("--rate", options.rate, "Requests a second; 0: the next as soon as a worker is free");
  app.add_option("--seconds", options.seconds, "Requests for so long, instead of so many");
  app.add_flag("--asked", options.asked,
               "A request for each line of the input, answered by a line with the answer's checksum");
  app.add_flag("--each", options.each, "Also list every latency, one worker's after the other's");
  app.add_option("--restart-workers", options.restart_workers,
                 "Requests of a worker's thread before another takes its place");
  app.add_option("--reload-every", options.reload_every, "Requests before the network is loaded anew");
  app.add_option(
      "--fork-every", options.fork_every,
      "Requests before a forked child adds up an answer again (with OPENBLAS_NUM_THREADS=1, where that is the "
      "BLAS: it ends its threads at a fork)");
  std::signal(SIGTERM, [](int) { g_told_to_stop = true; });
  try {
    app.parse(argc, argv);
    serve(options);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
}

}  // namespace
}  // namespace torch_server

int main(int argc, char** argv) {
  try {
    return torch_server::parse_and_run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "torch_server: " << error.what() << '\n';
    return 1;
  }
}
