// Running somebody's command with the library in it: what `profile` and `serve` share.
#pragma once

#include <string>
#include <vector>

#include "planner/system/child.h"
#include "planner/tool/cli/command.h"
#include "runtime/formats/guest_options.h"

namespace memo::cli {

using process::Environment;
using process::kNotExecutable;
using process::kNotFound;

// Options that set the library's variables, declared from the rows of runtime/formats/guest_options.h.
class GuestKnobs {
 public:
  // The app must outlive the knobs, which must not move afterwards.
  GuestKnobs(CLI::App& app, std::initializer_list<GuestOptionId> ids);
  GuestKnobs(const GuestKnobs&) = delete;
  GuestKnobs& operator=(const GuestKnobs&) = delete;

  [[nodiscard]] bool given(GuestOptionId id) const;
  // The value, several joined by commas, or the table's default.
  [[nodiscard]] std::string text(GuestOptionId id) const;
  // A variable for each knob that was given.
  [[nodiscard]] Environment environment() const;

 private:
  struct Knob {
    GuestOptionId id;
    const CLI::Option* option = nullptr;
    bool on = false;
    std::vector<std::string> values;
  };
  [[nodiscard]] const Knob& knob(GuestOptionId id) const;

  std::vector<Knob> knobs_;
};

// libmemomalloc.so: what MEMOMALLOC_LIBRARY names, else ../lib beside this command (or where it was installed).
// Absolute, for the program may change its folder. Throws Failure(kRuntime) that says where it looked.
[[nodiscard]] std::string find_library();

// Runs the command with the library preloaded and these variables set, waits, and returns what the command is to exit
// with: the child's status, 128 + n for a signal, 127 where it is not found and 126 where it cannot be executed.
// Signals that would end this process are passed on to the child.
[[nodiscard]] int run_with_library(const std::vector<std::string>& command, const Environment& environment);

}  // namespace memo::cli
