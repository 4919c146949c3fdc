#include "planner/tool/cli/trace_files.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "planner/tool/cli/command.h"

namespace memo::cli {
namespace {

namespace fs = std::filesystem;

// Returns the traces in and below a folder. Skips folders that may not be read.
std::vector<std::string> traces_below(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code error;
  const auto skip = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(folder, skip, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code unknown;
    if (at->path().extension() == ".trace" && !at->is_directory(unknown))
      found.push_back(at->path().string());
  }
  std::sort(found.begin(), found.end());
  if (error) spdlog::warn("cannot list all of {}: {}", folder, error.message());
  if (found.empty()) spdlog::warn("{} has no file named *.trace in it, nor below it", folder);
  return found;
}

// Returns what is equal for two names of one file.
std::string identity_of(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(path, error);
  return error ? path : whole.string();
}

}  // namespace

std::vector<std::string> trace_files(const std::vector<std::string>& arguments) {
  std::vector<std::string> files;
  std::set<std::string> known;
  const auto add = [&](const std::string& path) {
    if (known.insert(identity_of(path)).second) files.push_back(path);
  };
  for (const std::string& argument : arguments) {
    std::error_code error;
    if (fs::is_directory(argument, error))
      std::ranges::for_each(traces_below(argument), add);
    else
      add(argument);
  }
  if (files.empty())
    throw Failure{kInput, fmt::format("there is no trace in {}; memomalloc profile records one",
                                      fmt::join(arguments, ", "))};
  return files;
}

}  // namespace memo::cli
