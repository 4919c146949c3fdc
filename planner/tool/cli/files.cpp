#include "planner/tool/cli/files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "planner/system/regular_file.h"
#include "planner/system/whole_file.h"
#include "planner/tool/cli/command.h"

namespace memo::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_read(const std::string& path, const char* why) {
  throw Failure{kInput, fmt::format("cannot read {}: {}", path, why)};
}

std::string read_stdin() {
  std::string text;
  char block[1 << 16];
  while (const std::size_t count = std::fread(block, 1, sizeof block, stdin)) text.append(block, count);
  if (std::ferror(stdin) != 0) fail_read("stdin", std::strerror(errno));
  return text;
}

}  // namespace

std::string read_input(const std::string& path) {
  if (path == "-") return read_stdin();
  try {
    return process::read_regular_file(path);
  } catch (const process::Unreadable& why) {
    fail_read(path, why.what());
  }
}

void require_folder_of(const std::string& path) {
  const fs::path folder = fs::absolute(path).parent_path();
  std::error_code error;
  if (folder.string().find('%') != std::string::npos || fs::is_directory(folder, error)) return;
  throw Failure{kUsage, fmt::format("cannot write {}: there is no folder {}; make it with mkdir -p {}", path,
                                    folder.string(), folder.string())};
}

void make_way_for_statistics(const std::string& path) {
  require_folder_of(path);
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (fs::is_directory(status))
    throw Failure{kUsage, fmt::format("--stats is {}, and that is a folder; name a file in it", path)};
  if (fs::is_regular_file(status)) fs::remove(path, error);
}

void require_writable(const std::string& path, bool force) {
  require_folder_of(path);
  if (force || !fs::exists(path)) return;
  throw Failure{kUsage, fmt::format("{} exists; --force overwrites it", path)};
}

void write_output(const std::string& path, std::string_view text) {
  try {
    process::write_whole_file(path, text);
  } catch (const std::system_error& error) {
    throw Failure{kRuntime, fmt::format("cannot write {}: {}", path, error.code().message())};
  }
}

}  // namespace memo::cli
