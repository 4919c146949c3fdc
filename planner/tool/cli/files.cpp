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

void require_writable(const std::string& path, bool force) {
  if (force || !std::filesystem::exists(path)) return;
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
