// The functions that are hooked without being named: those that run a pass or an operator in engines that people use. The
// library hooks them, and `memomalloc doctor` holds them against the engine's files. A row is
//
//   engine   what the row belongs to, as doctor calls it
//   library  how the name of the file begins that defines the functions
//   role     a pass or a scope (an operator inside a pass); a layer is a scope whose first argument after its object names it;
//            a kernel is an operator only to recordings, and only where no other is around it
//   glob     the functions by their mangled names
//
// Symbol names embed types that change between releases, so each glob names only the parts that do not change. Several
// passes of one engine may nest; the outermost counts.
#pragma once

#include <cstdint>

namespace memo {

enum class HookedRole : std::uint32_t { kPass, kScope, kLayer, kKernel };

struct HookedFunctions {
  const char* engine;
  const char* library;
  HookedRole role;
  const char* glob;
};

inline constexpr HookedFunctions kHookedFunctions[] = {
    {"the example server", "libmini_net.so", HookedRole::kPass, "mini_forward"},
    {"the example server", "libmini_ops.so", HookedRole::kScope, "mini_op_*"},
    // TorchScript from C++ and Python.
    {"TorchScript", "libtorch_cpu.so", HookedRole::kPass, "_ZN5torch3jit16InterpreterState3run*"},
    {"TorchScript", "libtorch_cpu.so", HookedRole::kPass, "_ZN5torch3jit13GraphExecutor3run*"},
    {"TorchScript", "libtorch_cpu.so", HookedRole::kPass, "_ZN5torch3jit13GraphFunction3run*"},
    {"TorchScript", "libtorch_cpu.so", HookedRole::kPass, "_ZNK5torch3jit6MethodclE*"},
    // Models that were compiled ahead of time. A boxed call takes its inputs over; Python makes this one.
    {"AOTInductor", "libtorch_cpu.so", HookedRole::kPass, "_ZN5torch8inductor*AOTIModelPackageLoader3runE*"},
    {"AOTInductor", "libtorch_cpu.so", HookedRole::kPass,
     "_ZN5torch8inductor*AOTIModelPackageLoader9boxed_runE*"},
    {"AOTInductor", "libtorch_cpu.so", HookedRole::kPass,
     "_ZN5torch8inductor*AOTIModelContainerRunner3runE*"},
    {"AOTInductor", "libtorch_cpu.so", HookedRole::kPass,
     "_ZN5torch8inductor*AOTIModelContainerRunner9boxed_runE*"},
    // Every operator of PyTorch's dispatcher.
    {"PyTorch's operators", "libtorch_cpu.so", HookedRole::kScope, "_ZN2at4_ops*4callE*"},
    // What the dispatcher calls for an operator of TorchScript, whose interpreter does without the functions above.
    {"PyTorch's operators", "libtorch_cpu.so", HookedRole::kKernel, "_ZN2at6native*E?*"},
    {"PyTorch's operators", "libtorch_cpu.so", HookedRole::kKernel, "_ZN2at4meta*4metaE*"},
    // OpenCV's dnn module: passes of a network, layers inside them.
    {"OpenCV's dnn", "libopencv_dnn.so", HookedRole::kPass, "_ZN2cv3dnn*3Net7forwardE*"},
    {"OpenCV's dnn", "libopencv_dnn.so", HookedRole::kPass, "_ZN2cv3dnn*3Net4Impl7forwardE*"},
    {"OpenCV's dnn", "libopencv_dnn.so", HookedRole::kLayer, "_ZN2cv3dnn*3Net4Impl12forwardLayer*"},
    // CTranslate2: what a worker thread of a pool does for one batch, whichever language asked for it.
    {"CTranslate2", "libctranslate2", HookedRole::kPass, "_ZN11ctranslate26models*Replica9translateE*"},
    {"CTranslate2", "libctranslate2", HookedRole::kPass, "_ZN11ctranslate26models*Replica8generateE*"},
    {"CTranslate2", "libctranslate2", HookedRole::kPass, "_ZN11ctranslate26models*Replica5scoreE*"},
    {"CTranslate2", "libctranslate2", HookedRole::kPass, "_ZN11ctranslate26models*Replica7forwardE*"},
    {"CTranslate2", "libctranslate2", HookedRole::kPass, "_ZN11ctranslate26models*Replica6encodeE*"},
    {"CTranslate2", "libctranslate2", HookedRole::kPass, "_ZN11ctranslate26models*Replica5alignE*"},
    {"CTranslate2", "libctranslate2", HookedRole::kPass, "_ZN11ctranslate26models*Replica15detect_language*"},
    // llama.cpp and ggml: one decoded batch, one evaluated graph.
    {"llama.cpp", "libllama.so", HookedRole::kPass, "llama_decode"},
    {"llama.cpp", "libllama.so", HookedRole::kPass, "llama_encode"},
    {"ggml", "libggml-base.so", HookedRole::kPass, "ggml_backend_sched_graph_compute*"},
    {"ggml", "libggml-base.so", HookedRole::kPass, "ggml_backend_graph_compute*"},
    {"ggml", "libggml-cpu.so", HookedRole::kPass, "ggml_graph_compute*"},
};

}  // namespace memo
