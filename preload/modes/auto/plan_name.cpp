#include "preload/modes/auto/plan_name.h"

#include <unistd.h>

#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "preload/modes/profile/modules.h"
#include "runtime/platform/own_file.h"

namespace memo::guest {
namespace {

constexpr std::size_t kLongestCommand = 1U << 16;  // bytes; the hash ignores the rest of a longer command
char g_command[kLongestCommand];

class Hash {
 public:
  void add(const char* text) {
    for (; *text != '\0'; ++text) add_byte(static_cast<unsigned char>(*text));
    add_byte(0x100);
  }
  [[nodiscard]] unsigned long long value() const { return hash_; }

 private:
  void add_byte(std::uint64_t byte) { hash_ = (hash_ ^ byte) * 0x100000001b3; }
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

// Reads the command into g_command and returns its length. A NUL follows each word, and one more follows the
// last.
std::size_t read_command() {
  const ssize_t length = runtime::read_beginning("/proc/self/cmdline", g_command, sizeof g_command - 1);
  return length < 0 ? 0 : static_cast<std::size_t>(length);
}

}  // namespace

bool write_plan_name(char* name, std::size_t capacity) {
  char program[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0) return false;
  program[length] = '\0';
  char build_id[2 * kLongestBuildId + 1];
  write_build_id_of_program(build_id, sizeof build_id);
  Hash hash;
  hash.add(build_id);
  hash.add(program);
  const char* end = g_command + read_command();
  const char* word = g_command + std::strlen(g_command) + 1;
  for (; word < end; word += std::strlen(word) + 1) hash.add(word);
  const int printed =
      std::snprintf(name, capacity, "%s.%016llx.plan", std::strrchr(program, '/') + 1, hash.value());
  return printed > 0 && static_cast<std::size_t>(printed) < capacity;
}

}  // namespace memo::guest
