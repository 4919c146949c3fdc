// Tells which process the memory belongs to, and which of its threads runs.
//
//   31          22 21              0
//   +-------------+----------------+     a thread's name. Number 0: not known; the library then never concludes
//   | generation  | kernel's number|     that the thread has ended.
//   +-------------+----------------+
//
// A program copies its process by fork(), but also by _Fork(), clone(), clone3() or the bare system call, which
// run no handler. The copy has all of the memory and one of the threads, under another number. So the library
// keeps what it knows about the process on a page that the kernel empties in every copy (MADV_WIPEONFORK, Linux
// 4.14): an empty page means a new process, whatever made it, and the next generation begins. Children that
// share the memory (vfork, posix_spawn, clone with CLONE_VM) see the page as it is. They are no copies, but
// tasks of another process: where the kernel's answers refer to that other process, the library concludes
// nothing from them.
//
// Where the kernel cannot empty the page, only fork()'s handlers begin a generation; in any other child the
// process is not known, and the library concludes of no thread that it ended.
//
// Nothing here is on the path of an allocation. Each pass compares a name with the page's generation once: two
// loads.
#pragma once

#include <atomic>
#include <cstdint>

namespace memo::runtime {

using ThreadName = std::uint32_t;

inline constexpr std::uint32_t kNumberBits = 22;  // the kernel's greatest thread number is 2^22

// The greatest generation. Copies of copies are told apart up to it; from it on, no thread is known to have
// ended.
inline constexpr std::uint32_t kMostGenerations = (std::uint32_t{1} << (32 - kNumberBits)) - 1;

inline constexpr std::uint32_t generation_of(ThreadName name) {
  return name >> kNumberBits;
}
inline constexpr std::uint32_t number_of(ThreadName name) {
  return name & ((std::uint32_t{1} << kNumberBits) - 1);
}

// The library's knowledge of this process. The kernel zeroes it in a copy.
struct ProcessPage {
  std::atomic<std::uint32_t> generation;  // 0: no thread has looked yet
  std::atomic<std::int32_t> process;      // the kernel's number of the process that owns the memory
  std::atomic<std::uint32_t> settling;    // how far the copy is settled (runtime/serving/copies.cpp)
  std::atomic<bool> survivor_came;        // the thread that was copied has taken along what is its own
};

extern std::atomic<ProcessPage*> g_process_page;

// Returns the page; makes it at the first call.
ProcessPage& process_page();

// Returns true if the name is of this generation. Returns false in a copy that no thread has looked at yet, and
// at the very first call.
inline bool is_of_this_generation(ThreadName name) {
  const ProcessPage* page = g_process_page.load(std::memory_order_acquire);
  return name != 0 && page != nullptr &&
         generation_of(name) == page->generation.load(std::memory_order_acquire);
}

// Returns the generation of this process; begins it if the process is new.
std::uint32_t this_generation();

// Begins a generation in the child of a fork(), where the kernel has not emptied the page.
void begin_generation_by_hand();

// Returns false if this task shares the memory of another process, or is a copy that cannot be told from such a
// task.
bool runs_in_own_process();

// Asks the kernel for the calling thread's name. Returns number 0 if the kernel and the C library do not mean
// the same thread, as for a task that runs on the thread-local storage of another thread, which will go on with
// it.
ThreadName ask_for_name();

// Returns true if the calling task is the first thread of its process: in a copy, the one that was copied.
bool is_first_thread();

// Returns true if it is certain that the thread has ended or does not exist in this process. `self` is the
// calling thread's own name. Costs some system calls.
bool has_ended(ThreadName thread, ThreadName self);

}  // namespace memo::runtime
