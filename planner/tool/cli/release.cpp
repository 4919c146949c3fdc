// `memomalloc release`: lets a process give back the memory that it does not use.
#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "planner/tool/cli/command.h"
#include "planner/tool/cli/options.h"
#include "planner/tool/status/live_pages.h"
#include "planner/tool/status/processes.h"
#include "planner/tool/status/release_request.h"
#include "planner/tool/text/numbers.h"

namespace memo::cli {
namespace {

using Json = nlohmann::ordered_json;
using status::Process;
using status::Released;

Process find(pid_t id) {
  std::optional<Process> process = status::find_process(id);
  if (!process)
    throw Failure{
        kInput,
        fmt::format("process {} does not run, is another user's, or has no libmemomalloc.so in it", id)};
  if (!process->statistics)
    throw Failure{
        kInput,
        fmt::format(
            "process {} has no live page: no pass of it has been served yet, or MEMOMALLOC_LIVE is off", id)};
  return std::move(*process);
}

void ask(const Process& process, std::chrono::milliseconds wait) {
  switch (status::ask_for_release(process.page, wait)) {
    case Released::kDone:
      return;
    case Released::kNotYet:
      throw Failure{
          kRuntime,
          fmt::format(
              "process {} is asleep: it gives back what it does not use when its next pass ends, or once it has "
              "allocated some MiB; --wait says how long to wait for that",
              process.id)};
    case Released::kNoPage:
      throw Failure{
          kInput,
          fmt::format("process {} has another version of the library, or its page {} may not be written",
                      process.id, process.page.string())};
  }
}

planner::Bytes figure(const Json& statistics, const char* pointer) {
  return statistics.value(Json::json_pointer(pointer), planner::Bytes{0});
}

// What the figures of the process have risen by, and what it holds now.
Json difference(const Json& before, const Json& after) {
  const auto risen = [&](const char* pointer) { return figure(after, pointer) - figure(before, pointer); };
  return {
      {"pid", after.value("pid", 0)},
      {"released",
       {{"lane_bytes", risen("/released/lane_bytes")}, {"heap_bytes", risen("/released/heap_bytes")}}},
      {"before",
       {{"slab_bytes", figure(before, "/slab_bytes")}, {"heap_resident", figure(before, "/heap/resident")}}},
      {"after",
       {{"slab_bytes", figure(after, "/slab_bytes")}, {"heap_resident", figure(after, "/heap/resident")}}}};
}

std::string sentence(const Json& done) {
  const auto text = [&](const char* pointer) { return planner::human_bytes(figure(done, pointer)); };
  return fmt::format(
      "process {} gave back {} of its lanes and {} of its heap; the slab has {} now (before: {}), the heap {} ({})\n",
      done.value("pid", 0), text("/released/lane_bytes"), text("/released/heap_bytes"),
      text("/after/slab_bytes"), text("/before/slab_bytes"), text("/after/heap_resident"),
      text("/before/heap_resident"));
}

int run_release(const Options& options) {
  const std::chrono::milliseconds wait(static_cast<std::int64_t>(1000 * options.seconds("wait")));
  const Process process = find(static_cast<pid_t>(options.number("process")));
  ask(process, wait);
  const auto after = status::read_live_page(process.page);
  if (!after) throw Failure{kRuntime, fmt::format("process {} has ended meanwhile", process.id)};
  const Json done = difference(*process.statistics, *after);
  fmt::print("{}", options.flag("json") ? done.dump(2) + "\n" : sentence(done));
  return kOk;
}

}  // namespace

std::function<int()> declare_release(CLI::App& app, Common&) {
  const auto options = std::make_shared<Options>(app, "release");
  return [options] { return run_release(*options); };
}

}  // namespace memo::cli
