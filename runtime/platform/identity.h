// Who runs here: which process the memory belongs to, and which of its threads.
//
//   31          22 21              0
//   +-------------+----------------+     a thread's name. Number 0: not known, and then nobody ever judges that it ended.
//   | generation  | kernel's number|
//   +-------------+----------------+
//
// A process is copied by fork(), and as well by _Fork(), clone(), clone3() or the bare system call, which run no handler. The
// copy has all of the memory and one of the threads, under another number. So what is known about the process stands on a
// page that the kernel empties in every copy (MADV_WIPEONFORK, Linux 4.14): an empty page means a new process, whatever
// made it, and the next generation begins. Children that share the memory (vfork, posix_spawn, clone with CLONE_VM) see the
// page as it is: they are no copies, but tasks of another process, and where the kernel's answers are meant for that one,
// nothing is concluded from them.
//
// Where the kernel cannot empty the page, only fork()'s handlers begin a generation; in any other child the process is not
// known, and no thread's end is concluded there.
//
// Nothing here is on a path of an allocation. A name is compared with the page's generation: two loads, once for each pass.
#pragma once

#include <atomic>
#include <cstdint>

namespace memo::runtime {

using ThreadName = std::uint32_t;

inline constexpr std::uint32_t kNumberBits = 22;  // the kernel's greatest thread number is 2^22

// Copies of copies are told apart up to this many; beyond, no thread is known to have ended.
inline constexpr std::uint32_t kMostGenerations = (std::uint32_t{1} << (32 - kNumberBits)) - 1;

inline constexpr std::uint32_t generation_of(ThreadName name) {
  return name >> kNumberBits;
}
inline constexpr std::uint32_t number_of(ThreadName name) {
  return name & ((std::uint32_t{1} << kNumberBits) - 1);
}

// Zeroed by the kernel in a copy.
struct ProcessPage {
  std::atomic<std::uint32_t> generation;  // 0: nobody has looked yet
  std::atomic<std::int32_t> process;      // the kernel's number of the process that the memory belongs to
  std::atomic<std::uint32_t> settling;    // how far the copy is the arena's own (runtime/serving/copies.cpp)
  std::atomic<bool> survivor_came;        // the thread that was copied has taken its own things along
};

extern std::atomic<ProcessPage*> g_process_page;

// The page, made at the first call.
ProcessPage& process_page();

// False: a copy that nobody has looked at, or the very first call.
inline bool is_of_this_generation(ThreadName name) {
  const ProcessPage* page = g_process_page.load(std::memory_order_acquire);
  return name != 0 && page != nullptr &&
         generation_of(name) == page->generation.load(std::memory_order_acquire);
}

// The generation of this process, begun if it is new.
std::uint32_t this_generation();

// In the child of a fork(), where the kernel has not emptied the page.
void begin_generation_by_hand();

// True unless this task shares the memory of another process, or is a copy that cannot be told from that.
bool runs_in_own_process();

// Asks the kernel. Number 0 where the kernel and the C library do not mean the same thread, as for a task that runs on the
// thread-local storage of another, which will go on with it.
ThreadName ask_for_name();

// True if the calling task is the first thread of its process: in a copy, the one that was copied.
bool is_first_thread();

// Returns true if it is certain that the thread has ended or does not exist in this process. `self` is the caller's own
// name. Costs some system calls.
bool has_ended(ThreadName thread, ThreadName self);

}  // namespace memo::runtime
