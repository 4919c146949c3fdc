// The traces that a plan was made from, in a folder beside it: what is learned later is planned together with them. The
// oldest makes way for the newest.
//
//   server.0123.plan
//   server.0123.traces/
#pragma once

#include <filesystem>
#include <vector>

namespace memo::learn {

class KeptTraces {
 public:
  static constexpr std::size_t kMost = 4;

  explicit KeptTraces(const std::filesystem::path& plan);

  // Oldest first.
  [[nodiscard]] std::vector<std::filesystem::path> all() const;

  // Takes the trace away from where it is. Where it cannot be kept it is forgotten: the plan has it.
  void keep(const std::filesystem::path& trace) const;

  void forget() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace memo::learn
