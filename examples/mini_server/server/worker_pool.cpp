#include "examples/mini_server/server/worker_pool.h"

#include <utility>

namespace mini {

WorkerPool::WorkerPool(std::size_t threads, std::function<void(Connection&)> serve)
    : serve_(std::move(serve)) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
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

void WorkerPool::work() {
  while (Connection* connection = next()) serve_(*connection);
}

}  // namespace mini
