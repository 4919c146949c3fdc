#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "preload/platform/kept_errno.h"
#include "preload/platform/platform.h"
#include "runtime/platform/own_file.h"

namespace memo::guest::platform {

namespace {

// Returns true if "name=value" stands among the settings, each of which a zero byte ends.
bool has_setting(const char* settings, const char* end, const char* name, const char* value) {
  const std::size_t length = std::strlen(name);
  for (; settings < end; settings += std::strlen(settings) + 1) {
    if (std::strncmp(settings, name, length) == 0 && settings[length] == '=' &&
        std::strcmp(settings + length + 1, value) == 0)
      return true;
  }
  return false;
}

}  // namespace

const char* secure_environment(const char* name) {
  return secure_getenv(name);
}

// The kernel lays the texts of the environment between its random bytes and the path of the program.
char* setting_of_start(const char* name) {
  char* value = secure_getenv(name);
  const auto at = reinterpret_cast<std::uintptr_t>(value);
  return getauxval(AT_RANDOM) < at && at < getauxval(AT_EXECFN) ? value : nullptr;
}

bool parent_started_with_same(const char* name) {
  static char settings[1U << 15];
  const char* value = secure_getenv(name);
  char path[40];
  std::snprintf(path, sizeof path, "/proc/%d/environ", static_cast<int>(getppid()));
  const KeptErrno kept;
  const std::int64_t bytes = runtime::read_beginning(path, settings, sizeof settings - 1);
  return value != nullptr && bytes > 0 && has_setting(settings, settings + bytes, name, value);
}

const char* describe_error(int error) {
  const char* words = strerrordesc_np(error);
  return words != nullptr ? words : "unknown error";
}

std::size_t read_own_command(char* out, std::size_t capacity) {
  const std::int64_t length = runtime::read_beginning("/proc/self/cmdline", out, capacity);
  return length < 0 ? 0 : static_cast<std::size_t>(length);
}

unsigned long process_id() {
  return static_cast<unsigned long>(getpid());
}

unsigned long parent_process_id() {
  return static_cast<unsigned long>(getppid());
}

unsigned long thread_id() {
  return static_cast<unsigned long>(gettid());
}

unsigned long long random_number_of_start() {
  unsigned long long random = 0;
  if (const auto* bytes = reinterpret_cast<const void*>(getauxval(AT_RANDOM)))
    std::memcpy(&random, bytes, sizeof random);
  return random;
}

const char* const* environment() {
  static constexpr const char* kNone = nullptr;
  return environ != nullptr ? environ : &kNone;
}

int check_readable(const char* path) {
  return access(path, R_OK) == 0 ? 0 : errno;
}

unsigned long greatest_file_bytes() {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

const char* program_path() {
  const char* path = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  return path != nullptr ? path : "this program";
}

const char* own_path() {
  Dl_info about{};
  return dladdr(reinterpret_cast<const void*>(&own_path), &about) != 0 && about.dli_fname != nullptr
             ? about.dli_fname
             : "";
}

void yield_processor() {
  sched_yield();
}

StackBounds bounds_of_own_stack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  void* low = nullptr;
  std::size_t bytes = 0;
  const bool known = pthread_attr_getstack(&attributes, &low, &bytes) == 0 && low != nullptr;
  pthread_attr_destroy(&attributes);
  const auto begin = reinterpret_cast<std::uintptr_t>(low);
  return known ? StackBounds{.low = begin, .high = begin + bytes} : StackBounds{};
}

void on_fork(void (*before)(), void (*in_parent)(), void (*in_child)()) {
  pthread_atfork(before, in_parent, in_child);
}

}  // namespace memo::guest::platform
