#include "planner/tool/learn/command_name.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "planner/system/on_path.h"
#include "planner/system/regular_file.h"
#include "planner/trace/elf_file.h"
#include "runtime/formats/named_files.h"
#include "runtime/formats/plan_name.h"

namespace memo::learn {
namespace {

namespace fs = std::filesystem;

constexpr int kMostInterpreters = 5;       // as many as the kernel follows
constexpr std::size_t kLongestLine = 256;  // as much of a first line as the kernel reads

// Returns the text after "#!" in the file's first line, or "" for a file that has none.
std::string first_line_of_script(const std::string& file) {
  try {
    const std::string text = process::read_beginning(file, kLongestLine);
    if (!text.starts_with("#!")) return "";
    const std::string line = text.substr(2, text.find('\n') - 2);
    const std::size_t first = line.find_first_not_of(" \t");
    return first == std::string::npos ? "" : line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
  } catch (const process::Unreadable&) {
    return "";
  }
}

// Returns the command by which the kernel runs a script: its interpreter, at most one argument, and the script.
// `env` becomes the program that it looks for. Returns an empty command for a program that is no script.
std::vector<std::string> command_of_script(const std::string& script) {
  const std::string line = first_line_of_script(script);
  if (line.empty()) return {};
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  const std::size_t argument = line.find_first_not_of(" \t", end);
  std::vector<std::string> command = {line.substr(0, end)};
  if (argument != std::string::npos) command.push_back(line.substr(argument));
  const bool is_env = fs::path(command.front()).filename() == "env" && command.size() == 2;
  if (is_env && !command.back().starts_with('-')) command.erase(command.begin());
  command.push_back(script);
  return command;
}

// Replaces a script by its interpreter, as often as the interpreter is a script.
std::vector<std::string> command_that_runs(std::vector<std::string> command) {
  for (int i = 0; i < kMostInterpreters; ++i) {
    const std::string program = process::on_path(command.front());
    std::vector<std::string> interpreted = command_of_script(program);
    if (interpreted.empty()) break;
    interpreted.insert(interpreted.end(), command.begin() + 1, command.end());
    command = std::move(interpreted);
  }
  return command;
}

// Finds a path in the same way as the library does, so that both find the same.
Found find(const char* path, char* out, std::size_t capacity) {
  const int file = open(path, O_PATH | O_CLOEXEC);
  if (file < 0) return Found::kNothing;
  struct stat about {};
  const std::string link = fmt::format("/proc/self/fd/{}", file);
  const ssize_t length = fstat(file, &about) == 0 ? readlink(link.c_str(), out, capacity - 1) : -1;
  close(file);
  if (length <= 0 || *out != '/') return Found::kNothing;
  out[length] = '\0';
  return S_ISREG(about.st_mode) ? Found::kFile : Found::kOther;
}

// Returns the words, each ended by a NUL, no more of them than the library reads.
std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all.append(word).push_back('\0');
  if (all.size() >= kLongestCommand) all.resize(kLongestCommand - 1);
  return all;
}

// Returns the full path of the file that the word names, as a path or on PATH; "" for none.
std::string file_of(const std::string& word) {
  std::error_code error;
  const std::string found = fs::is_regular_file(word, error) ? word : process::on_path(word);
  if (found.empty()) return "";
  const fs::path full = fs::canonical(found, error);
  return error ? "" : full.string();
}

// Returns the words in the text, as a shell tells them apart, near enough.
std::vector<std::string> words_of(const std::string& text) {
  constexpr const char* kBetweenWords = " \t\n;&|()<>\"'`$";
  std::vector<std::string> words;
  for (std::size_t end = 0, begin = 0;
       (begin = text.find_first_not_of(kBetweenWords, end)) != std::string::npos;) {
    end = std::min(text.find_first_of(kBetweenWords, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
  }
  return words;
}

// Returns the files that a word names: itself one, or the commands of a shell.
std::set<std::string> files_of(const std::string& word) {
  std::set<std::string> files{file_of(word)};
  for (const std::string& part : words_of(word)) files.insert(file_of(part));
  files.erase("");
  return files;
}

// Returns the module that Python is told to run, in the place of a file; the end of the command where it is not.
std::vector<std::string>::const_iterator module_of(const std::vector<std::string>& command) {
  const auto option = std::find(command.begin() + 1, command.end(), "-m");
  return option == command.end() ? option : option + 1;
}

}  // namespace

std::string named_files(const std::vector<std::string>& command) {
  std::set<std::string> files;
  for (const std::string& word : command_that_runs(command)) files.merge(files_of(word));
  std::string text = std::to_string(getpid());
  char separator = ':';
  for (const std::string& file : files) {
    text += fmt::format("{}{:016x}", separator, hash_of_file(file.c_str()));
    separator = ',';
  }
  return text;
}

std::string short_form(const std::vector<std::string>& command) {
  std::string text = command.front();
  std::error_code error;
  auto file = std::find_if(command.begin() + 1, command.end(),
                           [&](const std::string& word) { return fs::is_regular_file(word, error); });
  if (file == command.end()) file = module_of(command);
  if (file == command.end()) return text;
  for (auto word = command.begin() + 1; word <= file; ++word) text += " " + *word;
  return text;
}

std::string plan_name(const std::vector<std::string>& command, const std::string& ort_arena) {
  const std::vector<std::string> running = command_that_runs(command);
  std::error_code error;
  const std::string program = fs::canonical(process::on_path(running.front()), error).string();
  const std::string build_id = elf::ElfFile(program).build_id();
  const std::string folder = fs::current_path(error).string();
  const char* temporary = std::getenv("TMPDIR");
  PlanName name(program.c_str(), build_id.c_str(), folder.c_str(), temporary != nullptr ? temporary : "");
  name.add_ort_arena(ort_arena.c_str());
  const std::string words = joined(running);
  name.add_command(words.data(), words.size(), find);
  char text[NAME_MAX + 1];
  return name.write(text, sizeof text) ? text : "";
}

}  // namespace memo::learn
