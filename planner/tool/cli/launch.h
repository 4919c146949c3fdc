// Runs a command with the library preloaded, and declares the options that are passed on to the library.
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

// Returns the words of an option that takes one of them, as "a|b" says.
[[nodiscard]] std::vector<std::string> choices_of(const GuestOption& row);

// The options that set the library's variables, declared from the rows of runtime/formats/guest_options.h.
class GuestKnobs {
 public:
  // Declares the options. `app` must outlive this object, and this object must not move afterwards.
  GuestKnobs(CLI::App& app, std::initializer_list<GuestOptionId> ids);
  GuestKnobs(const GuestKnobs&) = delete;
  GuestKnobs& operator=(const GuestKnobs&) = delete;

  [[nodiscard]] bool given(GuestOptionId id) const;
  // Returns the value, several values joined by commas, or the table's default.
  [[nodiscard]] std::string text(GuestOptionId id) const;
  // Returns the same, or what the variable of this command's environment says where the option is not given.
  [[nodiscard]] std::string text_or_variable(GuestOptionId id) const;
  // Returns a variable for each option that was given.
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

// Returns the path of libmemomalloc.so: MEMOMALLOC_LIBRARY if that is set, else ../lib beside this command (or
// where it was installed). The path is absolute, since the program may change its working directory. Throws
// Failure(kRuntime) that says where it looked.
[[nodiscard]] std::string find_library();

// Returns the same file under the name that MEMOMALLOC_LIBRARY gives it, which may be a link: a launcher may look for a
// name in LD_PRELOAD.
[[nodiscard]] std::string library_as_named();

// Runs the command with the library preloaded and these variables set, waits, and returns the status for this
// command's exit: the child's status, 128 + n after signal n, 127 if the command is not found, and 126 if it
// cannot be executed. Passes signals that would end this process on to the child.
[[nodiscard]] int run_with_library(const std::vector<std::string>& command, const Environment& environment);

}  // namespace memo::cli
