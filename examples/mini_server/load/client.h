// A connection to the server, which asks, waits and reads the answer.
#pragma once

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace mini {

// The server could not be reached, hung up, or answered something else than an answer.
struct ClientError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Reply {
  int status;
  std::string body;
};

class Client {
 public:
  // Tries again until the server is there or `patience` is over.
  Client(std::uint16_t port, std::chrono::seconds patience);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  [[nodiscard]] Reply get(const std::string& target);

 private:
  void send_all(const std::string& bytes) const;
  void receive_more();
  std::string take_head();
  std::string take_body(std::size_t length);

  int descriptor_ = -1;
  std::string inbox_;
};

}  // namespace mini
