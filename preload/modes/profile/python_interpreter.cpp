#include "preload/modes/profile/python_interpreter.h"

#include "preload/log/log.h"
#include "preload/modes/profile/plain_route.h"
#include "preload/platform/platform.h"
#include "runtime/platform/loader.h"
#include "runtime/platform/spare_stack.h"
#include "runtime/platform/try_flag.h"

namespace memo::guest {
namespace {

constexpr const char* kEvaluator = "_PyEval_EvalFrameDefault";
constexpr const char* kCure = "; record with a release of Python 3.11, 3.12 or 3.13";

runtime::LoaderChanges g_changes;  // the loader's counters at the last look
constinit runtime::TryFlag g_looking;
bool g_decided;  // an interpreter was found, and read or given up
PythonInterpreter g_interpreter;
const PythonInterpreter* g_python;

template <typename T>
T* find_as(const char* symbol) {
  return reinterpret_cast<T*>(platform::first_definition(symbol).address);
}

const PythonLayout* layout_of(unsigned long version) {
  for (const PythonLayout& one : kPythonLayouts)
    if (version >> 16 == (3UL << 8 | one.minor)) return &one;
  return nullptr;
}

void say_stays_native(const char* reason, const char* cure) {
  log_trouble("call stacks show Python's interpreter and not its functions: ", reason, cure);
}

bool is_known_version(const unsigned long* version) {
  if (version != nullptr && layout_of(*version) != nullptr) return true;
  say_stays_native(version == nullptr ? "this Python is older than 3.11" : "this Python is newer than 3.13",
                   kCure);
  return false;
}

// Without that the first stack cannot be checked.
bool can_read_carefully() {
  const int there = 1;
  int here = 0;
  if (platform::read_carefully(&there, &here, sizeof here)) return true;
  say_stays_native("the kernel forbids process_vm_readv, by which frames are checked",
                   "; allow that system call");
  return false;
}

bool fill_in(PythonInterpreter& found, const platform::Definition& evaluator, const unsigned long* version) {
  found.layout = layout_of(*version);
  found.own_thread = find_as<PythonInterpreter::ThreadState>("PyGILState_GetThisThreadState");
  found.locked_thread = find_as<PythonInterpreter::ThreadState>(
      found.layout->minor < 13 ? "_PyThreadState_UncheckedGet" : "PyThreadState_GetUnchecked");
  found.code_type = find_as<const void>("PyCode_Type");
  found.string_type = find_as<const void>("PyUnicode_Type");
  found.evaluator = evaluator.address;
  found.evaluator_end = evaluator.address + evaluator.bytes;
  return found.own_thread != nullptr && found.locked_thread != nullptr && found.code_type != nullptr &&
         found.string_type != nullptr;
}

void look() {
  const platform::Definition evaluator = platform::first_definition(kEvaluator);
  if (evaluator.address == 0) return;
  g_decided = true;
  const auto* version = find_as<const unsigned long>("Py_Version");
  if (!is_known_version(version) || !can_read_carefully()) return;
  if (!fill_in(g_interpreter, evaluator, version))
    return say_stays_native("this build hides what leads to them", kCure);
  platform::keep_loaded(evaluator.address);  // its functions are called from now on
  __atomic_store_n(&g_python, &g_interpreter, __ATOMIC_RELEASE);
}

}  // namespace

void look_for_python() {
  const runtime::HeldFlag looking(g_looking);
  if (!looking.is_mine()) return;
  const runtime::LoaderChanges now = runtime::loader_changes();
  if (!g_decided && now != g_changes)
    runtime::on_spare_stack([] {
      const PlainRoute plain;
      look();
    });
  g_changes = now;
}

const PythonInterpreter* python() {
  return __atomic_load_n(&g_python, __ATOMIC_ACQUIRE);
}

void give_python_up() {
  if (__atomic_exchange_n(&g_python, nullptr, __ATOMIC_ACQ_REL) != nullptr)
    say_stays_native("this build lays its frames out in its own way", kCure);
}

}  // namespace memo::guest
