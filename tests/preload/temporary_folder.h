// A folder for one test's traces.
#pragma once

#include <string>
#include <vector>

namespace memo::testing {

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }
  [[nodiscard]] std::vector<std::string> traces() const;  // sorted

 private:
  std::string path_;
};

}  // namespace memo::testing
