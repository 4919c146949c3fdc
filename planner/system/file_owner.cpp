#include "planner/system/file_owner.h"

#include <sys/stat.h>
#include <unistd.h>

namespace memo::process {

std::optional<FileOwner> owner_of(const std::filesystem::path& path) {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0) return std::nullopt;
  return FileOwner{.user = about.st_uid, .rights = about.st_mode & 07777U};
}

std::uint32_t own_user() {
  return geteuid();
}

}  // namespace memo::process
