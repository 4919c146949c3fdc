// Keeps connections busy and checks every answer.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace mini {

// The server and the requests to send.
struct Target {
  std::string path;      // with its query
  std::string checksum;  // what must come out; empty: whatever comes out first
};

struct LoadOptions {
  std::uint16_t port = 0;
  std::size_t connections = 2;
  std::uint64_t requests = 0;  // over all connections; 0: as many as fit in `seconds`
  double seconds = 5;
  std::uint64_t warmup = 2;  // of each connection, checked and not measured
  unsigned patience = 5;     // seconds to wait for the server to appear
  std::vector<Target> targets;
};

struct LoadResult {
  std::vector<double> latencies;  // milliseconds, of the requests answered rightly
  std::uint64_t wrong = 0;        // answered with another checksum
  std::uint64_t failed = 0;       // not answered, or with an error
  std::string first_trouble;
  double seconds = 0;
  std::map<std::string, std::string> checksums;  // by path
  std::map<std::string, std::uint64_t> answers;  // by path, those to warm up among them
};

// The checksums every answer is held against. Safe from many threads at once.
class Expectations {
 public:
  explicit Expectations(const std::vector<Target>& targets);
  // Empty when `checksum` is right, or the first for its path; else what is wrong.
  std::string check(const std::string& path, const std::string& checksum);
  [[nodiscard]] std::map<std::string, std::string> all() const;
  // Counts how often each path was checked.
  [[nodiscard]] std::map<std::string, std::uint64_t> counts() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::string> expected_;
  std::map<std::string, std::uint64_t> counts_;
};

[[nodiscard]] LoadResult run_load(const LoadOptions& options);

}  // namespace mini
