// A system call without the C library's function around it.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

namespace memo::runtime {

// Calls the kernel directly: threads cannot be cancelled there, and no interceptor of a sanitizer that is not
// ready yet comes in between.
template <typename... Arguments>
long kernel(long number, Arguments... arguments) {
  return syscall(number, arguments...);
}

}  // namespace memo::runtime
