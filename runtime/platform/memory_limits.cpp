#include "runtime/platform/memory_limits.h"

#include <sys/resource.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/platform/own_file.h"
#include "runtime/platform/pages.h"
#include "runtime/platform/spare_stack.h"

namespace memo::runtime {
namespace {

// The names that each version of the interface has for the same files and figures. All figures include the
// groups below.
struct Interface {
  const char* folder;  // under GroupPlaces::all
  const char* limit;
  const char* held;  // key in memory.stat
};
constexpr Interface kVersion2{"", "memory.max", "anon"};
constexpr Interface kVersion1{"/memory", "memory.limit_in_bytes", "total_rss"};

// Returns false if the file is not there, or empty.
bool read_text(const char* path, char* text, std::size_t capacity) {
  const std::int64_t bytes = read_beginning(path, text, capacity - 1);
  if (bytes <= 0) return false;
  text[bytes] = '\0';
  return true;
}

// Returns false, too, if the path is longer than PATH_MAX.
bool read_text_in(const char* folder, const char* name, char* text, std::size_t capacity) {
  char path[PATH_MAX];
  const int length = std::snprintf(path, sizeof path, "%s/%s", folder, name);
  return length < PATH_MAX && read_text(path, text, capacity);
}

// Returns the limit of the group; kNoLimit for "max" and for version 1's numbers beyond any memory, which mean
// the same.
std::uint64_t read_limit(const char* folder, const Interface& interface) {
  char text[64];
  if (!read_text_in(folder, interface.limit, text, sizeof text) || text[0] < '0' || text[0] > '9')
    return kNoLimit;
  const std::uint64_t limit = std::strtoull(text, nullptr, 10);
  return limit < (std::uint64_t{1} << 62) ? limit : kNoLimit;
}

std::uint64_t read_held(const char* folder, const Interface& interface) {
  char text[4096] = "\n";
  char key[32];
  const int length = std::snprintf(key, sizeof key, "\n%s ", interface.held);
  if (!read_text_in(folder, "memory.stat", text + 1, sizeof text - 1)) return 0;
  const char* line = std::strstr(text, key);
  return line == nullptr ? 0 : std::strtoull(line + length, nullptr, 10);
}

std::uint64_t room_in(const char* folder, const Interface& interface) {
  const std::uint64_t limit = read_limit(folder, interface);
  if (limit == kNoLimit) return kNoLimit;
  const std::uint64_t held = read_held(folder, interface);
  return held < limit ? limit - held : 0;
}

// Returns the least room from the group itself up to the root of what is mounted. Inside a container the path
// may be the host's, of which only the end exists here: what cannot be read limits nothing.
std::uint64_t room_on_the_way_up(const char* all, const Interface& interface, const char* group) {
  char folder[PATH_MAX];
  const int root = std::snprintf(folder, sizeof folder, "%s%s", all, interface.folder);
  if (root >= PATH_MAX) return kNoLimit;
  std::snprintf(folder + root, sizeof folder - static_cast<std::size_t>(root), "%s", group);
  std::uint64_t room = kNoLimit;
  for (;;) {
    const std::uint64_t here = room_in(folder, interface);
    room = here < room ? here : room;
    char* last = std::strrchr(folder + root, '/');
    if (last == nullptr) return room;
    *last = '\0';
  }
}

bool names_memory(const char* controllers, const char* end) {
  for (const char* at = controllers; at < end;) {
    const char* comma = static_cast<const char*>(std::memchr(at, ',', static_cast<std::size_t>(end - at)));
    const char* stop = comma != nullptr ? comma : end;
    if (stop - at == 6 && std::memcmp(at, "memory", 6) == 0) return true;
    at = stop + 1;
  }
  return false;
}

// Returns how many bytes are left in the control group that one line of /proc/self/cgroup names:
// "number:controllers:path". The lines of version 2 have no controllers.
std::uint64_t room_by_line(const char* all, const char* line) {
  const char* controllers = std::strchr(line, ':');
  const char* path = controllers == nullptr ? nullptr : std::strchr(controllers + 1, ':');
  if (path == nullptr) return kNoLimit;
  if (path == controllers + 1) return room_on_the_way_up(all, kVersion2, path + 1);
  return names_memory(controllers + 1, path) ? room_on_the_way_up(all, kVersion1, path + 1) : kNoLimit;
}

std::uint64_t room_of_own_groups(const GroupPlaces& places) {
  char text[8192];
  if (!read_text(places.own, text, sizeof text)) return kNoLimit;
  std::uint64_t room = kNoLimit;
  char* rest = nullptr;
  for (char* line = strtok_r(text, "\n", &rest); line != nullptr; line = strtok_r(nullptr, "\n", &rest)) {
    const std::uint64_t here = room_by_line(places.all, line);
    room = here < room ? here : room;
  }
  return room;
}

}  // namespace

std::uint64_t room_in_groups(const GroupPlaces& places) {
  return on_spare_stack([&] { return room_of_own_groups(places); });
}

// The file reads "mapped resident …", in pages.
OwnPages own_pages() {
  char text[128];
  if (!read_text("/proc/self/statm", text, sizeof text)) return {};
  const std::uint64_t page = page_bytes();
  char* rest = nullptr;
  const std::uint64_t mapped = std::strtoull(text, &rest, 10);
  return {.mapped = mapped * page, .resident = std::strtoull(rest, nullptr, 10) * page};
}

std::uint64_t address_limit() {
  static_assert(RLIM_INFINITY == kNoLimit);
  rlimit limit{};
  return getrlimit(RLIMIT_AS, &limit) == 0 ? limit.rlim_cur : kNoLimit;
}

std::uint64_t room_of_addresses() {
  const std::uint64_t limit = address_limit();
  if (limit == kNoLimit) return kNoLimit;
  const std::uint64_t mapped = own_pages().mapped;
  return mapped < limit ? limit - mapped : 0;
}

std::uint64_t physical_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * page_bytes();
}

}  // namespace memo::runtime
