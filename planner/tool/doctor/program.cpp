#include "planner/tool/doctor/program.h"

#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "planner/system/base_name.h"
#include "planner/system/child.h"
#include "planner/system/on_path.h"
#include "planner/system/regular_file.h"
#include "planner/system/temporary_folder.h"
#include "planner/system/text_file.h"
#include "planner/trace/elf_file.h"

namespace memo::doctor {
namespace {

namespace fs = std::filesystem;
using elf::ElfFile;
using process::on_path;

#if defined(__x86_64__)
constexpr std::uint16_t kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr std::uint16_t kMachine = EM_AARCH64;
#endif

// Returns the interpreter of a script: NAME for "#!/usr/bin/env NAME", /bin/sh for "#!/bin/sh", and "" for a
// file that is no script.
std::string interpreter_of_script(const std::string& path) {
  const std::string line = process::first_line_of(path);
  if (!line.starts_with("#!")) return "";
  std::istringstream words(line.substr(2));
  std::string interpreter;
  std::string argument;
  words >> interpreter >> argument;
  return fs::path(interpreter).filename() == "env" && !argument.starts_with('-') ? argument : interpreter;
}

bool raises_privileges(const std::string& path) {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0) return false;
  const bool user = (about.st_mode & S_ISUID) != 0 && about.st_uid != geteuid();
  const bool group = (about.st_mode & S_ISGID) != 0 && about.st_gid != getegid();
  return user || group;
}

bool has_capabilities(const std::string& path) {
  return geteuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
}

Finding fault(std::string about, std::string text, std::string cure) {
  return {Level::kFault, std::move(about), std::move(text), std::move(cure)};
}

// Returns the first reason why the preload does not reach the program, in the order in which the kernel and the
// loader apply them.
std::optional<Finding> reason_not_reached(const std::string& path, const ElfFile& file) {
  if (raises_privileges(path))
    return fault("privileges",
                 fmt::format("{} is set-user-id or set-group-id: the loader ignores the preload", path),
                 fmt::format("sudo chmod ug-s {}", path));
  if (has_capabilities(path))
    return fault("privileges",
                 fmt::format("{} has capabilities of its own: the loader ignores the preload", path),
                 fmt::format("sudo setcap -r {}", path));
  if (!file.valid())
    return fault("program", fmt::format("{} is no 64-bit ELF executable", path),
                 fmt::format("file -L {}", path));
  if (file.machine() != kMachine)
    return fault("program", fmt::format("{} is for another processor than the library", path),
                 fmt::format("file -L {}", path));
  const std::string loader = file.interpreter();
  if (loader.empty())
    return fault("program", fmt::format("{} is linked statically: no loader reads LD_PRELOAD", path),
                 "link it without -static");
  if (loader.find("ld-musl") != std::string::npos)
    return fault("program", fmt::format("{} uses musl, which cannot load a library made for glibc", path),
                 "build it on a distribution with glibc");
  return std::nullopt;
}

Finding describe_build_id(const std::string& path, const ElfFile& file) {
  const std::string id = file.build_id();
  if (id.empty())
    return {
        Level::kAdvice, "build-id",
        fmt::format("{} has none: a plan knows it by its path alone, and does not notice a new build", path),
        "link it with -Wl,--build-id"};
  return {Level::kFine, "build-id", id, ""};
}

Finding describe_symbols(const std::string& path, const ElfFile& file) {
  return {Level::kFine, "symbols",
          file.has_symbol_table()
              ? "there"
              : fmt::format("{} is stripped: call sites show as offsets, plans serve as well", path),
          ""};
}

// Functions that only other allocators have. Their blocks do not come from malloc, but the program may pass
// them to free.
constexpr const char* kInterfacesOfTheirOwn[] = {"mallocx",   "rallocx", "sdallocx",  "je_malloc",
                                                 "mi_malloc", "mi_free", "tc_malloc", "scalable_malloc"};

// Returns true if the file defines malloc and is neither the C library, the loader nor this project's library.
bool is_another_allocator(const std::string& path, const std::string& library) {
  const std::string_view name = base_name(path);
  if (name.starts_with("libc.so") || name.starts_with("ld-linux") || fs::path(path) == library) return false;
  return ElfFile(path).exports("malloc");
}

const char* interface_used(const std::string& path) {
  const ElfFile file(path);
  const auto used =
      std::ranges::find_if(kInterfacesOfTheirOwn, [&](const char* name) { return file.imports(name); });
  return used == std::end(kInterfacesOfTheirOwn) ? nullptr : *used;
}

Finding describe_allocator(const std::string& allocator, const std::vector<std::string>& objects) {
  for (const std::string& path : objects) {
    if (const char* name = interface_used(path))
      return fault("allocator",
                   fmt::format("{} calls {} of {}, whose blocks would come to free from another heap",
                               base_name(path), name, base_name(allocator)),
                   fmt::format("build {} with malloc and free alone", base_name(path)));
  }
  return {
      Level::kAdvice, "allocator",
      fmt::format(
          "{} is loaded as well; it comes after the library, so it serves nothing and costs its start",
          allocator),
      fmt::format("take {} out of LD_PRELOAD, /etc/ld.so.preload or the link line", base_name(allocator))};
}

// Returns the version as numbers, since "2.4" is older than "2.34" but sorts after it as text.
std::pair<int, int> version_of(const std::string& text) {
  std::pair<int, int> version{0, 0};
  std::sscanf(text.c_str(), "%d.%d", &version.first, &version.second);
  return version;
}

std::string newest_glibc_needed(const std::string& library) {
  static constexpr std::string_view kPrefix = "GLIBC_";
  std::string newest = "0";
  for (const std::string& name : ElfFile(library).needed_versions()) {
    if (!name.starts_with(kPrefix)) continue;
    const std::string version = name.substr(kPrefix.size());
    if (version_of(version) > version_of(newest)) newest = version;
  }
  return newest;
}

// Reads paths from lines such as "\tlibc.so.6 => /lib/libc.so.6 (0x…)" and "\t/lib/ld.so (0x…)".
std::vector<std::string> paths_in_list(const fs::path& list) {
  std::vector<std::string> paths;
  std::ifstream file(list);
  for (std::string line; std::getline(file, line);) {
    const std::size_t begin = line.find('/');
    const std::size_t end = line.rfind(" (0x");
    if (begin == std::string::npos || end == std::string::npos || end < begin) continue;
    const std::size_t arrow = line.find("=> /");
    const std::size_t from = arrow == std::string::npos ? begin : arrow + 3;
    std::error_code error;
    const fs::path real = fs::canonical(line.substr(from, end - from), error);
    if (!error) paths.push_back(real.string());
  }
  return paths;
}

}  // namespace

Program find_program(const std::string& name) {
  constexpr int kScriptsOfScripts = 4;
  Program program{name, on_path(name)};
  for (int i = 0; i < kScriptsOfScripts && !program.path.empty(); ++i) {
    const std::string interpreter = interpreter_of_script(program.path);
    if (interpreter.empty()) break;
    program.path = on_path(interpreter);
  }
  std::error_code error;
  const fs::path real = fs::canonical(program.path, error);
  if (!error) program.path = real.string();
  return program;
}

Findings examine(const Program& program) {
  if (program.path.empty())
    return {fault("program", fmt::format("{} is not to be found, or not executable", program.name),
                  fmt::format("ls -l {}", program.name))};
  const ElfFile file(program.path);
  if (const std::optional<Finding> reason = reason_not_reached(program.path, file)) return {*reason};
  if (file.exports("malloc"))
    return {
        fault("allocator",
              fmt::format("{} defines malloc itself: the library keeps out, or a checker would be blinded",
                          program.path),
              "link it without its allocator, or without -fsanitize")};
  return {{Level::kFine, "program", fmt::format("{} is dynamic, the preload reaches it", program.path), ""},
          describe_build_id(program.path, file),
          describe_symbols(program.path, file)};
}

std::vector<std::string> objects_of(const Program& program, const std::string& library) {
  const ElfFile file(program.path);
  if (program.path.empty() || reason_not_reached(program.path, file)) return {};
  const process::TemporaryFolder folder("doctor");
  const fs::path list = folder.path() / "list";
  const process::Command ask{
      {program.path},
      {{"LD_TRACE_LOADED_OBJECTS", "1"}, {"LD_PRELOAD", process::preload_value(library)}},
      {},
      list,
      folder.path() / "errors"};
  static_cast<void>(process::wait_for(process::start(ask)));
  std::vector<std::string> objects = paths_in_list(list);
  objects.push_back(program.path);
  return objects;
}

Findings examine_allocators(const std::vector<std::string>& objects, const std::string& library) {
  Findings found;
  for (const std::string& path : objects)
    if (is_another_allocator(path, library)) found.push_back(describe_allocator(path, objects));
  return found;
}

Finding examine_library(const std::string& library) {
  const std::string needed = newest_glibc_needed(library);
  const std::string have = gnu_get_libc_version();
  const bool enough = version_of(have) >= version_of(needed);
  return {enough ? Level::kFine : Level::kFault, "library",
          fmt::format("{} needs glibc {}, and this is {}", library, needed, have),
          enough ? "" : "build it on this distribution: scripts/build"};
}

}  // namespace memo::doctor
