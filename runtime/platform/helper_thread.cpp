#include "runtime/platform/helper_thread.h"

#include <pthread.h>
#include <signal.h>
#include <sys/single_threaded.h>

#include <cerrno>
#include <cstddef>

#include "runtime/platform/lock_order.h"

namespace memo::runtime {
namespace {

// The work runs on a spare stack; this one holds the C library's part, and the thread-local storage of all libraries. A
// program with more of that gets no helper.
constexpr std::size_t kStackBytes = std::size_t{1} << 18;

// Lets the thread have only the signals that its own work may cause.
void hold_signals_back(sigset_t* held) {
  sigfillset(held);
  constexpr int kOwn[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS};
  for (const int signal : kOwn) sigdelset(held, signal);
}

bool prepare(pthread_attr_t* attributes) {
  sigset_t held;
  hold_signals_back(&held);
  return pthread_attr_setdetachstate(attributes, PTHREAD_CREATE_DETACHED) == 0 &&
         pthread_attr_setstacksize(attributes, kStackBytes) == 0 &&
         pthread_attr_setsigmask_np(attributes, &held) == 0;
}

void* run(void* work) {
  (*reinterpret_cast<void (*)()>(work))();
  return nullptr;
}

bool start(void (*work)()) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_t thread{};
  const bool started =
      prepare(&attributes) && pthread_create(&thread, &attributes, run, reinterpret_cast<void*>(work)) == 0;
  pthread_attr_destroy(&attributes);
  return started;
}

}  // namespace

bool start_helper(void (*work)()) {
  expect_no_lock_held();
  if (__libc_single_threaded != 0) return false;
  const int error = errno;
  const bool started = start(work);
  errno = error;
  return started;
}

}  // namespace memo::runtime
