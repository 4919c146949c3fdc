#include "preload/hooks/onnxruntime/kernels.h"

#include "preload/boundaries/marks.h"
#include "preload/boundaries/shadow_stack.h"
#include "preload/hooks/onnxruntime/kernel_types.h"
#include "preload/hooks/onnxruntime/node.h"
#include "preload/hooks/onnxruntime/node_flow.h"
#include "preload/log/log.h"
#include "runtime/formats/hash.h"

namespace memo::guest {
namespace {

// What a kernel's Compute returns. The caller makes room for it, as for every class with a destructor of its own.
struct ComputeStatus {
  ComputeStatus(const ComputeStatus&) = delete;
  ComputeStatus& operator=(const ComputeStatus&) = delete;
  ~ComputeStatus() {}
  void* state;
};
using Compute = ComputeStatus(const ort::Kernel* kernel, const void* context);

// A table of virtual functions, and the function that the wrapper has displaced in it. They are found by a hash of the
// table's address; the last quarter of the places stays free. An entry stays when its object is unloaded, and is
// written anew when another table lies there.
struct WrappedTable {
  const std::uintptr_t* table;  // null: free
  Compute* compute;
};
constexpr std::size_t kPlaces = 8192;  // a release has some 700 kernels
WrappedTable g_tables[kPlaces];
std::size_t g_table_count;

// Returns the table's place, or the free one where it belongs.
WrappedTable& place_of(const std::uintptr_t* table) {
  std::size_t at = mixed(0, reinterpret_cast<std::uintptr_t>(table)) % kPlaces;
  for (;;) {
    const std::uintptr_t* there = __atomic_load_n(&g_tables[at].table, __ATOMIC_ACQUIRE);
    if (there == table || there == nullptr) return g_tables[at];
    at = (at + 1) % kPlaces;
  }
}

bool g_records_flow;

// A node that runs on this thread.
class RunningNode {
 public:
  RunningNode(const ort::Kernel& kernel, const void* context, CallSite site)
      : kernel_(kernel), context_(context), site_(site) {
    if (t_shadow == nullptr || !t_shadow->in_pass) return;
    label_ = ort::node_label(kernel);
    if (label_ != nullptr) enter_marked_scope(*label_, site);
  }
  ~RunningNode() {
    if (label_ == nullptr) return;
    if (g_records_flow) ort::note_node_flow(kernel_, context_, *label_);
    leave_marked_scope(site_);
  }
  RunningNode(const RunningNode&) = delete;
  RunningNode& operator=(const RunningNode&) = delete;

 private:
  const ort::Kernel& kernel_;
  const void* context_;
  CallSite site_;
  const BoundaryName* label_ = nullptr;
};

// Takes the place of every kernel's Compute. What a kernel throws passes through; the scope then ends with its pass, which has
// failed.
ComputeStatus compute(const ort::Kernel* kernel, const void* context) {
  const RunningNode running(*kernel, context, MEMO_CALL_SITE());
  return place_of(kernel->functions).compute(kernel, context);
}

// Stores the function that is displaced before the wrapper can be called.
bool wrap(const ElfObject& object, std::uintptr_t* table) {
  std::uintptr_t& slot = table[ort::kCompute];
  if (slot == reinterpret_cast<std::uintptr_t>(&compute)) return false;
  WrappedTable& place = place_of(table);
  const bool is_new = place.table == nullptr;
  if (is_new && g_table_count == kPlaces / 4 * 3) return false;
  if (is_new) ++g_table_count;
  place.compute = reinterpret_cast<Compute*>(slot);
  __atomic_store_n(&place.table, table, __ATOMIC_RELEASE);
  return object.replace(&slot, reinterpret_cast<std::uintptr_t>(&compute));
}

bool is_onnxruntime(const ElfObject& object) {
  return object.find_function("OrtGetApiBase") != 0 ||
         object.find_function("PyInit_onnxruntime_pybind11_state") != 0;
}

}  // namespace

void wrap_onnxruntime_kernels(const ElfObject& object, bool with_flow) {
  if (!is_onnxruntime(object)) return;
  g_records_flow = with_flow;
  unsigned long wrapped = 0;
  ort::for_each_kernel_table(object, [&](std::uintptr_t* table) {
    if (wrap(object, table)) ++wrapped;
  });
  if (wrapped != 0) log_note("named the nodes of ", wrapped, " kernels of ONNX Runtime");
}

}  // namespace memo::guest
