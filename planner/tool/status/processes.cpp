#include "planner/tool/status/processes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "planner/tool/status/live_pages.h"
#include "planner/tool/text/plain.h"
#include "runtime/formats/live_page.h"

namespace memo::status {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLibrary = "/libmemomalloc.so";

// The facts that the memory map of a process tells.
struct Mapped {
  bool library = false;
  std::vector<std::string>
      pages;  // paths of live pages: its own, and those of processes that it is a copy of
};

// Returns the path in a line of /proc/PID/maps, or "".
std::string_view path_in(std::string_view line) {
  const std::size_t slash = line.find('/');
  return slash == std::string_view::npos ? std::string_view() : line.substr(slash);
}

Mapped read_map(const fs::path& folder) {
  Mapped mapped;
  std::ifstream lines(folder / "maps");
  for (std::string line; std::getline(lines, line);) {
    const std::string_view path = path_in(line);
    mapped.library = mapped.library || path.find(kLibrary) != std::string_view::npos;
    if (path.ends_with(kLiveSuffix)) mapped.pages.emplace_back(path);
  }
  return mapped;
}

// Returns the number that the process has where it lives, which in a container is another.
std::string own_number(const fs::path& folder) {
  std::ifstream lines(folder / "status");
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("NSpid:")) return line.substr(line.find_last_of("\t ") + 1);
  return folder.filename().string();
}

std::string mode_of(const fs::path& folder) {
  constexpr std::string_view kVariable = "MEMOMALLOC_MODE=";
  std::ifstream variables(folder / "environ", std::ios::binary);
  for (std::string variable; std::getline(variables, variable, '\0');)
    if (variable.starts_with(kVariable)) return planner::plain_text(variable.substr(kVariable.size()));
  return "off";
}

std::string program_of(const fs::path& folder) {
  std::ifstream name(folder / "comm");
  std::string text;
  std::getline(name, text);
  return planner::plain_text(text);
}

// Reads the page whose name begins with the number of the process: others are of its ancestors.
void read_own_page(const fs::path& folder, const std::vector<std::string>& pages, Process& process) {
  const std::string beginning = own_number(folder) + ".";
  for (const std::string& page : pages) {
    if (!fs::path(page).filename().string().starts_with(beginning)) continue;
    process.page = (folder / "root").string() + page;
    process.statistics = read_live_page(process.page);
    if (process.statistics) return;
  }
  process.page.clear();
}

std::optional<Process> look_at(const fs::path& folder, pid_t id) {
  const Mapped mapped = read_map(folder);
  if (!mapped.library) return std::nullopt;
  Process process{
      .id = id, .program = program_of(folder), .mode = mode_of(folder), .page = {}, .statistics = {}};
  read_own_page(folder, mapped.pages, process);
  return process;
}

}  // namespace

std::vector<Process> find_processes() {
  std::vector<Process> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename().string();
    pid_t id = 0;
    const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), id);
    if (fault != std::errc() || end != name.data() + name.size()) continue;
    if (std::optional<Process> process = look_at(entry.path(), id)) found.push_back(std::move(*process));
  }
  std::sort(found.begin(), found.end(), [](const Process& a, const Process& b) { return a.id < b.id; });
  return found;
}

std::optional<Process> find_process(pid_t id) {
  return look_at(fmt::format("/proc/{}", id), id);
}

std::string state_of(const Process& process) {
  if (process.statistics) return planner::plain_text(process.statistics->value("state", ""));
  if (process.mode == "serve" || process.mode == "auto") return "no pass yet";
  return process.mode == "profile" ? "recording" : process.mode;
}

// A process that awaits its first pass has its plan: if it gets no request because it is not ready, none will come.
bool is_serving(const Process& process) {
  const std::string state = state_of(process);
  return state == kStateServing ? !process.statistics->value("plan", "").empty() : state == kStateAwaiting;
}

}  // namespace memo::status
