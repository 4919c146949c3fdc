#include "planner/tool/learn/explanations.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "planner/system/on_path.h"
#include "planner/system/regular_file.h"
#include "planner/tool/learn/diagnosis.h"
#include "planner/tool/learn/work_folder.h"
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

// Reads the program's file and the traces. Returns nothing if there is neither: whoever starts a program that
// does not exist says so.
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

namespace fs = std::filesystem;

constexpr std::chrono::seconds kPatience{30};  // before a line says why there is no plan

}  // namespace

Explanations::Explanations(std::string program, fs::path work, std::function<void(const std::string&)> say)
    : program_(std::move(program)), work_(std::move(work)), say_(std::move(say)) {}

bool Explanations::is_early() const {
  return Clock::now() < begun_ + kPatience;
}

void Explanations::of_silence() {
  if (said_silent_ || is_early()) return;
  said_silent_ = true;
  if (traces_in(work_).empty()) say_why(false);
}

void Explanations::of_trace_in_vain(const fs::path& trace) {
  if (said_why_ || is_early()) return;
  if (!is_full(trace)) return;
  said_why_ = true;
  say_why(false);
}

void Explanations::of_the_end() {
  if (!said_why_) say_why(true);
}

void Explanations::say_why(bool ended) {
  const std::optional<Facts> facts = gather_facts(program_, traces_in(work_), ended);
  if (!facts) return;
  saw_enough_ = facts->recorder_ended;
  saw_marks_ = facts->marked_passes != 0;
  const std::string sentence = diagnose(*facts);
  if (sentence != std::exchange(explained_, sentence)) say_(sentence);
}

}  // namespace memo::learn
