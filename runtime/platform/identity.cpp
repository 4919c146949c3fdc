#include "runtime/platform/identity.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/platform/pages.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

namespace memo::runtime {

constinit std::atomic<ProcessPage*> g_process_page{nullptr};

namespace {

constinit ProcessPage g_page_that_stays{};
constinit std::atomic<std::uint32_t> g_generations{0};  // begun by this process and by those it is a copy of

ProcessPage* map_page() {
  void* memory = map_pages(sizeof(ProcessPage));
  if (memory == nullptr) return nullptr;
  if (madvise(memory, sizeof(ProcessPage), MADV_WIPEONFORK) == 0) return static_cast<ProcessPage*>(memory);
  unmap_pages(memory, sizeof(ProcessPage));
  return nullptr;
}

ProcessPage& make_page() {
  ProcessPage* mapped = map_page();
  ProcessPage* fresh = mapped != nullptr ? mapped : &g_page_that_stays;
  ProcessPage* present = nullptr;
  if (g_process_page.compare_exchange_strong(present, fresh, std::memory_order_acq_rel)) return *fresh;
  if (mapped != nullptr) unmap_pages(mapped, sizeof(ProcessPage));
  return *present;
}

// Begins a generation. Raises the counter, which a copy inherits, before the page shows the new generation: the
// counter that a copy finds is never below the generations in its threads' names. Two threads that begin at
// once raise it twice, and one of the numbers is used.
std::uint32_t begin_generation(ProcessPage& page) {
  std::int32_t none = 0;
  page.process.compare_exchange_strong(none, getpid(), std::memory_order_relaxed);
  const std::uint32_t next = g_generations.fetch_add(1, std::memory_order_relaxed) + 1;
  std::uint32_t present = 0;
  const std::uint32_t fresh = next < kMostGenerations ? next : kMostGenerations;
  return page.generation.compare_exchange_strong(present, fresh, std::memory_order_acq_rel) ? fresh : present;
}

// Returns the thread number that the C library keeps in thread-local storage: the id of the thread's clock
// contains it, in the kernel's way. Needs no system call. Returns 0 if the thread-local storage is of no thread
// of the C library.
std::int32_t number_in_c_library() {
  const pthread_t self = pthread_self();
  clockid_t clock = 0;
  if (self == pthread_t{} || pthread_getcpuclockid(self, &clock) != 0) return 0;
  return ~(clock >> 3);
}

bool is_signalled(std::int32_t process, std::uint32_t number) {
  return tgkill(process, static_cast<pid_t>(number), 0) == 0;
}

// Returns true if the kernel finds threads that are known to live: then its answers are about this process,
// thread numbers mean the same in its name space, and no filter answers in its place.
bool kernel_can_be_asked(std::int32_t process, ThreadName self) {
  return runs_in_own_process() && is_signalled(process, static_cast<std::uint32_t>(gettid())) &&
         (number_of(self) == 0 || is_signalled(process, number_of(self)));
}

}  // namespace

ProcessPage& process_page() {
  ProcessPage* page = g_process_page.load(std::memory_order_acquire);
  return page != nullptr ? *page : make_page();
}

std::uint32_t this_generation() {
  ProcessPage& page = process_page();
  const std::uint32_t generation = page.generation.load(std::memory_order_acquire);
  return generation != 0 ? generation : begin_generation(page);
}

void begin_generation_by_hand() {
  ProcessPage& page = process_page();
  if (page.generation.load(std::memory_order_relaxed) == 0 || runs_in_own_process()) return;
  page.process.store(0, std::memory_order_relaxed);
  page.settling.store(0, std::memory_order_relaxed);
  page.survivor_came.store(false, std::memory_order_relaxed);
  page.generation.store(0, std::memory_order_release);
}

bool runs_in_own_process() {
  return getpid() == process_page().process.load(std::memory_order_relaxed);
}

bool is_first_thread() {
  return gettid() == getpid();
}

// The first thread of this process needs no confirmation by the C library.
ThreadName ask_for_name() {
  const std::uint32_t generation = this_generation();
  const std::int32_t number = gettid();
  const bool meant =
      runs_in_own_process() && number > 0 && (is_first_thread() || number == number_in_c_library());
  const auto known = meant ? static_cast<std::uint32_t>(number) : 0;
  return generation << kNumberBits | number_of(known);
}

bool has_ended(ThreadName thread, ThreadName self) {
  const ProcessPage& page = process_page();
  const std::uint32_t generation = this_generation();
  if (number_of(thread) == 0 || generation == kMostGenerations) return false;
  if (generation_of(thread) != generation) return page.survivor_came.load(std::memory_order_acquire);
  const std::int32_t process = page.process.load(std::memory_order_relaxed);
  if (!kernel_can_be_asked(process, self)) return false;
  return tgkill(process, static_cast<pid_t>(number_of(thread)), 0) != 0 && errno == ESRCH;
}

}  // namespace memo::runtime
