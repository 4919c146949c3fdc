// `memomalloc status`: shows what processes with the library in them are at.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "planner/tool/cli/command.h"
#include "planner/tool/cli/interrupt.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/cli/status_table.h"
#include "planner/tool/status/live_pages.h"

namespace memo::cli {
namespace {

using status::Process;
using Clock = std::chrono::steady_clock;

std::vector<Process> look(const Options& options) {
  if (!options.given("process")) return status::find_processes();
  const auto id = static_cast<pid_t>(options.number("process"));
  std::optional<Process> process = status::find_process(id);
  if (!process)
    throw Failure{
        kInput,
        fmt::format("process {} does not run, is another user's, or has no libmemomalloc.so in it", id)};
  return {std::move(*process)};
}

void show(const Options& options, const std::vector<StatusRow>& rows) {
  if (options.flag("json")) {
    fmt::print("{}\n",
               status_json(rows).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  } else {
    fmt::print("{}", status_table(rows));
  }
  std::fflush(stdout);
}

bool all_serve(const std::vector<StatusRow>& rows) {
  return !rows.empty() &&
         std::ranges::all_of(rows, [](const StatusRow& row) { return is_serving(row.process); });
}

// Clears the terminal before each table but the first; a pipe gets one table after the other.
void begin_table() {
  if (isatty(STDOUT_FILENO) != 0) fmt::print("\x1b[H\x1b[2J");
}

int run_status(const Options& options) {
  const std::chrono::milliseconds between(static_cast<std::int64_t>(1000 * options.seconds("interval")));
  const bool watch = options.flag("watch");
  const InterruptGuard guard;
  status::remove_ended_pages(status::own_live_folder());
  std::vector<Process> before = look(options);
  for (;;) {
    const Clock::time_point begin = Clock::now();
    std::this_thread::sleep_for(between);
    std::vector<Process> now = look(options);
    const std::vector<StatusRow> rows = join_looks(before, now, Clock::now() - begin);
    if (watch) begin_table();
    show(options, rows);
    if (!watch || InterruptGuard::requested()) return all_serve(rows) ? kOk : kRuntime;
    before = std::move(now);
  }
}

}  // namespace

std::function<int()> declare_status(CLI::App& app, Common&) {
  const auto options = std::make_shared<Options>(app, "status");
  return [options] { return run_status(*options); };
}

}  // namespace memo::cli
