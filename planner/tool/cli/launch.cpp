#include "planner/tool/cli/launch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <atomic>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "planner/system/process_start.h"
#include "planner/system/program_status.h"
#include "runtime/formats/size_text.h"
#include "runtime/formats/speaker.h"

namespace memo::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kPassedOn[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

std::atomic<pid_t> g_child = 0;
std::atomic<int> g_early = 0;  // a signal that arrived before the child was started

bool is_switch(const GuestOption& row) {
  return *row.value == '\0';
}
bool takes_many(const GuestOption& row) {
  return std::string_view(row.value).ends_with("...");
}

// Returns a check that ends the command where the value is no whole number, nor a word that stands for one: the library would take the
// default.
std::function<std::string(std::string&)> refuse_if_no_number(const std::string& name,
                                                             const GuestOption& row) {
  const std::string word = word_for_number(row);
  return [name, word](const std::string& value) -> std::string {
    unsigned long number = 0;
    const char* end = value.data() + value.size();
    const auto [stopped, error] = std::from_chars(value.data(), end, number);
    if ((!word.empty() && value == word) || (error == std::errc{} && stopped == end)) return "";
    throw Failure{kUsage, fmt::format("{} is \"{}\"; give a whole number, 0 or more{}", name, value,
                                      word.empty() ? "" : ", or " + word)};
  };
}

// Does the same where the value is no size.
std::function<std::string(std::string&)> refuse_if_no_size(const std::string& name) {
  return [name](const std::string& value) -> std::string {
    std::uint64_t bytes = 0;
    if (read_size(value.c_str(), &bytes)) return "";
    throw Failure{kUsage, fmt::format("{} is \"{}\"; give a size such as 512M or 2G", name, value)};
  };
}

std::string help_text(const GuestOption& row) {
  const std::string fallback =
      is_switch(row) || *row.fallback == '\0' ? "" : fmt::format(" [{}]", row.fallback);
  return fmt::format("{}{} (${})", row.help, fallback, row.variable);
}

// Passes a signal on to the child. The terminal signals the whole group, and so the child directly; a signal
// from kill(2) reaches only this process.
void pass_on(int signal_number, siginfo_t* info, void*) {
  const pid_t child = g_child.load();
  if (info->si_code > 0) return;
  if (child > 0) {
    kill(child, signal_number);
  } else {
    g_early = signal_number;
  }
}

void pass_signals_on() {
  struct sigaction action {};
  action.sa_sigaction = pass_on;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (const int signal_number : kPassedOn) sigaction(signal_number, &action, nullptr);
}

// Lets the process that runs this, and none that it starts, write the library's lines to the stderr that it has now.
void become_speaker() {
  struct stat about {};
  fstat(STDERR_FILENO, &about);
  char text[kSpeakerRoom];
  write_speaker({.process = static_cast<std::uint64_t>(getpid()),
                 .started = process::start_of(getpid()),
                 .device = about.st_dev,
                 .inode = about.st_ino},
                text);
  setenv(kSpeakerVariable, text, 1);
}

fs::path own_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

}  // namespace

std::vector<std::string> choices_of(const GuestOption& row) {
  std::vector<std::string> choices;
  std::istringstream words(row.value);
  for (std::string word; std::getline(words, word, '|');) choices.push_back(word);
  return choices;
}

GuestKnobs::GuestKnobs(CLI::App& app, std::initializer_list<GuestOptionId> ids) {
  for (const GuestOptionId id : ids) knobs_.push_back({id, nullptr, false, {}});
  for (Knob& knob : knobs_) {
    const GuestOption& row = guest_option(knob.id);
    const std::string names =
        knob.id == GuestOptionId::kTrace ? "-o,--output" : fmt::format("--{}", row.option);
    CLI::Option* option = is_switch(row) ? app.add_flag(names, knob.on, help_text(row))
                                         : app.add_option(names, knob.values, help_text(row));
    // Forbids extra arguments: otherwise CLI11 takes the "--" before the command for the end of this option.
    if (!is_switch(row)) option->type_name(row.value)->expected(1)->allow_extra_args(false);
    // Removes the check's description, because the value already lists the choices.
    if (takes_choice(row)) option->check(CLI::IsMember(choices_of(row)).description(""));
    if (takes_number(row)) option->check(CLI::Validator(refuse_if_no_number(names, row), ""));
    if (std::string_view(row.value) == "SIZE") option->check(CLI::Validator(refuse_if_no_size(names), ""));
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

std::string GuestKnobs::text_or_variable(GuestOptionId id) const {
  const char* value = std::getenv(guest_option(id).variable);
  return given(id) || value == nullptr ? text(id) : value;
}

Environment GuestKnobs::environment() const {
  Environment set;
  for (const Knob& knob : knobs_) {
    if (given(knob.id)) set.emplace_back(guest_option(knob.id).variable, text(knob.id));
  }
  return set;
}

namespace {

fs::path place_of_library() {
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
    if (fs::is_regular_file(place, error)) return place;
  }
  throw Failure{kRuntime, fmt::format("cannot find {}: looked at {}; name it in MEMOMALLOC_LIBRARY", kName,
                                      places.front().lexically_normal().string())};
}

}  // namespace

std::string find_library() {
  return fs::canonical(place_of_library()).string();
}

std::string library_as_named() {
  return std::getenv("MEMOMALLOC_LIBRARY") == nullptr ? find_library()
                                                      : fs::absolute(place_of_library()).string();
}

int run_with_library(const std::vector<std::string>& command, const Environment& environment) {
  process::Command with_library{command, environment, {}, {}, {}};
  for (auto& variable : process::injection(library_as_named(), environment))
    with_library.set.push_back(std::move(variable));
  with_library.as_child = become_speaker;
  process::outlive_own_faults();
  pass_signals_on();
  const process::Child child = process::start(with_library);
  g_child = child.id;
  signal(SIGPIPE, SIG_IGN);  // a reader of our lines that has gone must not cost the program its status
  if (const int early = g_early.exchange(0); early != 0) kill(child.id, early);
  const int status = process::wait_for(child);
  g_child = 0;
  process::note_program_has_ended(status);
  if (child.exec_error != 0)
    spdlog::error("cannot run {}: {}", command.front(), std::strerror(child.exec_error));
  return status;
}

}  // namespace memo::cli
