#include "planner/cli/command.h"

namespace memo::cli {

std::function<int()> declare_pack(CLI::App& app, Common& common) {
  app.add_flag("--json", common.json, "One JSON object on stdout");
  return [] { return static_cast<int>(kOk); };
}

}  // namespace memo::cli
