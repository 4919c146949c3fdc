// What processors have done for this process, all of its threads together. Each call costs a system call, the last one three for each
// thread.
#pragma once

#include <cstdint>

namespace memo::runtime {

// Returns for how many nanoseconds processors have worked for it.
[[nodiscard]] std::int64_t nanoseconds_worked();

// Returns for how many nanoseconds they have worked for the calling thread.
[[nodiscard]] std::uint64_t nanoseconds_worked_by_thread();

// Return how often the process, or the calling thread, touched a page that had no memory yet.
[[nodiscard]] std::uint64_t page_faults();
[[nodiscard]] std::uint64_t page_faults_of_thread();

// Returns how often the kernel took a processor from a thread of it that wanted to go on.
[[nodiscard]] std::int64_t times_driven_out();

// Returns true if another thread of it runs or would, if it had a processor, or waits for a disk. Returns false where the kernel does not
// say.
[[nodiscard]] bool another_thread_would_run();

}  // namespace memo::runtime
