// A command that is told lines and answers each with one.
#pragma once

#include <sys/resource.h>

#include <string>
#include <vector>

#include "planner/system/child.h"

namespace memo::process {

class Dialogue {
 public:
  // Throws std::system_error where there is no process to be had. A command that cannot be run has ended.
  explicit Dialogue(Command command);
  // A command that has not ended is killed.
  ~Dialogue();
  Dialogue(const Dialogue&) = delete;
  Dialogue& operator=(const Dialogue&) = delete;

  // Tells it so many empty lines at once, and reads as many answers. Fewer come back where it has ended; throws
  // std::runtime_error where it says nothing for minutes.
  [[nodiscard]] std::vector<std::string> ask(std::size_t lines);

  // There is no further line; waits for its end, and returns the status as wait_for does.
  [[nodiscard]] int end(rusage* usage);

 private:
  bool read_more();
  [[nodiscard]] std::string too_silent() const;

  int channel_ = -1;
  Child child_;
  bool told_all_ = false;
  bool waited_for_ = false;
  std::string inbox_;
};

}  // namespace memo::process
