#include "planner/tool/cli/closing.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <exception>
#include <filesystem>

#include "planner/plan/plan_reader.h"
#include "planner/system/regular_file.h"
#include "planner/tool/cli/files.h"
#include "planner/tool/status/closing_line.h"

namespace memo::cli {
namespace {

using Json = nlohmann::ordered_json;

// Returns how many passes the file says, or nothing if it holds no statistics.
std::optional<std::uint64_t> passes_in(const std::string& path) {
  try {
    const Json statistics = Json::parse(process::read_regular_file(path), nullptr, false);
    const auto passes = statistics.is_object() ? statistics.find("passes") : statistics.end();
    if (passes == statistics.end() || !passes->is_number_unsigned()) return std::nullopt;
    return passes->get<std::uint64_t>();
  } catch (const process::Unreadable&) {
    return std::nullopt;
  }
}

// Completes what the process wrote last, if it was killed or lost its way before it could. A file that cannot be written must
// not cost the lines that follow.
void complete(const std::string& path, const Json& statistics) {
  const std::optional<std::uint64_t> written = passes_in(path);
  if (written && *written >= statistics.value("passes", std::uint64_t{0})) return;
  try {
    write_output(path, statistics.dump() + "\n");
  } catch (const Failure& failure) {
    spdlog::warn("{}", failure.message);
  }
}

// Returns what lets the passes of ONNX Runtime take their memory from the library, if the plan knows call sites of it.
std::string arena_cure(const std::string& plan) {
  try {
    for (const planner::PlanModuleDescription& module : planner::read_plan(plan).modules) {
      const std::string name = std::filesystem::path(module.path).filename().string();
      if (name.starts_with("onnxruntime_pybind11"))
        return "ONNX Runtime's arena holds the rest: try --ort-arena off";
      if (name.starts_with("libonnxruntime.so"))
        return "ONNX Runtime's arena holds the rest: try sessions with DisableCpuMemArena()";
    }
  } catch (const std::exception&) {
    return "";  // a plan that is gone by now needs no cure
  }
  return "";
}

}  // namespace

Closing::Closing(Environment& environment) {
  if (folder_.path().empty()) return;
  environment.emplace_back(guest_option(GuestOptionId::kLive).variable, folder_.path().string());
  tree_.emplace(folder_.path(), [](const std::string& line) { spdlog::info("{}", line); });
}

void Closing::finish(const std::string& stats, PlanStays plan, const std::string& ort_arena) {
  if (!tree_) return;
  const status::ProcessTreeFigures figures = tree_->finish(getpid());
  const std::optional<Json> statistics = tree_->last_of_child_of(getpid());
  if (!stats.empty() && statistics) complete(stats, *statistics);
  std::error_code error;
  const bool written = !stats.empty() && std::filesystem::is_regular_file(stats, error);
  const status::Epilogue epilogue{.plan = plan == PlanStays::kYes ? figures.own.plan : "",
                                  .statistics = written ? stats : "",
                                  .arena_cure = ort_arena == "off" ? "" : arena_cure(figures.own.plan)};
  for (const std::string& line : status::closing_lines(figures, epilogue)) spdlog::info("{}", line);
}

}  // namespace memo::cli
