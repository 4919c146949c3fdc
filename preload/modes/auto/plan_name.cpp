#include "preload/modes/auto/plan_name.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdio>

#include "preload/modes/profile/modules.h"
#include "preload/platform/platform.h"
#include "runtime/formats/plan_name.h"
#include "runtime/platform/own_file.h"

namespace memo::guest {
namespace {

char g_command[kLongestCommand];
char g_program[PATH_MAX];
char g_working_folder[PATH_MAX];

// Reads the command into g_command and returns its length. A NUL follows each word, and one more follows the
// last.
std::size_t read_command() {
  const ssize_t length = runtime::read_beginning("/proc/self/cmdline", g_command, sizeof g_command - 1);
  return length < 0 ? 0 : static_cast<std::size_t>(length);
}

// Reads where the link leads to. Returns false if it leads to nothing that has a path.
bool read_link(const char* link, char* out, std::size_t capacity) {
  const ssize_t length = readlink(link, out, capacity - 1);
  if (length <= 0) return false;
  out[length] = '\0';
  return *out == '/';
}

Found find(const char* path, char* out, std::size_t capacity) {
  runtime::OwnFile file;
  if (!file.open(path, O_PATH)) return Found::kNothing;
  char link[64];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", file.number());
  struct stat about;
  const bool found = file.describe(&about) == 0 && read_link(link, out, capacity);
  if (file.close() != 0 || !found) return Found::kNothing;
  return S_ISREG(about.st_mode) ? Found::kFile : Found::kOther;
}

}  // namespace

bool write_plan_name(char* name, std::size_t capacity) {
  if (!read_link("/proc/self/exe", g_program, sizeof g_program)) return false;
  if (getcwd(g_working_folder, sizeof g_working_folder) == nullptr) *g_working_folder = '\0';
  char build_id[2 * kLongestBuildId + 1];
  write_build_id_of_program(build_id, sizeof build_id);
  const char* temporary = platform::secure_environment("TMPDIR");
  PlanName plan(g_program, build_id, g_working_folder, temporary != nullptr ? temporary : "");
  plan.add_command(g_command, read_command(), find);
  return plan.write(name, capacity);
}

}  // namespace memo::guest
