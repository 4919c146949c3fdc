#include "runtime/platform/file_facts.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "runtime/platform/clock.h"
#include "runtime/platform/kernel_call.h"

namespace memo::runtime {
namespace {

FileKind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::kPlain;
  if (S_ISDIR(mode)) return FileKind::kFolder;
  return S_ISLNK(mode) ? FileKind::kLink : FileKind::kOther;
}

FileFacts facts_of(const struct stat& about) {
  return {.kind = kind_of(about.st_mode),
          .owner = about.st_uid,
          .rights = about.st_mode & 07777,
          .bytes = static_cast<std::uint64_t>(about.st_size),
          .names = about.st_nlink,
          .changed = about.st_mtim.tv_sec * kSecond + about.st_mtim.tv_nsec,
          .device = about.st_dev,
          .inode = about.st_ino};
}

}  // namespace

bool look_at(const char* path, FileFacts* out) {
  struct stat about {};
  if (stat(path, &about) != 0) return false;
  *out = facts_of(about);
  return true;
}

bool look_at_unfollowed(const char* path, FileFacts* out) {
  struct stat about {};
  if (lstat(path, &about) != 0) return false;
  *out = facts_of(about);
  return true;
}

bool look_at_descriptor(int number, FileFacts* out) {
  struct stat about {};
  if (kernel(SYS_newfstatat, number, "", &about, AT_EMPTY_PATH) != 0) return false;
  *out = facts_of(about);
  return true;
}

}  // namespace memo::runtime
