// Tests whose plans a program with raised privileges takes.
#include "runtime/plan/plan_trust.h"

#include <gtest/gtest.h>

#include <ios>

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

}  // namespace
}  // namespace memo::runtime
