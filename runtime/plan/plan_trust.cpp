#include "runtime/plan/plan_trust.h"

#include <atomic>
#include <climits>
#include <cstring>

#include "runtime/formats/plan_owner.h"
#include "runtime/platform/notice.h"

namespace memo::runtime {
namespace {

constinit std::atomic<bool> g_of_anyone{false};

// Returns the rights of the folder that the file lies in, all links followed; 0 if the kernel does not tell.
[[gnu::noinline]] std::uint32_t rights_of_folder(const OwnFile& file) {
  char path[PATH_MAX];
  FileFacts folder;
  if (!file.find_path(path, sizeof path)) return 0;
  char* slash = std::strrchr(path, '/');
  if (slash == nullptr) return 0;
  slash[slash == path ? 1 : 0] = '\0';
  return look_at(path, &folder) ? folder.rights : 0;
}

void warn_of_another(const char* path, std::uint32_t owner) {
  notice(
      "the plan %s belongs to user %u, who may change it: let this program's user or root own it, or say by "
      "MEMOMALLOC_PLAN_FROM=anyone that this is meant",
      path, owner);
}

}  // namespace

void take_plans_of_anyone() {
  g_of_anyone.store(true, std::memory_order_relaxed);
}

bool check_trust(const FileFacts& file, const Privileges& mine, PlanFault* why) {
  if (!mine.raised) return true;
  const bool changed_user = mine.effective != mine.real;
  if (file.owner != 0 && !(changed_user && file.owner == mine.effective)) {
    return fault(why, "it belongs to user %u and this program has raised privileges: let root own it",
                 file.owner);
  }
  if (file.is_writable_for_others()) {
    return fault(why, "others may write to it (mode %03o) and this program has raised privileges: chmod go-w",
                 file.rights & 0777);
  }
  return true;
}

bool check_owner(const OwnFile& file, const FileFacts& about, const char* path, PlanFault* why) {
  if (g_of_anyone.load(std::memory_order_relaxed)) return true;
  const std::uint32_t user = effective_user();
  const std::uint32_t folder = is_another_user(user, about.owner) ? rights_of_folder(file) : 0;
  switch (judge_owner({.user = user, .owner = about.owner, .rights = about.rights, .folder = folder})) {
    case PlanOwner::kEverybody:
      return fault(why, "everybody may write to it (mode %03o): chmod o-w", about.rights & 0777);
    case PlanOwner::kPlanted:
      return fault(
          why,
          "it belongs to user %u and lies in a folder that everybody may write to: let this program's "
          "user or root own it",
          about.owner);
    case PlanOwner::kAnother:
      warn_of_another(path, about.owner);
      return true;
    case PlanOwner::kTrusted:
      return true;
  }
  return true;
}

}  // namespace memo::runtime
