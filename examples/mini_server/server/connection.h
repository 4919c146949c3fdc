// A client's connection. The server owns it; one worker at a time uses it.
#pragma once

#include <string>

namespace mini {

class Connection {
 public:
  explicit Connection(int descriptor) : descriptor_(descriptor) {}
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }

  // Reads what has arrived without waiting; false when the client is gone.
  bool receive();
  // False when the client is gone, or took nothing for some seconds.
  bool send(const std::string& bytes);

  std::string inbox;  // received and not answered yet

 private:
  bool wait_until_writable() const;

  int descriptor_;
};

}  // namespace mini
