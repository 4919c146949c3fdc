#include "runtime/platform/user.h"

#include <sys/auxv.h>
#include <unistd.h>

namespace memo::runtime {

Privileges own_privileges() {
  return {.raised = getauxval(AT_SECURE) != 0, .real = getuid(), .effective = geteuid()};
}

std::uint32_t effective_user() {
  return geteuid();
}

}  // namespace memo::runtime
