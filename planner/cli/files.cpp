#include "planner/cli/files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include "planner/cli/command.h"
#include "planner/process/whole_file.h"

namespace memo::cli {
namespace {

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

[[noreturn]] void fail_read(const std::string& path) {
  throw Failure{kInput, fmt::format("cannot read {}: {}", path, std::strerror(errno))};
}

std::string read_all(std::FILE* file, const std::string& path) {
  std::string text;
  char block[1 << 16];
  while (const std::size_t count = std::fread(block, 1, sizeof block, file)) text.append(block, count);
  if (std::ferror(file) != 0) fail_read(path);
  return text;
}

}  // namespace

std::string read_input(const std::string& path) {
  if (path == "-") return read_all(stdin, "stdin");
  const File file(std::fopen(path.c_str(), "re"));
  if (!file) fail_read(path);
  return read_all(file.get(), path);
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
