// word_service REQUESTS KIND: a server without marks on four threads. KIND is shared: maps of strings that all threads change; or moved:
// each request is made by one thread and dropped by another, to which its ownership moves through a queue, as in Rust.
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <queue>
#include <string>
#include <thread>
#include <vector>

#include "steady.h"

namespace {

constexpr int kThreads = 4;

struct Request {
  int number;
  std::vector<std::string> words;
};

std::unique_ptr<Request> made(int number) {
  auto request = std::make_unique<Request>(Request{number, {}});
  Dice dice(static_cast<std::uint64_t>(number));
  for (std::uint64_t i = 0, count = 100 + dice.below(300); i < count; ++i)
    request->words.push_back("word number " + std::to_string(dice.below(5000)) +
                             std::string(dice.below(80), 'x'));
  return request;
}

std::string answer_to(const Request& request) {
  std::map<std::string, int> counts;
  for (const std::string& word : request.words) ++counts[word];
  return std::to_string(request.number) + counts.begin()->first + std::to_string(counts.size());
}

// Bounded, so that what it holds does not depend on who is faster.
class Queue {
 public:
  void push(std::unique_ptr<Request> request) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return requests_.size() < kMost; });
    requests_.push(std::move(request));
    changed_.notify_all();
  }
  std::unique_ptr<Request> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !requests_.empty(); });
    auto request = std::move(requests_.front());
    requests_.pop();
    changed_.notify_all();
    return request;
  }

 private:
  static constexpr std::size_t kMost = 64;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<std::unique_ptr<Request>> requests_;
};

void share(int requests, Answers& answers) {
  std::mutex mutex;
  std::map<std::string, std::string> seen;
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] {
      for (int i = thread; i < requests; i += kThreads) {
        const std::string answer = answer_to(*made(i));
        const std::lock_guard lock(mutex);
        answers.add(answer);
        seen[answer] = answer + answer;
        if (seen.size() > 2000) seen.erase(seen.begin());
      }
    });
}

void move(int requests, Answers& answers) {
  Queue queue;
  std::mutex mutex;
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&] {
      while (const auto request = queue.pop()) {
        const std::string answer = answer_to(*request);
        const std::lock_guard lock(mutex);
        answers.add(answer);
      }
    });
  for (int i = 0; i < requests; ++i) queue.push(made(i));
  for (int thread = 0; thread < kThreads; ++thread) queue.push(nullptr);
}

}  // namespace

int main(int, char** argv) {
  Answers answers;
  (std::string(argv[2]) == "shared" ? share : move)(std::atoi(argv[1]), answers);
  answers.finish();
}
