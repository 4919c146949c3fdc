#include "planner/cli/launch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <stdexcept>

namespace memo::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kPassedOn[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

std::atomic<pid_t> g_child = 0;

bool is_switch(const GuestOption& row) {
  return *row.value == '\0';
}
std::vector<std::string> choices_of(const GuestOption& row) {
  std::vector<std::string> choices;
  std::istringstream words(row.value);
  for (std::string word; std::getline(words, word, '|');) choices.push_back(word);
  return choices;
}
bool takes_many(const GuestOption& row) {
  return std::string_view(row.value).ends_with("...");
}

std::string help_text(const GuestOption& row) {
  const std::string fallback =
      is_switch(row) || *row.fallback == '\0' ? "" : fmt::format(" [{}]", row.fallback);
  return fmt::format("{}{} (${})", row.help, fallback, row.variable);
}

// From the terminal the child gets the signal itself: it is in the same group. A kill by number reaches this process
// only.
void pass_on(int signal_number, siginfo_t* info, void*) {
  const pid_t child = g_child.load();
  if (child > 0 && info->si_code <= 0) kill(child, signal_number);
}

void pass_signals_on() {
  struct sigaction action {};
  action.sa_sigaction = pass_on;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (const int signal_number : kPassedOn) sigaction(signal_number, &action, nullptr);
}

void restore_signals() {
  for (const int signal_number : kPassedOn) signal(signal_number, SIG_DFL);
}

std::string preload_value(const std::string& library) {
  const char* already = std::getenv("LD_PRELOAD");
  return already == nullptr || *already == '\0' ? library : library + ":" + already;
}

[[noreturn]] void become(const std::vector<std::string>& command, const Environment& environment,
                         const std::string& preload, int report) {
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  setenv("LD_PRELOAD", preload.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  restore_signals();
  execvp(arguments[0], arguments.data());
  const int error = errno;
  const bool reported = write(report, &error, sizeof error) == sizeof error;
  _exit(reported ? kNotFound : kNotExecutable);
}

// 0 once the child runs its program; the pipe closes by itself then.
int read_exec_error(int pipe_end) {
  int error = 0;
  ssize_t got = 0;
  do {
    got = read(pipe_end, &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  return got == sizeof error ? error : 0;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR)
      throw Failure{kRuntime, fmt::format("cannot wait for the command: {}", std::strerror(errno))};
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int explain_exec_error(const std::string& program, int error) {
  spdlog::error("cannot run {}: {}", program, std::strerror(error));
  return error == ENOENT ? kNotFound : kNotExecutable;
}

fs::path own_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

}  // namespace

GuestKnobs::GuestKnobs(CLI::App& app, std::initializer_list<GuestOptionId> ids) {
  for (const GuestOptionId id : ids) knobs_.push_back({id, nullptr, false, {}});
  for (Knob& knob : knobs_) {
    const GuestOption& row = guest_option(knob.id);
    const std::string names =
        knob.id == GuestOptionId::kTrace ? "-o,--output" : fmt::format("--{}", row.option);
    CLI::Option* option = is_switch(row) ? app.add_flag(names, knob.on, help_text(row))
                                         : app.add_option(names, knob.values, help_text(row));
    // Without extra arguments, or CLI11 takes the "--" before the command for the end of this option.
    if (!is_switch(row)) option->type_name(row.value)->expected(1)->allow_extra_args(false);
    if (takes_choice(row)) option->check(CLI::IsMember(choices_of(row)));
    option->multi_option_policy(takes_many(row) ? CLI::MultiOptionPolicy::TakeAll
                                                : CLI::MultiOptionPolicy::TakeLast);
    knob.option = option;
  }
}

const GuestKnobs::Knob& GuestKnobs::knob(GuestOptionId id) const {
  for (const Knob& knob : knobs_) {
    if (knob.id == id) return knob;
  }
  throw std::logic_error(fmt::format("the verb has no option --{}", guest_option(id).option));
}

bool GuestKnobs::given(GuestOptionId id) const {
  return knob(id).option->count() > 0;
}

std::string GuestKnobs::text(GuestOptionId id) const {
  const Knob& found = knob(id);
  if (is_switch(guest_option(id))) return found.on ? "1" : "0";
  return found.values.empty() ? guest_option(id).fallback : fmt::format("{}", fmt::join(found.values, ","));
}

Environment GuestKnobs::environment() const {
  Environment set;
  for (const Knob& knob : knobs_) {
    if (given(knob.id)) set.emplace_back(guest_option(knob.id).variable, text(knob.id));
  }
  return set;
}

std::string find_library() {
  static constexpr const char* kName = "libmemomalloc.so";
  const char* named = std::getenv("MEMOMALLOC_LIBRARY");
  std::vector<fs::path> places;
  if (named != nullptr) {
    places.emplace_back(named);
  } else {
    places = {own_folder() / ".." / "lib" / kName, own_folder() / ".." / MEMOMALLOC_LIBDIR / kName};
  }
  for (const fs::path& place : places) {
    std::error_code error;
    if (fs::is_regular_file(place, error)) return fs::canonical(place).string();
  }
  throw Failure{kRuntime, fmt::format("cannot find {}: looked at {}; name it in MEMOMALLOC_LIBRARY", kName,
                                      places.front().lexically_normal().string())};
}

int run_with_library(const std::vector<std::string>& command, const Environment& environment) {
  const std::string preload = preload_value(find_library());
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Failure{kRuntime, fmt::format("no pipe: {}", std::strerror(errno))};
  pass_signals_on();
  const pid_t child = fork();
  if (child < 0) throw Failure{kRuntime, fmt::format("cannot fork: {}", std::strerror(errno))};
  if (child == 0) become(command, environment, preload, ends[1]);
  g_child = child;
  close(ends[1]);
  const int error = read_exec_error(ends[0]);
  close(ends[0]);
  const int status = wait_for(child);
  g_child = 0;
  return error == 0 ? status : explain_exec_error(command.front(), error);
}

}  // namespace memo::cli
