// The traces that a plan was made from, kept in a folder beside the plan. The learner plans each later trace
// together with them. The newest trace replaces the oldest.
//
//   server.0123.plan
//   server.0123.traces/
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace memo::learn {

class KeptTraces {
 public:
  static constexpr std::size_t kMost = 4;

  // Returns true if the file has such a name as keep() gives.
  [[nodiscard]] static bool is_name_of_one(const std::filesystem::path& file);

  explicit KeptTraces(const std::filesystem::path& plan);

  // Returns the kept traces, oldest first.
  [[nodiscard]] std::vector<std::filesystem::path> all() const;

  // Moves the trace into the folder. If that fails, deletes the trace: the plan already contains it. Deletes the
  // oldest traces, of other plans too, where all of them together take more than the limit (trace_limit.h).
  void keep(const std::filesystem::path& trace) const;

  [[nodiscard]] std::uint64_t bytes() const;

  // Deletes what does not begin as a trace of this release: `plan` would leave it out each time, and it would never go.
  void forget_broken() const;

  void forget() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace memo::learn
