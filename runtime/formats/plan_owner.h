// Judges by owner and rights whether a plan is taken. The library and the command ask the same question.
//
//   everybody may write to the file                      refused
//   another user's, in a folder of everybody             refused: that user may have laid it there
//   another user's, root excepted, anywhere else         taken, with a warning
//   the program's own user's, or root's                  taken
//
// A group that may write to a file is one that its owner chose.
#pragma once

#include <cstdint>

namespace memo {

enum class PlanOwner { kTrusted, kAnother, kPlanted, kEverybody };

struct PlanRights {
  std::uint32_t user;    // whose program takes the plan
  std::uint32_t owner;   // of the plan
  std::uint32_t rights;  // of the plan, the bits of chmod
  std::uint32_t folder;  // rights of the folder that the plan lies in
};

constexpr bool may_everybody_write(std::uint32_t rights) {
  return (rights & 0002) != 0;
}

constexpr bool is_another_user(std::uint32_t user, std::uint32_t owner) {
  return owner != 0 && owner != user;
}

constexpr PlanOwner judge_owner(const PlanRights& plan) {
  if (may_everybody_write(plan.rights)) return PlanOwner::kEverybody;
  if (!is_another_user(plan.user, plan.owner)) return PlanOwner::kTrusted;
  return may_everybody_write(plan.folder) ? PlanOwner::kPlanted : PlanOwner::kAnother;
}

}  // namespace memo
