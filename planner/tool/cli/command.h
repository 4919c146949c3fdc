// A verb of the `memomalloc` command. Each lives in its own file, declares its options on a CLI11 sub-command
// and runs; cli/main.cpp holds the list. A verb that does not exist yet is not listed.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <string>

namespace memo::cli {

// What the command exits with when the fault is its own. Children's statuses are passed through untouched.
enum ExitCode : int {
  kOk = 0,
  kRuntime = 1,      // something the system refused
  kUsage = 2,        // the command line
  kInput = 3,        // unreadable or incompatible input
  kNoPlan = 4,       // no plan within the limits: infeasible, or out of time
  kCheckFailed = 5,  // a check said no
};

// Options that every verb takes.
struct Common {
  bool quiet = false;
};

// An error that ends the command with one sentence on stderr.
struct Failure {
  ExitCode code;
  std::string message;
};

struct Command {
  const char* name;
  const char* summary;
  // Declares the options and returns what to run once they are parsed. `common` outlives the returned
  // function.
  std::function<int()> (*declare)(CLI::App& app, Common& common);
};

std::function<int()> declare_inspect(CLI::App& app, Common& common);
std::function<int()> declare_check(CLI::App& app, Common& common);
std::function<int()> declare_compare(CLI::App& app, Common& common);
std::function<int()> declare_doctor(CLI::App& app, Common& common);
std::function<int()> declare_learn(CLI::App& app, Common& common);
std::function<int()> declare_pack(CLI::App& app, Common& common);
std::function<int()> declare_plan(CLI::App& app, Common& common);
std::function<int()> declare_report(CLI::App& app, Common& common);
std::function<int()> declare_run(CLI::App& app, Common& common);
std::function<int()> declare_serve(CLI::App& app, Common& common);

std::function<int()> declare_profile(CLI::App& app, Common& common);

[[nodiscard]] std::span<const Command> all_commands();

}  // namespace memo::cli
