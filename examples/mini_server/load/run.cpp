#include "examples/mini_server/load/run.h"

#include <atomic>
#include <chrono>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>

#include "examples/mini_server/load/client.h"

namespace mini {
namespace {

using Clock = std::chrono::steady_clock;

// The counts of one connection; they are added up at the end.
struct Tally {
  std::vector<double> latencies;
  std::uint64_t wrong = 0;
  std::uint64_t failed = 0;
  std::string first_trouble;

  void fail(std::string trouble) {
    ++failed;
    if (first_trouble.empty()) first_trouble = std::move(trouble);
  }
  void find_wrong(std::string trouble) {
    ++wrong;
    if (first_trouble.empty()) first_trouble = std::move(trouble);
  }
};

// Hands out requests until their number or the time is used up.
class Budget {
 public:
  explicit Budget(const LoadOptions& options)
      : requests_(options.requests),
        deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(options.seconds))) {}

  [[nodiscard]] bool take() {
    return requests_ != 0 ? taken_.fetch_add(1) < requests_ : Clock::now() < deadline_;
  }

 private:
  const std::uint64_t requests_;
  const Clock::time_point deadline_;
  std::atomic<std::uint64_t> taken_ = 0;
};

class Worker {
 public:
  Worker(const LoadOptions& options, Expectations& expectations, std::size_t index)
      : options_(options), expectations_(expectations), next_(index) {}

  void connect_and_warm_up() {
    guard([this] {
      client_.emplace(options_.port, std::chrono::seconds(options_.patience));
      for (std::uint64_t i = 0; i < options_.warmup * options_.targets.size(); ++i) request();
      tally_.latencies.clear();
    });
  }

  void work(Budget& budget) {
    guard([&] {
      while (client_ && budget.take()) request();
    });
  }

  [[nodiscard]] const Tally& tally() const { return tally_; }

 private:
  // A connection that breaks is a failure, and the end of this worker.
  template <typename Body>
  void guard(Body body) {
    try {
      body();
    } catch (const std::exception& error) {
      client_.reset();
      tally_.fail(error.what());
    }
  }

  void request() {
    const Target& target = options_.targets[next_++ % options_.targets.size()];
    const auto begin = Clock::now();
    const Reply reply = client_->get(target.path);
    const std::chrono::duration<double, std::milli> elapsed = Clock::now() - begin;
    judge(target, reply, elapsed.count());
  }

  void judge(const Target& target, const Reply& reply, double milliseconds) {
    if (reply.status != 200) {
      tally_.fail(target.path + " was answered " + std::to_string(reply.status) + ": " + reply.body);
      return;
    }
    const std::string checksum = nlohmann::json::parse(reply.body).at("checksum");
    std::string trouble = expectations_.check(target.path, checksum);
    if (trouble.empty()) {
      tally_.latencies.push_back(milliseconds);
    } else {
      tally_.find_wrong(std::move(trouble));
    }
  }

  const LoadOptions& options_;
  Expectations& expectations_;
  std::size_t next_;
  std::optional<Client> client_;
  Tally tally_;
};

template <typename Body>
void on_each(std::deque<Worker>& workers, Body body) {
  std::vector<std::thread> threads;
  threads.reserve(workers.size());
  for (Worker& worker : workers) threads.emplace_back([&worker, &body] { body(worker); });
  for (std::thread& thread : threads) thread.join();
}

void add(LoadResult& result, const Tally& tally) {
  result.latencies.insert(result.latencies.end(), tally.latencies.begin(), tally.latencies.end());
  result.wrong += tally.wrong;
  result.failed += tally.failed;
  if (result.first_trouble.empty()) result.first_trouble = tally.first_trouble;
}

}  // namespace

Expectations::Expectations(const std::vector<Target>& targets) {
  for (const Target& target : targets) {
    if (!target.checksum.empty()) expected_[target.path] = target.checksum;
  }
}

std::string Expectations::check(const std::string& path, const std::string& checksum) {
  const std::lock_guard lock(mutex_);
  ++counts_[path];
  const auto [entry, first] = expected_.emplace(path, checksum);
  if (first || entry->second == checksum) return {};
  return path + " gave the checksum " + checksum + ", not " + entry->second;
}

std::map<std::string, std::string> Expectations::all() const {
  const std::lock_guard lock(mutex_);
  return expected_;
}

std::map<std::string, std::uint64_t> Expectations::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

LoadResult run_load(const LoadOptions& options) {
  Expectations expectations(options.targets);
  std::deque<Worker> workers;
  for (std::size_t i = 0; i < options.connections; ++i) workers.emplace_back(options, expectations, i);
  on_each(workers, [](Worker& worker) { worker.connect_and_warm_up(); });

  Budget budget(options);
  const auto begin = Clock::now();
  on_each(workers, [&budget](Worker& worker) { worker.work(budget); });

  LoadResult result;
  result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  for (const Worker& worker : workers) add(result, worker.tally());
  result.checksums = expectations.all();
  result.answers = expectations.counts();
  return result;
}

}  // namespace mini
