// A verb of the `memomalloc` command. Each verb has its own file, declares its options on a CLI11 sub-command,
// and runs. main.cpp lists the verbs.
#pragma once

#include <functional>
#include <string>

#include "planner/tool/cli/parser_names.h"

namespace memo::cli {

// The exit statuses for faults of the command itself. A child's status is passed through unchanged.
enum ExitCode : int {
  kOk = 0,
  kRuntime = 1,      // the system refused something
  kUsage = 2,        // the command line is wrong
  kInput = 3,        // input is unreadable or incompatible
  kNoPlan = 4,       // no plan within the limits: infeasible, or out of time
  kCheckFailed = 5,  // a check found a fault
};

// The options that every verb takes.
struct Common {
  bool quiet = false;
  std::string log_format;  // "" where it is not given
};

// An error that ends the command with one sentence on stderr.
struct Failure {
  ExitCode code;
  std::string message;
};

struct Command {
  const char* name;
  const char* summary;
  // Declares the options and returns the function to run after parsing. `common` outlives the returned
  // function.
  std::function<int()> (*declare)(CLI::App& app, Common& common);
};

std::function<int()> declare_inspect(CLI::App& app, Common& common);
std::function<int()> declare_cache(CLI::App& app, Common& common);
std::function<int()> declare_check(CLI::App& app, Common& common);
std::function<int()> declare_compare(CLI::App& app, Common& common);
std::function<int()> declare_doctor(CLI::App& app, Common& common);
std::function<int()> declare_learn(CLI::App& app, Common& common);
std::function<int()> declare_pack(CLI::App& app, Common& common);
std::function<int()> declare_plan(CLI::App& app, Common& common);
std::function<int()> declare_release(CLI::App& app, Common& common);
std::function<int()> declare_report(CLI::App& app, Common& common);
std::function<int()> declare_run(CLI::App& app, Common& common);
std::function<int()> declare_serve(CLI::App& app, Common& common);
std::function<int()> declare_size(CLI::App& app, Common& common);
std::function<int()> declare_status(CLI::App& app, Common& common);

std::function<int()> declare_profile(CLI::App& app, Common& common);

}  // namespace memo::cli
