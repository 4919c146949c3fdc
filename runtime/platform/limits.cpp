#include "runtime/platform/limits.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/platform/own_file.h"
#include "runtime/platform/pages.h"
#include "runtime/platform/spare_stack.h"

namespace memo::runtime {
namespace {

// What one version of the interface says of a resource: in which folder, and how to read what a group leaves of it. kNoLimit where it
// limits nothing. All figures include the groups below.
struct Interface {
  const char* folder;  // under GroupPlaces::all
  std::uint64_t (*left_in)(const char* folder);
};

struct Resource {
  const char* controller;  // as /proc/self/cgroup names it
  Interface version1, version2;
};

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

// Returns the number that the file begins with; kNoLimit for "max" and for version 1's numbers beyond any memory, and below 0, which
// mean the same.
std::uint64_t read_limit(const char* folder, const char* name) {
  char text[64];
  if (!read_text_in(folder, name, text, sizeof text) || text[0] < '0' || text[0] > '9') return kNoLimit;
  const std::uint64_t limit = std::strtoull(text, nullptr, 10);
  return limit < (std::uint64_t{1} << 62) ? limit : kNoLimit;
}

std::uint64_t read_held(const char* folder, const char* key) {
  char text[4096] = "\n";
  char begin[32];
  const int length = std::snprintf(begin, sizeof begin, "\n%s ", key);
  if (!read_text_in(folder, "memory.stat", text + 1, sizeof text - 1)) return 0;
  const char* line = std::strstr(text, begin);
  return line == nullptr ? 0 : std::strtoull(line + length, nullptr, 10);
}

std::uint64_t room_in(const char* folder, const char* limit_name, const char* held_key) {
  const std::uint64_t limit = read_limit(folder, limit_name);
  if (limit == kNoLimit) return kNoLimit;
  const std::uint64_t held = read_held(folder, held_key);
  return held < limit ? limit - held : 0;
}

constexpr Resource kMemory{
    .controller = "memory",
    .version1 = {"/memory",
                 [](const char* folder) { return room_in(folder, "memory.limit_in_bytes", "total_rss"); }},
    .version2 = {"", [](const char* folder) { return room_in(folder, "memory.max", "anon"); }}};

// Rounds up: a part of a processor runs a pass, too.
std::uint64_t processors_of(std::uint64_t quota, std::uint64_t period) {
  return quota == kNoLimit || period == 0 ? kNoLimit : (quota + period - 1) / period;
}

std::uint64_t processors_of_version1(const char* folder) {
  return processors_of(read_limit(folder, "cpu.cfs_quota_us"), read_limit(folder, "cpu.cfs_period_us"));
}

// The file reads "quota period", in microseconds.
std::uint64_t processors_of_version2(const char* folder) {
  char text[64];
  if (!read_text_in(folder, "cpu.max", text, sizeof text)) return kNoLimit;
  const char* period = std::strchr(text, ' ');
  return period == nullptr ? kNoLimit
                           : processors_of(read_limit(folder, "cpu.max"), std::strtoull(period, nullptr, 10));
}

constexpr Resource kProcessors{.controller = "cpu",
                               .version1 = {"/cpu", processors_of_version1},
                               .version2 = {"", processors_of_version2}};

// Returns the least that is left from the group itself up to the root of what is mounted. Inside a container the path
// may be the host's, of which only the end exists here: what cannot be read limits nothing.
std::uint64_t left_on_the_way_up(const char* all, const Interface& interface, const char* group) {
  char folder[PATH_MAX];
  const int root = std::snprintf(folder, sizeof folder, "%s%s", all, interface.folder);
  if (root >= PATH_MAX) return kNoLimit;
  std::snprintf(folder + root, sizeof folder - static_cast<std::size_t>(root), "%s", group);
  std::uint64_t left = kNoLimit;
  for (;;) {
    const std::uint64_t here = interface.left_in(folder);
    left = here < left ? here : left;
    char* last = std::strrchr(folder + root, '/');
    if (last == nullptr) return left;
    *last = '\0';
  }
}

bool names(const char* controllers, const char* end, const char* controller) {
  const std::size_t length = std::strlen(controller);
  for (const char* at = controllers; at < end;) {
    const char* comma = static_cast<const char*>(std::memchr(at, ',', static_cast<std::size_t>(end - at)));
    const char* stop = comma != nullptr ? comma : end;
    if (static_cast<std::size_t>(stop - at) == length && std::memcmp(at, controller, length) == 0)
      return true;
    at = stop + 1;
  }
  return false;
}

// Returns what is left in the control group that one line of /proc/self/cgroup names:
// "number:controllers:path". The lines of version 2 have no controllers.
std::uint64_t left_by_line(const Resource& resource, const char* all, const char* line) {
  const char* controllers = std::strchr(line, ':');
  const char* path = controllers == nullptr ? nullptr : std::strchr(controllers + 1, ':');
  if (path == nullptr) return kNoLimit;
  if (path == controllers + 1) return left_on_the_way_up(all, resource.version2, path + 1);
  return names(controllers + 1, path, resource.controller)
             ? left_on_the_way_up(all, resource.version1, path + 1)
             : kNoLimit;
}

std::uint64_t left_in_own_groups(const Resource& resource, const GroupPlaces& places) {
  char text[8192];
  if (!read_text(places.own, text, sizeof text)) return kNoLimit;
  std::uint64_t left = kNoLimit;
  char* rest = nullptr;
  for (char* line = strtok_r(text, "\n", &rest); line != nullptr; line = strtok_r(nullptr, "\n", &rest)) {
    const std::uint64_t here = left_by_line(resource, places.all, line);
    left = here < left ? here : left;
  }
  return left;
}

}  // namespace

std::uint64_t room_in_groups(const GroupPlaces& places) {
  return on_spare_stack([&] { return left_in_own_groups(kMemory, places); });
}

std::uint32_t usable_processors(const GroupPlaces& places) {
  const std::uint64_t granted = on_spare_stack([&] { return left_in_own_groups(kProcessors, places); });
  cpu_set_t allowed;
  const bool known = sched_getaffinity(0, sizeof allowed, &allowed) == 0;
  const std::uint64_t own = known ? static_cast<std::uint64_t>(CPU_COUNT(&allowed)) : 1;
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(std::min(own, granted), 1));
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
