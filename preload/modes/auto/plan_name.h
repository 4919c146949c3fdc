// The name of this program's plan in the user's cache, by the rule of runtime/formats/plan_name.h. The command
// computes the same name (planner/tool/learn/plan_cache.cpp).
#pragma once

#include <cstddef>

namespace memo::guest {

// Writes the plan's name. To be called by one thread. Returns false if the program's path cannot be read, or
// the name does not fit.
[[nodiscard]] bool write_plan_name(char* name, std::size_t capacity);

// The files that this process runs, by their full paths.
struct OwnFiles {
  char program[4096];
  char script[4096];  // the first file among its words, which may be a script; "" for none
};

// Returns false if the program's path cannot be read. To be called by one thread.
[[nodiscard]] bool find_own_files(OwnFiles& files);

}  // namespace memo::guest
