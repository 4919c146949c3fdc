// `memomalloc learn`: does beside a running program what `memomalloc run` does beside its command. The library
// starts it in mode auto.
#include <fmt/format.h>
#include <poll.h>
#include <spdlog/spdlog.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>

#include "planner/system/last_of_all.h"
#include "planner/system/on_path.h"
#include "planner/tool/cli/command.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/learn/learner.h"
#include "planner/tool/learn/plan_cache.h"

namespace memo::cli {
namespace {

namespace fs = std::filesystem;

// A process held by a descriptor, because its id may come to name another process.
class Watched {
 public:
  explicit Watched(std::int64_t process)
      : descriptor_(static_cast<int>(syscall(SYS_pidfd_open, process, 0))) {
    if (descriptor_ < 0)
      throw Failure{kInput, fmt::format("cannot watch process {}: {}", process, std::strerror(errno))};
  }
  ~Watched() { close(descriptor_); }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  void wait_for_end() const {
    pollfd event{descriptor_, POLLIN, 0};
    while (poll(&event, 1, -1) < 0 && errno == EINTR) {
    }
  }

 private:
  int descriptor_;
};

int run_learn(const Options& options) {
  const fs::path work = fs::absolute(options.text("work"));
  const fs::path plan = fs::absolute(options.text("plan"));
  if (!fs::is_directory(work)) throw Failure{kInput, fmt::format("{} is no folder", work.string())};
  process::let_own_session_step_back();
  {
    const Watched program(options.number("process"));
    const auto say = [](const std::string& line) { spdlog::info("{}", line); };
    const bool done = learn::has_current_plan(plan, say) && options.flag("once");
    std::optional<learn::Learner> learner;
    if (!done)
      learner.emplace(learn::Lesson{process::own_program(), work, plan, options.flag("once"), false, say});
    program.wait_for_end();
  }
  learn::clear_work_folder(work);
  return kOk;
}

}  // namespace

std::function<int()> declare_learn(CLI::App& app, Common&) {
  const auto options = std::make_shared<Options>(app, "learn");
  return [options] { return run_learn(*options); };
}

}  // namespace memo::cli
