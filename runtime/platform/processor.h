// x86-64 assembly for three operations that compilers split in two; portable elsewhere and under TSan.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define MEMO_ONE_INSTRUCTION 1
#else
#define MEMO_ONE_INSTRUCTION 0
#endif

namespace memo::runtime {

// Returns true if the word holds `value`. Compares in memory; compilers would load an atomic object first.
// Acquires, as every load does on x86-64.
template <typename Word>
inline bool holds(const std::atomic<Word>& word, std::type_identity_t<Word> value) {
#if MEMO_ONE_INSTRUCTION
  bool equal;
  if constexpr (sizeof(Word) == 8) {
    asm volatile("cmpq %2, %1" : "=@cce"(equal) : "m"(word), "re"(value) : "memory");
  } else {
    static_assert(sizeof(Word) == 2);
    asm volatile("cmpw %2, %1" : "=@cce"(equal) : "m"(word), "ri"(value) : "memory");
  }
  return equal;
#else
  return word.load(std::memory_order_acquire) == value;
#endif
}

// Sets bits of a word that no other thread writes. Reads, changes and writes it in one step for this thread: a
// signal handler runs before or after it.
inline void set_own_bits(std::atomic<std::uint64_t>& word, std::uint64_t bits) {
#if MEMO_ONE_INSTRUCTION
  asm volatile("orq %1, %0" : "+m"(word) : "r"(bits) : "cc", "memory");
#else
  word.fetch_or(bits, std::memory_order_relaxed);
#endif
}

// Clears bits of such a word in the same way.
inline void clear_own_bits(std::atomic<std::uint64_t>& word, std::uint64_t bits) {
#if MEMO_ONE_INSTRUCTION
  asm volatile("andq %1, %0" : "+m"(word) : "r"(~bits) : "cc", "memory");
#else
  word.fetch_and(~bits, std::memory_order_relaxed);
#endif
}

}  // namespace memo::runtime
