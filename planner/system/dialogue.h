// A command that reads lines from stdin and answers each line with one line.
#pragma once

#include <sys/resource.h>

#include <string>
#include <vector>

#include "planner/system/child.h"

namespace memo::process {

class Dialogue {
 public:
  // Starts the command. Throws std::system_error where the kernel provides no process. A command that cannot be
  // run counts as one that has ended.
  explicit Dialogue(Command command);
  // Kills the command if it has not ended.
  ~Dialogue();
  Dialogue(const Dialogue&) = delete;
  Dialogue& operator=(const Dialogue&) = delete;

  // Sends `lines` empty lines at once, and reads as many answers. Returns fewer if the command has ended.
  // Throws std::runtime_error if the command is silent for minutes.
  [[nodiscard]] std::vector<std::string> ask(std::size_t lines);

  // The process that answers; its memory can be read until end().
  [[nodiscard]] pid_t process() const { return child_.id; }

  // Closes the command's input, waits for its end, and returns its status as wait_for does.
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
