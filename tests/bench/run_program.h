// Runs a benchmark, and says in one sentence why it could not go on.
#pragma once

#include <fmt/format.h>

#include <exception>

namespace memo::bench {

// Returns the exit status of run(argc, argv), or 1 where it threw.
inline int run_program(const char* name, int (*run)(int, char**), int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", name, error.what());
    return 1;
  }
}

}  // namespace memo::bench
