#include "runtime/platform/process_start.h"

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/platform/own_file.h"

namespace memo::runtime {
namespace {

constexpr int kFieldsBetweenNameAndStart = 20;  // in /proc/PID/stat

// Asks for the group, which the kernel tells everybody about every process.
bool has_number_a_process(std::uint64_t process) {
  return syscall(SYS_getpgid, static_cast<pid_t>(process)) >= 0 || errno != ESRCH;
}

// Returns the state of a process in the kernel's letters, or 0 if it cannot be told. `rest` gets the text that
// follows the program's name, which may contain any character.
char read_state(std::uint64_t process, char* text, std::size_t capacity, const char** rest) {
  char path[40];
  std::snprintf(path, sizeof path, "/proc/%llu/stat", static_cast<unsigned long long>(process));
  const std::int64_t bytes = read_beginning(path, text, capacity - 1);
  if (bytes <= 0) return 0;
  text[bytes] = '\0';
  *rest = std::strrchr(text, ')');
  return *rest == nullptr || (*rest)[1] == '\0' ? '\0' : (*rest)[2];
}

std::uint64_t start_in(const char* rest) {
  for (int field = 0; field < kFieldsBetweenNameAndStart && rest != nullptr; ++field)
    rest = std::strchr(rest + 1, ' ');
  return rest == nullptr ? 0 : std::strtoull(rest, nullptr, 10);
}

}  // namespace

std::uint64_t start_of_process(std::uint64_t process) {
  char text[1024];
  const char* rest = nullptr;
  return read_state(process, text, sizeof text, &rest) == '\0' ? 0 : start_in(rest);
}

std::uint64_t parent_of_process(std::uint64_t process) {
  char text[1024];
  const char* rest = nullptr;
  return read_state(process, text, sizeof text, &rest) == '\0' ? 0 : std::strtoull(rest + 3, nullptr, 10);
}

// A process that has ended and was not waited for (state Z) does nothing any more.
bool has_process_ended(std::uint64_t process, std::uint64_t started) {
  if (!has_number_a_process(process)) return true;
  char text[1024];
  const char* rest = nullptr;
  const char state = read_state(process, text, sizeof text, &rest);
  if (state == '\0') return false;
  return state == 'Z' || state == 'X' || (started != 0 && start_in(rest) != started);
}

}  // namespace memo::runtime
