// Accepts connections on loopback, waits for requests in one thread, and hands each connection that has
// something to say to the workers. A slow client costs no worker.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "examples/mini_server/server/connection.h"
#include "examples/mini_server/server/inference.h"
#include "examples/mini_server/server/options.h"
#include "examples/mini_server/server/worker_pool.h"

namespace mini {

// A file descriptor, closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return value_; }

 private:
  int value_;
};

class Server {
 public:
  // Blocks SIGINT and SIGTERM in the calling thread and those it starts; `run` reads them. Throws
  // std::system_error where the port cannot be had.
  explicit Server(const Options& options);

  [[nodiscard]] std::uint16_t port() const;
  // Returns after SIGINT, SIGTERM, or the last of Options::requests, when no request is being worked on any more.
  void run();
  [[nodiscard]] std::uint64_t answered() const { return answered_; }
  // Counts the forked children that came to another answer, or to none.
  [[nodiscard]] std::uint64_t wrong_children() const { return wrong_children_; }

 private:
  void dispatch_until_told_to_stop();
  Connection& connection_of(int descriptor);
  void watch(Connection& connection, int operation);
  void accept_all();
  void serve(Connection& connection);
  bool answer_all(Connection& connection);
  bool reply(Connection& connection, const Request& request);
  void count_answer(const Request& request, const Answer& answer);
  void repeat_in_child(const Request& request, const Answer& answer);
  void drop(Connection& connection);

  const Options options_;
  Inference inference_;
  const Descriptor signals_;
  const Descriptor enough_;  // readable once Options::requests are answered
  const Descriptor listener_;
  const Descriptor poller_;
  std::atomic<std::uint64_t> answered_ = 0;
  std::atomic<std::uint64_t> wrong_children_ = 0;
  std::mutex connections_mutex_;
  std::unordered_map<int, std::unique_ptr<Connection>> connections_;
  std::unique_ptr<WorkerPool> workers_;  // last: its threads use all of the above
};

}  // namespace mini
