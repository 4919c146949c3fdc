#include "examples/mini_server/server/worker_pool.h"

#include <utility>

namespace mini {

WorkerPool::WorkerPool(std::size_t threads, std::uint64_t lifetime, std::function<void(Connection&)> serve)
    : lifetime_(lifetime), serve_(std::move(serve)), threads_(threads) {
  const std::lock_guard lock(mutex_);
  for (std::size_t place = 0; place < threads; ++place) {
    threads_[place] = std::thread([this, place] { work(place); });
  }
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  ready_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::submit(Connection& connection) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(&connection);
  }
  ready_.notify_one();
}

// nullptr once the pool is closing and nothing is left.
Connection* WorkerPool::next() {
  std::unique_lock lock(mutex_);
  ready_.wait(lock, [this] { return closing_ || !queue_.empty(); });
  if (queue_.empty()) return nullptr;
  Connection* connection = queue_.front();
  queue_.pop_front();
  return connection;
}

void WorkerPool::work(std::size_t place) {
  std::uint64_t served = 0;
  while (Connection* connection = next()) {
    serve_(*connection);
    if (++served == lifetime_) return make_way(place);
  }
}

// The successor waits for this thread to be gone. While the pool is closing there is none: whoever is left goes on.
void WorkerPool::make_way(std::size_t place) {
  {
    const std::lock_guard lock(mutex_);
    if (!closing_) {
      threads_[place] = std::thread([this, place, before = std::move(threads_[place])]() mutable {
        before.join();
        work(place);
      });
      return;
    }
  }
  work(place);
}

}  // namespace mini
