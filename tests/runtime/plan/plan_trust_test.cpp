// Tests whose plans a program takes: one with raised privileges, and any other.
#include "runtime/plan/plan_trust.h"

#include <gtest/gtest.h>

#include <ios>

#include "runtime/formats/plan_owner.h"

namespace memo::runtime {
namespace {

// Whoever starts a program with raised privileges must not have been able to write its plan.
TEST(PlanTrust, IsNotForWhoeverStartedAPrivilegedProgram) {
  struct Case {
    Privileges mine;
    std::uint32_t owner;
    std::uint32_t rights;
    bool trusted;
  };
  constexpr Privileges kOrdinary{.raised = false, .real = 1000, .effective = 1000};
  constexpr Privileges kSetUserId{.raised = true, .real = 1000, .effective = 500};
  constexpr Privileges kSetGroupId{.raised = true, .real = 1000, .effective = 1000};
  for (const Case& each : {Case{kOrdinary, 1234, 0666, true}, Case{kSetUserId, 0, 0644, true},
                           Case{kSetUserId, 500, 0600, true}, Case{kSetUserId, 1000, 0644, false},
                           Case{kSetUserId, 0, 0646, false}, Case{kSetUserId, 500, 0660, false},
                           Case{kSetGroupId, 0, 0444, true}, Case{kSetGroupId, 1000, 0600, false}}) {
    const FileFacts file{.kind = FileKind::kPlain,
                         .owner = each.owner,
                         .rights = each.rights,
                         .bytes = 0,
                         .names = 1,
                         .changed = 0,
                         .device = 0,
                         .inode = 0};
    PlanFault why{};
    EXPECT_EQ(check_trust(file, each.mine, &why), each.trusted)
        << each.owner << " " << std::oct << each.rights << " " << why.text;
  }
}

// Whoever is not trusted with the program must not have been able to write its plan, or to lay it there.
TEST(PlanTrust, IsForThoseWhomNotEverybodyCanBe) {
  struct Case {
    std::uint32_t owner;
    std::uint32_t rights;
    std::uint32_t folder;
    PlanOwner judged;
  };
  constexpr std::uint32_t kUser = 1000;
  for (const Case& each :
       {Case{kUser, 0644, 0777, PlanOwner::kTrusted}, Case{0, 0444, 01777, PlanOwner::kTrusted},
        Case{kUser, 0664, 0775, PlanOwner::kTrusted}, Case{1001, 0644, 0755, PlanOwner::kAnother},
        Case{1001, 0664, 02775, PlanOwner::kAnother}, Case{1001, 0644, 0777, PlanOwner::kPlanted},
        Case{1001, 0600, 01777, PlanOwner::kPlanted}, Case{kUser, 0666, 0700, PlanOwner::kEverybody},
        Case{0, 0602, 0755, PlanOwner::kEverybody}}) {
    EXPECT_EQ(judge_owner({.user = kUser, .owner = each.owner, .rights = each.rights, .folder = each.folder}),
              each.judged)
        << each.owner << " " << std::oct << each.rights << " " << each.folder;
  }
  EXPECT_EQ(judge_owner({.user = 0, .owner = 1000, .rights = 0644, .folder = 0755}), PlanOwner::kAnother);
}

}  // namespace
}  // namespace memo::runtime
