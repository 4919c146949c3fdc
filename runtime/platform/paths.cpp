#include "runtime/platform/paths.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace memo::runtime {
namespace {

int mode_of(Use use) {
  switch (use) {
    case Use::kFind:
      return F_OK;
    case Use::kWrite:
      return W_OK;
    case Use::kRun:
      return X_OK;
    case Use::kWriteInside:
      return W_OK | X_OK;
  }
  return F_OK;
}

}  // namespace

const char* base_name(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

bool may_use(const char* path, Use use) {
  return access(path, mode_of(use)) == 0;
}

bool remove_file(const char* path) {
  return unlink(path) == 0;
}

bool rename_file(const char* from, const char* to) {
  return std::rename(from, to) == 0;
}

bool make_folder(const char* path, unsigned rights) {
  return mkdir(path, rights) == 0;
}

bool remove_folder(const char* path) {
  return rmdir(path) == 0;
}

bool read_link(const char* link, char* out, std::size_t capacity) {
  const ssize_t length = readlink(link, out, capacity);
  if (length < 0) return false;
  if (static_cast<std::size_t>(length) == capacity) {
    errno = ENAMETOOLONG;
    return false;
  }
  out[length] = '\0';
  return true;
}

bool working_folder(char* out, std::size_t capacity) {
  return getcwd(out, capacity) != nullptr;
}

}  // namespace memo::runtime
