#include "runtime/plan/plan_file.h"

#include <cerrno>
#include <cstring>

#include "runtime/plan/plan_check.h"
#include "runtime/plan/plan_trust.h"
#include "runtime/platform/own_file.h"
#include "runtime/platform/own_memory.h"
#include "runtime/platform/pages.h"

namespace memo::runtime {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{1} << 30;

// Returns nullptr, with errno set, if there is no memory.
unsigned char* memory_for(std::size_t bytes) {
  return static_cast<unsigned char*>(map_own(Own::kPlans, bytes));
}

// Returns the contents of the file, in memory that the library maps; nullptr with errno set if it cannot.
unsigned char* copy_of(const OwnFile& file, std::size_t bytes) {
  unsigned char* copy = memory_for(bytes);
  if (copy == nullptr) return nullptr;
  for (std::size_t at = 0; at < bytes;) {
    const std::int64_t got = file.read(copy + at, bytes - at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      unmap_own(Own::kPlans, copy, bytes);
      errno = got == 0 ? EIO : errno;
      return nullptr;
    }
    at += static_cast<std::size_t>(got);
  }
  return copy;
}

bool read_plan(const OwnFile& file, const char* path, PlanFile* out, PlanFault* why) {
  FileFacts about{};
  if (!file.describe(&about)) return fault(why, "%s", strerrordesc_np(errno));
  if (about.kind != FileKind::kPlain) return fault(why, "it is not a regular file");
  if (!check_trust(about, own_privileges(), why) || !check_owner(file, about, path, why)) return false;
  out->size = about.bytes;
  if (out->size < sizeof(PlanHeader) || out->size > kMaxFileBytes) {
    return fault(why, "%zu bytes are not the size of a plan", out->size);
  }
  out->bytes = copy_of(file, out->size);
  return out->bytes != nullptr || fault(why, "it could not be read: %s", strerrordesc_np(errno));
}

}  // namespace

bool open_plan(const char* path, PlanFile* out, PlanFault* why) {
  OwnFile file;
  const bool opened = file.open(path, Open::kRead | Open::kNoWaiting);
  if (!opened) return fault(why, "%s", strerrordesc_np(errno));
  const bool have = read_plan(file, path, out, why);
  file.close();
  if (!have) return false;
  if (check_plan(*out, why)) return true;
  close_plan(*out);
  return false;
}

bool copy_plan(const PlanFile& file, PlanFile* out, std::size_t more) {
  const std::size_t used = file.size + file.more;
  unsigned char* copy = memory_for(used + more);
  if (copy == nullptr) return false;
  static_cast<void>(populate_pages(copy, used + more));  // they come when touched, otherwise
  std::memcpy(copy, file.bytes, used);
  *out = {.bytes = copy, .size = file.size, .more = file.more + more};
  return true;
}

void close_plan(const PlanFile& file) {
  unmap_own(Own::kPlans, const_cast<unsigned char*>(file.bytes), file.size + file.more);
}

}  // namespace memo::runtime
