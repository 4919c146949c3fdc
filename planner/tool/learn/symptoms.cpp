#include "planner/tool/learn/symptoms.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <sstream>
#include <string_view>

#include "planner/system/on_path.h"
#include "planner/system/regular_file.h"
#include "planner/trace/elf_file.h"
#include "planner/trace/trace.h"

namespace memo::learn {
namespace {

namespace fs = std::filesystem;

bool is_torch(const planner::Module& module) {
  return module.path.find("libtorch_cpu.so") != std::string::npos ||
         module.path.find("libtorch_python.so") != std::string::npos;
}

void add_trace(Facts& facts, const planner::Trace& trace) {
  facts.allocations += trace.outside.size();
  for (const planner::Pass& pass : trace.passes) {
    facts.allocations += pass.allocations.size();
    facts.marked_passes += pass.complete ? 1 : 0;
  }
  facts.recorder_ended = facts.recorder_ended || trace.stopped;
  facts.torch = facts.torch || std::ranges::any_of(trace.modules, is_torch);
}

// Returns the program that runs the file: for a script what its first line names, else the file itself.
std::string runner_of(const std::string& path) {
  constexpr std::size_t kLongestLine = 256;
  try {
    const std::string beginning = process::read_beginning(path, kLongestLine);
    if (!beginning.starts_with("#!")) return path;
    std::istringstream line(beginning.substr(2, beginning.find('\n') - 2));
    std::string runner;
    for (std::string word; line >> word;) {
      if (!word.starts_with('-')) runner = word;
    }
    return runner;
  } catch (const process::Unreadable&) {
    return path;
  }
}

// Returns true for a shell script, and for the shell itself.
bool is_shell(const std::string& path) {
  constexpr std::string_view kShells[] = {"sh", "bash", "dash", "zsh", "ksh", "ash"};
  return std::ranges::find(kShells, fs::path(runner_of(path)).filename().string()) != std::end(kShells);
}

}  // namespace

std::optional<Facts> gather_facts(const std::string& program, const std::vector<fs::path>& traces,
                                  bool ended) {
  const std::string path = process::on_path(program);
  if (path.empty() && traces.empty()) return std::nullopt;
  const elf::ElfFile file(path);
  Facts facts{.program = fs::path(program).filename().string(),
              .ended = ended,
              .linked_statically = file.valid() && file.interpreter().empty(),
              .script = is_shell(path)};
  for (const fs::path& trace : traces) {
    try {
      add_trace(facts, planner::read_trace(trace.string()));
    } catch (const std::exception&) {
      continue;  // The planner has said what is wrong with the file.
    }
  }
  return facts;
}

}  // namespace memo::learn
