#include "planner/tool/learn/plan_record.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "planner/system/regular_file.h"
#include "planner/system/whole_file.h"

namespace memo::learn {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::system_clock;

std::vector<std::string> words_in(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::istringstream text(std::string(std::istreambuf_iterator<char>(stream), {}));
  std::vector<std::string> words;
  for (std::string word; std::getline(text, word, '\0');) words.push_back(word);
  return words;
}

// Never writes over a file that is no record.
void write(const fs::path& plan, const Origin& origin, Clock::time_point made) {
  std::error_code error;
  if (fs::exists(record_path(plan), error) && !read_record(plan)) return;
  const nlohmann::ordered_json record = {{"command", origin.command},
                                         {"folder", origin.folder},
                                         {"version", MEMOMALLOC_VERSION},
                                         {"made", time_text(made)}};
  // Words of a command may be no UTF-8.
  const std::string text = record.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  try {
    process::write_whole_file(record_path(plan), text);
  } catch (const std::system_error&) {
    return;  // the plan serves without
  }
}

}  // namespace

Origin origin_of(const std::vector<std::string>& command) {
  std::error_code error;
  return {command, fs::current_path(error).string()};
}

Origin origin_of_process(long process) {
  const fs::path folder = fs::path("/proc") / std::to_string(process);
  std::error_code error;
  return {words_in(folder / "cmdline"), fs::read_symlink(folder / "cwd", error).string()};
}

fs::path record_path(const fs::path& plan) {
  return fs::path(plan).replace_extension(".json");
}

std::optional<PlanRecord> read_record(const fs::path& plan) {
  try {
    const nlohmann::json record = nlohmann::json::parse(process::read_regular_file(record_path(plan)));
    return PlanRecord{{record.at("command"), record.at("folder")}, record.at("version"), record.at("made")};
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

void record_plan(const fs::path& plan, const Origin& origin) {
  write(plan, origin, Clock::now());
}

void record_use(const fs::path& plan, const Origin& origin) {
  if (!read_record(plan)) return write(plan, origin, time_of_change(plan));
  utimensat(AT_FDCWD, record_path(plan).c_str(), nullptr, 0);
}

void remove_record(const fs::path& plan) {
  std::error_code error;
  if (read_record(plan)) fs::remove(record_path(plan), error);
}

std::string time_text(Clock::time_point time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(Clock::to_time_t(time)));
}

Clock::time_point time_of_change(const fs::path& file) {
  struct stat about {};
  return stat(file.c_str(), &about) == 0 ? Clock::from_time_t(about.st_mtime) : Clock::time_point();
}

}  // namespace memo::learn
