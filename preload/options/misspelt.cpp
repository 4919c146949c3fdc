#include "preload/options/misspelt.h"

#include <cstddef>
#include <cstring>

#include "preload/log/log.h"
#include "preload/platform/platform.h"
#include "runtime/formats/edit_distance.h"
#include "runtime/formats/guest_options.h"

namespace memo::guest {
namespace {

constexpr char kPrefix[] = "MEMOMALLOC_";
constexpr std::size_t kPrefixLength = sizeof kPrefix - 1;
constexpr std::size_t kLongest = runtime::kLongestCompared;
constexpr unsigned kNear = 2;  // letters

// The variables of the command and of the project's own tests, which the library inherits.
constexpr const char* kOfOthers[] = {"MEMOMALLOC_LIBRARY",       "MEMOMALLOC_COMMAND",
                                     "MEMOMALLOC_UPDATE_GOLDEN", "MEMOMALLOC_FUZZ_SECONDS",
                                     "MEMOMALLOC_SOAK_SECONDS",  "MEMOMALLOC_ENGINES"};

bool is_known(const char* name) {
  for (const GuestOption& option : kGuestOptions) {
    if (std::strcmp(option.variable, name) == 0) return true;
  }
  for (const char* other : kOfOthers) {
    if (std::strcmp(other, name) == 0) return true;
  }
  return false;
}

// Copies the name in "NAME=value". Returns false if it is too long to be compared.
bool copy_name(const char* setting, char* name) {
  const char* end = std::strchr(setting, '=');
  const auto length = end == nullptr ? std::strlen(setting) : static_cast<std::size_t>(end - setting);
  if (length > kLongest) return false;
  std::memcpy(name, setting, length);
  name[length] = '\0';
  return true;
}

void report(const char* name) {
  if (const char* meant = nearest_variable(name)) {
    log_trouble(name, " is not a variable of this library; did you mean ", meant, "?");
  } else {
    log_trouble(name, " is not a variable of this library; its manual, memomalloc(1), lists them");
  }
}

}  // namespace

const char* nearest_variable(const char* name) {
  if (std::strlen(name) > kLongest) return nullptr;
  const char* nearest = nullptr;
  unsigned least = kNear + 1;
  for (const GuestOption& option : kGuestOptions) {
    const unsigned distance = runtime::edit_distance(name, option.variable);
    if (distance >= least) continue;
    least = distance;
    nearest = option.variable;
  }
  return nearest;
}

// Reads nothing in a program with raised privileges, where secure_environment returns null.
void report_misspelt_variables() {
  for (const char* const* setting = platform::environment(); *setting != nullptr; ++setting) {
    char name[kLongest + 1];
    if (std::strncmp(*setting, kPrefix, kPrefixLength) != 0 || !copy_name(*setting, name)) continue;
    if (!is_known(name) && platform::secure_environment(name) != nullptr) report(name);
  }
}

}  // namespace memo::guest
