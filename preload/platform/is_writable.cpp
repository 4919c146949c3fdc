#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "preload/platform/kept_errno.h"
#include "preload/platform/platform.h"

namespace memo::guest::platform {

// The kernel adds 0 to the word, atomically, which succeeds only where the page is writable. The same call
// then wakes the threads that sleep on nobody_sleeps_here, and there are none.
bool is_writable(const void* word) {
  constexpr std::uint32_t kAddNothing = FUTEX_OP(FUTEX_OP_ADD, 0, FUTEX_OP_CMP_EQ, 0);
  static std::uint32_t nobody_sleeps_here;
  const KeptErrno kept;
  return syscall(SYS_futex, &nobody_sleeps_here, FUTEX_WAKE_OP_PRIVATE, 0, 0UL, word, kAddNothing) >= 0;
}

}  // namespace memo::guest::platform
