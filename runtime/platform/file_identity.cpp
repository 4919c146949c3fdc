#include "runtime/platform/file_identity.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>

#include "runtime/platform/clock.h"
#include "runtime/platform/kernel_call.h"

namespace memo::runtime {
namespace {

FileIdentity identity_of(const struct statx& about) {
  const bool born = (about.stx_mask & STATX_BTIME) != 0;
  return {.device = makedev(about.stx_dev_major, about.stx_dev_minor),
          .inode = about.stx_ino,
          .born = born ? about.stx_btime.tv_sec * kSecond + about.stx_btime.tv_nsec : 0,
          .type = about.stx_mode & static_cast<std::uint32_t>(S_IFMT)};
}

FileIdentity identity_of(const struct stat& about) {
  return {.device = about.st_dev, .inode = about.st_ino, .born = 0, .type = about.st_mode & S_IFMT};
}

// Returns true if the older call may succeed: kernels before 4.11 have no statx, and some sandboxes refuse it.
bool may_be_asked_otherwise(int error) {
  return error != EBADF && error != ENOENT && error != EACCES && error != ELOOP;
}

bool identify(int folder, const char* path, int flags, FileIdentity* out) {
  struct statx about {};
  if (kernel(SYS_statx, folder, path, flags, STATX_TYPE | STATX_INO | STATX_BTIME, &about) == 0) {
    *out = identity_of(about);
    return true;
  }
  struct stat older {};
  if (!may_be_asked_otherwise(errno) ||
      kernel(SYS_newfstatat, folder, path, &older, flags & ~AT_STATX_DONT_SYNC) != 0)
    return false;
  *out = identity_of(older);
  return true;
}

}  // namespace

bool FileIdentity::is_same_as(const FileIdentity& other) const {
  return type != 0 && type == other.type && inode == other.inode && device == other.device &&
         (born == other.born || born == 0 || other.born == 0);
}

bool identify_descriptor(int number, FileIdentity* out) {
  return identify(number, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, out);
}

bool identify_path(const char* path, LastLink link, FileIdentity* out) {
  return identify(AT_FDCWD, path, link == LastLink::kLeave ? AT_SYMLINK_NOFOLLOW : 0, out);
}

bool shows(int number, const FileIdentity& identity) {
  FileIdentity now;
  return identify_descriptor(number, &now) && now.is_same_as(identity);
}

}  // namespace memo::runtime
