#include "planner/tool/compare/preload_trial.h"

#include <fmt/format.h>

#include <sstream>

#include "planner/tool/compare/measured_run.h"

namespace memo::compare {

std::string preload_failure(const Allocator& allocator, const std::filesystem::path& folder) {
  if (allocator.library.empty() || allocator.library == kOurs) return "";
  process::Command command = under(allocator, {"/bin/true"});
  command.output = folder / "preload.output";
  command.errors = folder / "preload.errors";
  const int status = process::wait_for(process::start(command));
  std::istringstream errors(text_of(command.errors));
  std::string first;
  std::getline(errors, first);
  if (status == 0 && first.find("cannot be preloaded") == std::string::npos) return "";
  return first.empty() ? fmt::format("/bin/true exited with {} under it", status) : first;
}

}  // namespace memo::compare
