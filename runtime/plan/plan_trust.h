// Tells whether a plan comes from a user whom the program may trust.
#pragma once

#include "runtime/plan/plan_fault.h"
#include "runtime/platform/file_facts.h"
#include "runtime/platform/own_file.h"
#include "runtime/platform/user.h"

namespace memo::runtime {

// Takes plans of any writer, from now on. Does not hold for a program with raised privileges.
void take_plans_of_anyone();

// Returns true if the file may say where a program with such privileges keeps its data: not if the user who
// started the program could have written the file. It must belong to root, or to the user that the program has
// become, and only its owner may write to it. Always returns true for a program without raised privileges.
[[nodiscard]] bool check_trust(const FileFacts& file, const Privileges& mine, PlanFault* why);

// Returns true if the owner and the rights of the file are such that the program takes it (runtime/formats/plan_owner.h).
// Says so in a notice where another user may change it.
[[nodiscard]] bool check_owner(const OwnFile& file, const FileFacts& about, const char* path, PlanFault* why);

}  // namespace memo::runtime
