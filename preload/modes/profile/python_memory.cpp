#include "preload/modes/profile/python_memory.h"

#include "preload/platform/platform.h"
#include "runtime/platform/clock.h"

namespace memo::guest {
namespace {

bool g_trusted;
bool g_runs_on;
bool g_has_run;  // g_runs_on was true at some time
std::uint32_t g_readers;

// Both sides are sequentially consistent: a reader counts itself before it looks, and the end looks for readers after it has
// said so. At least one of the two sees the other.
bool runs_on() {
  return __atomic_load_n(&g_runs_on, __ATOMIC_SEQ_CST);
}

}  // namespace

PythonMemory::PythonMemory(const PythonInterpreter& interpreter, const char* thread)
    : carefully_(!is_python_layout_trusted()) {
  __atomic_add_fetch(&g_readers, 1U, __ATOMIC_SEQ_CST);
  may_read_ = runs_on() || interpreter.locked_thread() == thread;
}

PythonMemory::~PythonMemory() {
  __atomic_sub_fetch(&g_readers, 1U, __ATOMIC_RELEASE);
}

bool PythonMemory::copy(const char* from, void* into, std::size_t bytes) const {
  if (carefully_) return platform::read_carefully(from, into, bytes);
  if (from == nullptr) return false;
  std::memcpy(into, from, bytes);
  return true;
}

void let_python_be_read(bool runs_on) {
  constexpr std::int64_t kLongestWait = runtime::kSecond / 10;
  if (runs_on) __atomic_store_n(&g_has_run, true, __ATOMIC_RELAXED);
  __atomic_store_n(&g_runs_on, runs_on, __ATOMIC_SEQ_CST);
  const std::int64_t end = runtime::nanoseconds_now() + kLongestWait;
  while (!runs_on && __atomic_load_n(&g_readers, __ATOMIC_SEQ_CST) != 0 && runtime::nanoseconds_now() < end)
    platform::yield_processor();
}

bool has_python_said_that_it_runs() {
  return __atomic_load_n(&g_has_run, __ATOMIC_RELAXED);
}

void trust_python_layout() {
  __atomic_store_n(&g_trusted, true, __ATOMIC_RELEASE);
}

bool is_python_layout_trusted() {
  return __atomic_load_n(&g_trusted, __ATOMIC_ACQUIRE);
}

}  // namespace memo::guest
