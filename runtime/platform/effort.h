// What processors have done for this process, all of its threads together. Each call costs a system call, the last one three for each
// thread.
#pragma once

#include <cstdint>

namespace memo::runtime {

// Returns for how many nanoseconds processors have worked for it.
[[nodiscard]] std::int64_t nanoseconds_worked();

// Returns how often the kernel took a processor from a thread of it that wanted to go on.
[[nodiscard]] std::int64_t times_driven_out();

// Returns true if another thread of it runs or would, if it had a processor, or waits for a disk. Returns false where the kernel does not
// say.
[[nodiscard]] bool another_thread_would_run();

// Returns on how many processors the calling thread may run, and 1 where the kernel does not say.
[[nodiscard]] std::uint32_t processors_to_run_on();

}  // namespace memo::runtime
