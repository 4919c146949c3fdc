// The program's file, before anything runs: can the loader put the library into it at all?
#pragma once

#include <string>
#include <vector>

#include "planner/tool/doctor/finding.h"

namespace memo::doctor {

struct Program {
  std::string name;  // as it was typed
  std::string path;  // the executable: of a script its interpreter; "" where there is none
};

// Along $PATH and through "#!" lines.
[[nodiscard]] Program find_program(const std::string& name);

// Whether the preload reaches it, whose allocator it brings, and what can be told of its code.
[[nodiscard]] Findings examine(const Program& program);

// What the loader would map for this program and this library, by path; empty where the preload does not reach it. It is
// the loader that is asked: none of the program's code runs.
[[nodiscard]] std::vector<std::string> objects_of(const Program& program, const std::string& library);

// Is it another allocator, or does it lean on one? `library` is this project's own.
[[nodiscard]] Findings examine_allocators(const std::vector<std::string>& objects,
                                          const std::string& library);

// The library against the C library of this machine.
[[nodiscard]] Finding examine_library(const std::string& library);

}  // namespace memo::doctor
