// Examines the program's file before anything runs: can the loader put the library into the program at all?
#pragma once

#include <string>
#include <vector>

#include "planner/tool/doctor/finding.h"

namespace memo::doctor {

struct Program {
  std::string name;  // as the user typed it
  std::string path;  // the executable, for a script its interpreter; "" if there is none
};

// Finds the executable by $PATH, and for a script by its "#!" line.
[[nodiscard]] Program find_program(const std::string& name);

// Examines whether the preload reaches the program, whether the program brings its own allocator, and whether
// it has a build-id and symbols.
[[nodiscard]] Findings examine(const Program& program);

// Returns the paths that the loader would map for the program with the library. Returns an empty list if the
// preload does not reach the program. Only the loader runs for this, and none of the program's code.
[[nodiscard]] std::vector<std::string> objects_of(const Program& program, const std::string& library);

// Reports each object that is another allocator, and objects that call an allocator by an interface of its own.
// `library` is the path of libmemomalloc.so, which does not count.
[[nodiscard]] Findings examine_allocators(const std::vector<std::string>& objects,
                                          const std::string& library);

// Examines whether this machine's C library is new enough for the library.
[[nodiscard]] Finding examine_library(const std::string& library);

}  // namespace memo::doctor
