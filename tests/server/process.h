// Programs run by tests: started with a pipe for what they print, waited for, never left behind.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mini::testing {

struct Outcome {
  int status;  // of exit, or 128 + the signal
  std::string out;
};

using Environment = std::vector<std::pair<std::string, std::string>>;

class Process {
 public:
  explicit Process(const std::vector<std::string>& arguments, const Environment& extra = {});
  ~Process();  // kills what still runs
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  [[nodiscard]] std::string read_line();
  void signal(int number) const;
  [[nodiscard]] Outcome wait();

 private:
  pid_t pid_ = -1;
  int out_ = -1;
};

[[nodiscard]] Outcome run(const std::vector<std::string>& arguments, const Environment& extra = {});

// mini_server on a port of its own.
class MiniServer {
 public:
  explicit MiniServer(const std::vector<std::string>& options = {}, const Environment& extra = {});
  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] Process& process() { return process_; }

  // Returns what mini_load says with these options.
  [[nodiscard]] Outcome load(std::vector<std::string> options) const;
  // The checksum of one answer.
  [[nodiscard]] std::string checksum(const std::string& shape) const;
  // Sends bytes on a new connection and returns all that comes back until the server closes it.
  [[nodiscard]] std::string exchange(const std::string& bytes) const;
  // SIGTERM, and what came of it.
  [[nodiscard]] Outcome stop();

 private:
  Process process_;
  std::uint16_t port_;
};

}  // namespace mini::testing
