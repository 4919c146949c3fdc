#include "planner/tool/doctor/caches.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "planner/system/base_name.h"
#include "planner/tool/doctor/kept_bytes.h"
#include "planner/tool/text/numbers.h"

namespace memo::doctor {
namespace {

// Bytes a pass. Less is not worth a line: a thousand passes add 64 KiB.
constexpr double kLeastGrowth = 64;

// Names what an engine keeps from pass to pass, and how a user bounds it. `library` is how the file's name
// begins.
struct Cache {
  const char* library;
  const char* keeps;
  const char* cure;
};

constexpr const char* kPrimitives = "oneDNN keeps the primitives of each new shape";
constexpr const char* kOneDnn = "ONEDNN_PRIMITIVE_CACHE_CAPACITY=64 in the environment (1024 is the default)";
constexpr const char* kOnnxRuntimeKeeps = "ONNX Runtime keeps the arena of each session";
constexpr const char* kOnnxRuntime =
    "--ort-arena off, or enable_cpu_mem_arena = False of SessionOptions; on AArch64 also its entry "
    "mlas.disable_kleidiai = 1";

constexpr Cache kCaches[] = {
    {"libtorch_cpu.so", kPrimitives,
     "LRU_CACHE_CAPACITY=64 and ONEDNN_PRIMITIVE_CACHE_CAPACITY=64 in the environment (1024 is the default)"},
    {"libdnnl.so", kPrimitives, kOneDnn},
    {"libctranslate2", kPrimitives, kOneDnn},
    {"libtensorflow_cc.so", kPrimitives, kOneDnn},
    {"libopenvino_intel_cpu_plugin.so", "OpenVINO keeps what it compiled for each new shape",
     "compile_model(model, \"CPU\", {\"CPU_RUNTIME_CACHE_CAPACITY\": \"0\"}), and ONEDNN_PRIMITIVE_CACHE_CAPACITY=64 in the environment"},
    {"libonnxruntime.so", kOnnxRuntimeKeeps, kOnnxRuntime},
    {"onnxruntime_pybind11_state", kOnnxRuntimeKeeps, kOnnxRuntime},
    {"libpaddle", "Paddle keeps oneDNN's primitives of each new shape",
     "config.set_mkldnn_cache_capacity(1)"},
};

const Cache* cache_of(std::string_view path) {
  const auto* found = std::ranges::find_if(
      kCaches, [&](const Cache& cache) { return base_name(path).starts_with(cache.library); });
  return found == std::end(kCaches) ? nullptr : found;
}

Finding describe(const Cache& cache, std::string_view path, double growth) {
  return {
      Level::kAdvice, "cache",
      fmt::format(
          "blocks of {} that outlive their passes grow by {} a pass: {}, or the program keeps its answers",
          base_name(path), planner::human_bytes(static_cast<planner::Bytes>(growth)), cache.keeps),
      cache.cure};
}

// Returns how many bytes each pass adds, 0 where the number of blocks does not grow: one buffer that becomes as large as
// the largest input is no cache.
double growth_of(const KeptBytes& kept) {
  return growth_per_pass(kept.blocks) > 0 ? growth_per_pass(kept.bytes) : 0;
}

}  // namespace

Findings examine_caches(const planner::Trace& trace) {
  Findings found;
  if (trace.lost > 0) return found;
  for (const KeptBytes& kept : kept_bytes(trace)) {
    if (kept.module >= trace.modules.size()) continue;
    const std::string& path = trace.modules[kept.module].path;
    const Cache* cache = cache_of(path);
    if (cache == nullptr) continue;
    if (const double growth = growth_of(kept); growth >= kLeastGrowth)
      found.push_back(describe(*cache, path, growth));
  }
  return found;
}

}  // namespace memo::doctor
