// Threads that take connections with something to read off a queue.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "examples/mini_server/server/connection.h"

namespace mini {

class WorkerPool {
 public:
  // Each worker serves so many connections and then makes way for a new thread; 0: it stays.
  WorkerPool(std::size_t threads, std::uint64_t lifetime, std::function<void(Connection&)> serve);
  // Lets the workers finish what is queued.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void submit(Connection& connection);

 private:
  void work(std::size_t place);
  void make_way(std::size_t place);
  Connection* next();

  const std::uint64_t lifetime_;
  std::function<void(Connection&)> serve_;
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<Connection*> queue_;
  bool closing_ = false;
  std::vector<std::thread> threads_;  // each place is under the mutex until closing
};

}  // namespace mini
