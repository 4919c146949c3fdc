#include "planner/tool/cli/command.h"

namespace memo::cli {

std::span<const Command> all_commands() {
  static constexpr Command kCommands[] = {
      {"run", "Run a command, learn its passes, and serve them from then on", declare_run},
      {"learn", "Plan beside a program that learns", declare_learn},
      {"cache", "Show, clear and bound what run keeps for the next start", declare_cache},
      {"profile", "Run a command and record its passes", declare_profile},
      {"inspect", "Say what is in a trace, a plan, or the statistics of a served run", declare_inspect},
      {"pack", "Solve an allocation problem given as CSV", declare_pack},
      {"plan", "Turn traces into a plan", declare_plan},
      {"check", "Is a plan sound, and how much of these traces would it serve", declare_check},
      {"serve", "Run a command on a plan", declare_serve},
      {"status", "Show what processes with the library in them are at", declare_status},
      {"release", "Let a process give back the memory that it does not use", declare_release},
      {"report", "Draw traces, plans and measurements as one page", declare_report},
      {"compare", "Run a command under one allocator after the other, side by side", declare_compare},
      {"doctor", "Say whether serving will work here, and what to change", declare_doctor},
  };
  return kCommands;
}

}  // namespace memo::cli
