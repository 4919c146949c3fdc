#include "preload/options/misspelt.h"

#include <cstddef>
#include <cstring>

#include "preload/log/log.h"
#include "preload/platform/platform.h"
#include "runtime/formats/edit_distance.h"
#include "runtime/formats/guest_options.h"
#include "runtime/formats/speaker.h"

namespace memo::guest {
namespace {

constexpr char kPrefix[] = "MEMOMALLOC_";
constexpr char kLikePrefix[] = "MEMOM";  // what a misspelt prefix begins with
constexpr std::size_t kLongest = runtime::kLongestCompared;
constexpr unsigned kNear = 2;  // letters

// The variables of the command, and of the store of plans (preload/python/memomalloc/store).
constexpr const char* kOfTools[] = {"MEMOMALLOC_LIBRARY", kSpeakerVariable, "MEMOMALLOC_STORE",
                                    "MEMOMALLOC_STORE_KEY", "MEMOMALLOC_STORE_KEY_FILE"};

// The variables of the project's own tests and scripts, which the library inherits.
constexpr const char* kOfOthers[] = {"MEMOMALLOC_COMMAND",      "MEMOMALLOC_UPDATE_GOLDEN",
                                     "MEMOMALLOC_FUZZ_SECONDS", "MEMOMALLOC_SOAK_SECONDS",
                                     "MEMOMALLOC_ENGINES",      "MEMOMALLOC_TRIXIE"};

template <std::size_t count>
bool is_one_of(const char* const (&names)[count], const char* name) {
  for (const char* other : names) {
    if (std::strcmp(other, name) == 0) return true;
  }
  return false;
}

bool is_known(const char* name) {
  for (const GuestOption& option : kGuestOptions) {
    if (std::strcmp(option.variable, name) == 0) return true;
  }
  return is_one_of(kOfTools, name) || is_one_of(kOfOthers, name);
}

bool begins_with(const char* text, const char* beginning) {
  return std::strncmp(text, beginning, std::strlen(beginning)) == 0;
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

// A variable with another prefix may be another program's, unless it is near to one of this library.
void report(const char* name) {
  if (const char* meant = nearest_variable(name)) {
    log_trouble(name, " is not a variable of this library; did you mean ", meant, "?");
  } else if (begins_with(name, kPrefix)) {
    log_trouble(name, " is not a variable of this library; its manual, memomalloc(1), lists them");
  }
}

// Finds the variable that is nearest to a name, among those that it is shown.
class Nearest {
 public:
  explicit Nearest(const char* name) : name_(name) {}

  void look_at(const char* variable) {
    const unsigned distance = runtime::edit_distance(name_, variable);
    if (distance >= least_) return;
    least_ = distance;
    found_ = variable;
  }
  [[nodiscard]] const char* found() const { return found_; }

 private:
  const char* name_;
  const char* found_ = nullptr;
  unsigned least_ = kNear + 1;
};

}  // namespace

const char* nearest_variable(const char* name) {
  if (std::strlen(name) > kLongest) return nullptr;
  Nearest nearest(name);
  for (const GuestOption& option : kGuestOptions) nearest.look_at(option.variable);
  for (const char* variable : kOfTools) nearest.look_at(variable);
  return nearest.found();
}

// Reads nothing in a program with raised privileges, where secure_environment returns null.
void report_misspelt_variables() {
  for (const char* const* setting = platform::environment(); *setting != nullptr; ++setting) {
    char name[kLongest + 1];
    if (!begins_with(*setting, kLikePrefix) || !copy_name(*setting, name)) continue;
    if (!is_known(name) && platform::secure_environment(name) != nullptr) report(name);
  }
}

}  // namespace memo::guest
