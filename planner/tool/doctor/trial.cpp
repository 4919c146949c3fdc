#include "planner/tool/doctor/trial.h"

#include <fmt/format.h>
#include <signal.h>

#include <chrono>
#include <fstream>
#include <set>
#include <thread>

#include "planner/system/tree.h"
#include "runtime/formats/guest_options.h"

namespace memo::doctor {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPause{20};
constexpr std::chrono::seconds kPatience{3};  // between SIGTERM and SIGKILL

// Adds the executable mappings of the process. Lines have the form "begin-end r-xp offset device inode
// /path".
void add_executed(pid_t process, std::set<std::string>& objects) {
  std::ifstream maps(fmt::format("/proc/{}/maps", process));
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find('/');
    const std::size_t rights = line.find(' ');
    if (path != std::string::npos && line.compare(rights + 3, 1, "x") == 0) objects.insert(line.substr(path));
  }
}

// Collects the objects of the process tree until `end`. Returns false if the process ends before.
bool watch_until(Clock::time_point end, pid_t process, std::set<std::string>& objects) {
  while (!process::has_ended(process)) {
    for (const pid_t one : process::tree_of(process)) add_executed(one, objects);
    if (Clock::now() >= end) return true;
    std::this_thread::sleep_for(kPause);
  }
  return false;
}

// Ends the process. Descendants outlive a killed parent, so they receive each signal too.
void make_end(pid_t process) {
  const std::vector<pid_t> all = process::tree_of(process);
  for (const pid_t one : all) kill(one, SIGTERM);
  const Clock::time_point end = Clock::now() + kPatience;
  while (!process::has_ended(process) && Clock::now() < end) std::this_thread::sleep_for(kPause);
  if (process::has_ended(process)) return;
  for (const pid_t one : all) kill(one, SIGKILL);
}

// Returns the lines of the library's log without the prefix "memomalloc[123]: ".
std::vector<std::string> lines_of_log(const fs::path& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t text = line.find("]: ");
    if (text != std::string::npos) lines.push_back(line.substr(text + 3));
  }
  return lines;
}

std::string last_line_of(const fs::path& path) {
  std::ifstream file(path);
  std::string last;
  for (std::string line; std::getline(file, line);)
    if (!line.empty()) last = line;
  return last;
}

}  // namespace

Trial try_out(const std::vector<std::string>& command, process::Environment environment, double seconds,
              const fs::path& folder) {
  environment.emplace_back(guest_option(GuestOptionId::kLog).variable, (folder / "log").string());
  environment.emplace_back(guest_option(GuestOptionId::kLogFormat).variable, "plain");
  const process::Child child =
      process::start({command, environment, {}, folder / "output", folder / "errors"});
  Trial trial;
  trial.exec_error = child.exec_error;
  std::set<std::string> objects;
  const auto end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  trial.ended_itself = !watch_until(end, child.id, objects);
  if (!trial.ended_itself) make_end(child.id);
  trial.status = process::wait_for(child);
  trial.log = lines_of_log(folder / "log");
  trial.objects.assign(objects.begin(), objects.end());
  trial.last_words = last_line_of(folder / "errors");
  return trial;
}

}  // namespace memo::doctor
