#include "planner/tool/doctor/own_planners.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "planner/system/base_name.h"

namespace memo::doctor {
namespace {

// `library` is how the name of one of the engine's files begins.
struct OwnPlanner {
  const char* engine;
  const char* library;
  const char* gain;
};

constexpr const char* kNothing = "there is nothing to gain here";
constexpr const char* kLittle = "there is little to gain here";

constexpr OwnPlanner kOwnPlanners[] = {
    {"JAX (XLA)", "libjax_common.so", kNothing},
    {"OpenVINO", "libopenvino_intel_cpu_plugin.so", kLittle},
    {"LiteRT", "_pywrap_litert_interpreter_wrapper", kNothing},
    {"LiteRT", "libLiteRt.so", kNothing},
    {"TensorFlow Lite", "libtensorflowlite", kNothing},
    {"ExecuTorch", "libexecutorch", kNothing},
};

}  // namespace

Findings examine_own_planners(const std::vector<std::string>& objects) {
  Findings found;
  std::set<std::string_view> seen;
  for (const OwnPlanner& row : kOwnPlanners) {
    const auto is_its = [&](const std::string& path) { return base_name(path).starts_with(row.library); };
    if (!std::ranges::any_of(objects, is_its) || !seen.insert(row.engine).second) continue;
    found.push_back(
        {Level::kFine, "engine", fmt::format("{} plans its own memory: {}", row.engine, row.gain), ""});
  }
  return found;
}

}  // namespace memo::doctor
