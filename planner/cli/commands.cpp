#include "planner/cli/command.h"

namespace memo::cli {

std::span<const Command> all_commands() {
  static constexpr Command kCommands[] = {
      {"pack", "Solve an allocation problem given as CSV", declare_pack},
      {"plan", "Turn traces into a plan", declare_plan},
      {"check", "Is a plan sound, and how much of these traces would it serve", declare_check},
  };
  return kCommands;
}

}  // namespace memo::cli
