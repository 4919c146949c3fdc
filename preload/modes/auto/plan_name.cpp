#include "preload/modes/auto/plan_name.h"

#include <climits>
#include <cstring>

#include "preload/modes/profile/modules.h"
#include "preload/platform/platform.h"
#include "runtime/formats/guest_options.h"
#include "runtime/formats/plan_name.h"
#include "runtime/platform/own_file.h"
#include "runtime/platform/paths.h"

namespace memo::guest {
namespace {

char g_command[kLongestCommand];
char g_program[PATH_MAX];
char g_working_folder[PATH_MAX];

Found find(const char* path, char* out, std::size_t capacity) {
  runtime::OwnFile file;
  if (!file.open(path, runtime::Open::kPathOnly)) return Found::kNothing;
  runtime::FileFacts about;
  const bool found = file.describe(&about) && file.find_path(out, capacity) && *out == '/';
  file.close();
  if (!found) return Found::kNothing;
  return about.kind == runtime::FileKind::kPlain ? Found::kFile : Found::kOther;
}

// Adds the words of this process's command. Leaves room for the NUL that ends the command after its last word.
void add_own_command(PlanName& plan) {
  plan.add_command(g_command, platform::read_own_command(g_command, sizeof g_command - 1), find);
}

}  // namespace

bool find_own_files(OwnFiles& files) {
  if (!runtime::read_link("/proc/self/exe", files.program, sizeof files.program)) return false;
  PlanName plan(files.program, "", "", "");
  add_own_command(plan);
  std::memcpy(files.script, plan.script(), sizeof files.script);
  return true;
}

bool write_plan_name(char* name, std::size_t capacity) {
  if (!runtime::read_link("/proc/self/exe", g_program, sizeof g_program)) return false;
  if (!runtime::working_folder(g_working_folder, sizeof g_working_folder)) *g_working_folder = '\0';
  char build_id[2 * kLongestBuildId + 1];
  write_build_id_of_program(build_id, sizeof build_id);
  const char* temporary = platform::secure_environment("TMPDIR");
  PlanName plan(g_program, build_id, g_working_folder, temporary != nullptr ? temporary : "");
  const char* arena = platform::secure_environment(guest_option(GuestOptionId::kOrtArena).variable);
  plan.add_ort_arena(arena != nullptr ? arena : "");
  add_own_command(plan);
  return plan.write(name, capacity);
}

}  // namespace memo::guest
