#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/auxv.h>
#include <CLI/CLI.hpp>

#include <string>
#include <string_view>

#include "planner/system/program_status.h"
#include "planner/tool/cli/command.h"
#include "planner/tool/cli/launch.h"
#include "planner/tool/cli/manual.h"
#include "planner/tool/cli/messages.h"
#include "planner/tool/cli/misspelt.h"
#include "planner/tool/cli/texts.h"

namespace memo::cli {
namespace {

constexpr Command kCommands[] = {
    {"run", "Run a command, learn its passes, and serve them from then on", declare_run},
    {"learn", "Plan beside a program that learns", declare_learn},
    {"cache", "Show, clear and bound what run keeps for the next start", declare_cache},
    {"profile", "Run a command and record its passes", declare_profile},
    {"inspect", "Say what is in a trace, a plan, or the statistics of a served run", declare_inspect},
    {"pack", "Solve an allocation problem given as CSV", declare_pack},
    {"plan", "Turn traces into a plan", declare_plan},
    {"check", "Is a plan sound, and how much of these traces would it serve", declare_check},
    {"size", "Say how much memory a server with a plan needs", declare_size},
    {"serve", "Run a command on a plan", declare_serve},
    {"status", "Show what processes with the library in them are at", declare_status},
    {"release", "Let a process give back the memory that it does not use", declare_release},
    {"report", "Draw traces, plans and measurements as one page", declare_report},
    {"compare", "Run a command under one allocator after the other, side by side", declare_compare},
    {"doctor", "Say whether serving will work here, and what to change", declare_doctor},
};

std::string example_of(std::string_view verb) {
  for (const ManualRow& row : kVerbManual)
    if (row.name == verb) return fmt::format("Example:\n  {}", row.example);
  return "";
}

void declare_common(CLI::App& app, Common& common) {
  app.add_flag("-q,--quiet", common.quiet, "Only errors on stderr");
  declare_log_format(app, common.log_format);
}

int run(int argc, char** argv) {
  CLI::App app{"Memorises the allocations of an inference pass and replays them", "memomalloc"};
  app.set_version_flag("--version", "memomalloc " MEMOMALLOC_VERSION);
  app.require_subcommand(0, 1);
  app.footer(
      "Example: memomalloc run -- ./server --port 8080\n"
      "An example of each verb: memomalloc VERB --help");
  std::string texts;
  app.add_option(
         "--write-texts", texts,
         "Write the man pages and the completions for bash and zsh into FOLDER, as they lie below share/, and end")
      ->type_name("FOLDER");

  bool print_preload = false;
  app.add_flag("--print-preload", print_preload,
               "Print the path of the library, as LD_PRELOAD wants it, and end");

  Common common;
  declare_common(app, common);
  int status = kOk;
  for (const Command& command : kCommands) {
    CLI::App* verb = app.add_subcommand(command.name, command.summary);
    verb->footer(example_of(command.name));
    declare_common(*verb, common);
    std::function<int()> body = command.declare(*verb, common);
    verb->final_callback([&status, &common, body] {
      if (common.quiet) spdlog::set_level(spdlog::level::err);
      if (!common.log_format.empty()) use_log_format(common.log_format);
      status = body();
    });
  }
  try {
    app.parse(argc, argv);
    if (texts.empty() && !print_preload && app.get_subcommands().empty())
      throw CLI::RequiredError::Subcommand(1);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    spdlog::error("{}", explain_refusal(app, error));
    return kUsage;
  }
  if (!texts.empty()) write_texts(app, texts);
  if (print_preload) fmt::print("{}\n", find_library());
  return status;
}

}  // namespace
}  // namespace memo::cli

int main(int argc, char** argv) {
  memo::cli::set_up_messages();
  if (getauxval(AT_SECURE) != 0) {
    spdlog::error("it runs commands and reads what others wrote, so it does not run with raised privileges");
    return memo::cli::kUsage;
  }
  try {
    return memo::cli::run(argc, argv);
  } catch (const memo::cli::Failure& failure) {
    spdlog::error("{}", failure.message);
    return memo::process::status_of_ended_program().value_or(failure.code);
  } catch (const std::exception& error) {
    spdlog::error("{}", error.what());
    return memo::process::status_of_ended_program().value_or(memo::cli::kRuntime);
  }
}
