// Tells which user's rights the program has.
#pragma once

#include <cstdint>

namespace memo::runtime {

// The program's privileges. `raised` says that it has more than the user who started it (set-user-id,
// set-group-id, file capabilities).
struct Privileges {
  bool raised;
  std::uint32_t real;
  std::uint32_t effective;
};
[[nodiscard]] Privileges own_privileges();

// Returns the number of the user with whose rights the program runs, and who owns the files that it makes.
[[nodiscard]] std::uint32_t effective_user();

}  // namespace memo::runtime
