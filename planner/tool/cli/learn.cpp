// `memomalloc learn`: does beside a running program what `memomalloc run` does beside its command. The library
// starts it in mode auto.
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/types.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "planner/system/last_of_all.h"
#include "planner/system/on_path.h"
#include "planner/tool/cli/command.h"
#include "planner/tool/cli/finish.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/learn/claimants.h"
#include "planner/tool/learn/learner.h"
#include "planner/tool/learn/plan_cache.h"

namespace memo::cli {
namespace {

namespace fs = std::filesystem;

std::string program_of(std::int64_t process) {
  std::error_code error;
  const fs::path path = fs::read_symlink(fmt::format("/proc/{}/exe", process), error);
  return error ? "the program" : path.string();
}

int run_learn(const Options& options) {
  const fs::path work = fs::absolute(options.text("work"));
  const fs::path plan = fs::absolute(options.text("plan"));
  const auto program = static_cast<pid_t>(options.number("process"));
  if (!fs::is_directory(work)) throw Failure{kInput, fmt::format("{} is no folder", work.string())};
  const std::chrono::milliseconds most = time_to_finish(options);
  process::let_own_session_step_back();
  const auto say = [](const std::string& line) { spdlog::info("{}", line); };
  const bool done = learn::has_current_plan(plan, say) && options.flag("once");
  std::optional<learn::Learner> learner;
  if (!done)
    learner.emplace(learn::Lesson{process::own_program(), program_of(program), work, plan,
                                  options.flag("once"), false, say, learn::origin_of_process(program)});
  const auto finish = [&] {
    if (learner) finish_plan(*learner, most);
    learner.reset();
  };
  if (!learn::outlive_claimants(program, work, finish))
    throw Failure{kInput, fmt::format("cannot watch process {}: {}", program, std::strerror(errno))};
  return kOk;
}

}  // namespace

std::function<int()> declare_learn(CLI::App& app, Common&) {
  const auto options = std::make_shared<Options>(app, "learn");
  return [options] { return run_learn(*options); };
}

}  // namespace memo::cli
