#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "preload/platform/kept_errno.h"
#include "preload/platform/platform.h"

namespace memo::guest::platform {

// The kernel locks the mode of a process once it has had a second thread.
const char* why_no_address_masking(int error) {
  switch (error) {
    case ENODEV:
      return "this processor has no linear address masking (LAM)";
    case EBUSY:
      return "this process had a second thread before the library started; name the library first in LD_PRELOAD";
    default:
      return "this kernel has no linear address masking (Linux 6.4 with CONFIG_ADDRESS_MASKING)";
  }
}

#if defined(__x86_64__)
// Asks for linear address masking, which exists since Linux 6.4.
const char* allow_tagged_pointers() {
  constexpr int kEnableTaggedAddresses = 0x4002;  // ARCH_ENABLE_TAGGED_ADDR; not in glibc's headers
  constexpr unsigned long kBits = 6;
  const KeptErrno kept;
  if (syscall(SYS_arch_prctl, kEnableTaggedAddresses, kBits) == 0) return nullptr;
  return why_no_address_masking(errno);
}
#elif defined(__aarch64__)
// The processor ignores the top byte in any case. The kernel takes such pointers in system calls once it is
// asked to.
const char* allow_tagged_pointers() {
  constexpr int kSetTaggedAddresses = 55;  // PR_SET_TAGGED_ADDR_CTRL
  constexpr unsigned long kEnable = 1;     // PR_TAGGED_ADDR_ENABLE
  const KeptErrno kept;
  if (prctl(kSetTaggedAddresses, kEnable, 0, 0, 0) == 0) return nullptr;
  return "this kernel takes no tagged pointers (Linux 5.4, and abi.tagged_addr_disabled=0)";
}
#else
const char* allow_tagged_pointers() {
  return "this processor does not ignore the top bits of pointers";
}
#endif

}  // namespace memo::guest::platform
