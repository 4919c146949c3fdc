#include "planner/cli/files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "planner/cli/command.h"

namespace memo::cli {
namespace {

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

[[noreturn]] void fail_read(const std::string& path) {
  throw Failure{kInput, fmt::format("cannot read {}: {}", path, std::strerror(errno))};
}

[[noreturn]] void fail_write(const std::string& path, int error) {
  throw Failure{kRuntime, fmt::format("cannot write {}: {}", path, std::strerror(error))};
}

std::string read_all(std::FILE* file, const std::string& path) {
  std::string text;
  char block[1 << 16];
  while (const std::size_t count = std::fread(block, 1, sizeof block, file)) text.append(block, count);
  if (std::ferror(file) != 0) fail_read(path);
  return text;
}

// Removes the half-written file unless it was moved to its place.
struct Unfinished {
  std::string path;
  ~Unfinished() {
    if (!path.empty()) unlink(path.c_str());
  }
};

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
  Unfinished unfinished{fmt::format("{}.{}.part", path, getpid())};
  File file(std::fopen(unfinished.path.c_str(), "wxe"));
  if (!file) fail_write(path, errno);
  const bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
  if (!written || std::fflush(file.get()) != 0 || fsync(fileno(file.get())) != 0) fail_write(path, errno);
  file.reset();
  if (std::rename(unfinished.path.c_str(), path.c_str()) != 0) fail_write(path, errno);
  unfinished.path.clear();
}

}  // namespace memo::cli
