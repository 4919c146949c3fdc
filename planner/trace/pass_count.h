// Counts the passes of a trace that is still being written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace memo::planner {

class PassCount {
 public:
  explicit PassCount(std::filesystem::path trace);

  // Reads what was written since the last look. Returns how many passes have ended in the file: the recorder writes
  // events in blocks, so the last ones are missing. Stops at the first block that is not whole yet.
  std::size_t look();

 private:
  std::filesystem::path trace_;
  std::uint64_t offset_ = 0;  // of the first block that was not counted
  std::size_t ended_ = 0;
};

}  // namespace memo::planner
