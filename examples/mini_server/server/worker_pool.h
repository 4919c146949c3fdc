// Threads that take connections with something to read off a queue.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "examples/mini_server/server/connection.h"

namespace mini {

class WorkerPool {
 public:
  WorkerPool(std::size_t threads, std::function<void(Connection&)> serve);
  // Lets the workers finish what is queued.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void submit(Connection& connection);

 private:
  void work();
  Connection* next();

  std::function<void(Connection&)> serve_;
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<Connection*> queue_;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace mini
