// Tells whether a plan comes from somebody whom the program may trust.
#pragma once

#include "runtime/plan/plan_fault.h"
#include "runtime/platform/file_facts.h"
#include "runtime/platform/user.h"

namespace memo::runtime {

// Returns true if the file may say where a program with such privileges keeps its data: not if the user who
// started the program could have written the file. It must belong to root, or to the user that the program has
// become, and only its owner may write to it.
[[nodiscard]] bool check_trust(const FileFacts& file, const Privileges& mine, PlanFault* why);

}  // namespace memo::runtime
