#include "runtime/plan/plan_trust.h"

namespace memo::runtime {

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

}  // namespace memo::runtime
