// Threads that sleep until a word of memory changes.
#pragma once

#include <atomic>
#include <cstdint>

namespace memo::runtime {

// Sleeps while the word is `value`, until the time (of nanoseconds_now()), or until a thread wakes one of `bits`. May return sooner,
// so look again.
void sleep_while(const std::atomic<std::uint32_t>& word, std::uint32_t value, std::uint32_t bits,
                 std::int64_t until);

// Wakes the threads that sleep on the word with one of `bits`.
void wake_sleepers(const std::atomic<std::uint32_t>& word, std::uint32_t bits);

}  // namespace memo::runtime
