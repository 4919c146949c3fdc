// Serves the programs that measure how much of a thread's stack the library takes.
#pragma once

#include <pthread.h>

#include "painted_stack.h"
#include "tests/guest/hostile/hostile.h"

namespace served {

// Prints a line as stack_test.py reads it.
inline void tell(std::size_t depth, const char* situation, const char* name) {
  printf("%zu %s %s\n", depth, situation, name);
}

// Where there is ample room, an unwinder that was asked for takes it (preload/modes/profile/stacks.cpp).
inline constexpr std::size_t kLittleRoom = std::size_t{60} << 10;

inline void on_fresh_thread(void* (*function)(void*), void* argument) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  EXPECT(pthread_attr_setstacksize(&attributes, kLittleRoom) == 0);
  pthread_t thread;
  EXPECT(pthread_create(&thread, &attributes, function, argument) == 0);
  pthread_join(thread, nullptr);
}

}  // namespace served
