#include <sys/uio.h>
#include <unistd.h>

#include "preload/platform/kept_errno.h"
#include "preload/platform/platform.h"

namespace memo::guest::platform {

bool read_carefully(const void* from, void* into, std::size_t bytes) {
  const KeptErrno kept;
  const iovec here{into, bytes};
  const iovec there{const_cast<void*>(from), bytes};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == static_cast<ssize_t>(bytes);
}

}  // namespace memo::guest::platform
