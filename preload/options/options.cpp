#include "preload/options/options.h"

#include <cstdint>
#include <cstring>

#include "preload/log/log.h"
#include "preload/options/misspelt.h"
#include "preload/platform/platform.h"
#include "runtime/formats/size_text.h"

namespace memo::guest {
namespace {

constexpr int kOptionCount = sizeof kGuestOptions / sizeof kGuestOptions[0];

// Bytes for the texts of all options: room for a few paths of the greatest length.
constexpr std::size_t kTextCapacity = 4 * 4096 + 1024;
char g_text[kTextCapacity];
std::size_t g_text_used;
const char* g_values[kOptionCount];

struct ModeName {
  const char* name;
  Mode mode;
};
constexpr ModeName kModeNames[] = {
    {"off", Mode::kOff}, {"profile", Mode::kProfile}, {"serve", Mode::kServe}, {"auto", Mode::kAuto}};

const ModeName* find_mode(const char* name) {
  for (const ModeName& row : kModeNames) {
    if (std::strcmp(row.name, name) == 0) return &row;
  }
  return nullptr;
}

// Reads a number of digits only. Returns false for any other text and for a number that does not fit.
bool parse_number(const char* text, unsigned long* number) {
  if (*text == '\0') return false;
  *number = 0;
  for (; *text != '\0'; ++text) {
    if (*text < '0' || *text > '9') return false;
    if (__builtin_mul_overflow(*number, 10UL, number)) return false;
    if (__builtin_add_overflow(*number, static_cast<unsigned long>(*text - '0'), number)) return false;
  }
  return true;
}

bool takes_size(const GuestOption& option) {
  return std::strcmp(option.value, "SIZE") == 0;
}

const char* keep_copy(const GuestOption& option, const char* value) {
  const std::size_t size = std::strlen(value) + 1;
  if (size > kTextCapacity - g_text_used) {
    log_trouble(option.variable, " is too long (", size - 1, " bytes); using its default");
    return option.fallback;
  }
  char* copy = g_text + g_text_used;
  g_text_used += size;
  return static_cast<const char*>(std::memcpy(copy, value, size));
}

// Returns true if the value is one of the words between the bars of "a|b|c". Two words with a bar are none.
bool is_choice_of(const char* choices, const char* value) {
  if (std::strchr(value, '|') != nullptr) return false;
  const std::size_t length = std::strlen(value);
  for (const char* word = choices; word != nullptr; word = std::strchr(word, '|')) {
    if (*word == '|') ++word;
    if (std::strncmp(word, value, length) == 0 && (word[length] == '|' || word[length] == '\0')) return true;
  }
  return false;
}

void check_choice(const GuestOption& option, const char*& value) {
  if (is_choice_of(option.value, value)) return;
  log_trouble(option.variable, " is \"", value, "\"; it takes ", option.value, ". Using ", option.fallback);
  value = option.fallback;
}

void check_number(const GuestOption& option, const char*& value) {
  unsigned long number = 0;
  if (parse_number(value, &number) || std::strcmp(value, word_for_number(option)) == 0) return;
  log_trouble(option.variable, " is \"", value, "\"; it takes a whole number. Using ", option.fallback);
  value = option.fallback;
}

// The default of a size may be "": no size.
void check_size(const GuestOption& option, const char*& value) {
  std::uint64_t bytes = 0;
  if (value == option.fallback || read_size(value, &bytes)) return;
  log_trouble(option.variable, " is \"", value, "\"; it takes a size such as 512M. Using its default");
  value = option.fallback;
}

void read_option(int index) {
  const GuestOption& option = kGuestOptions[index];
  const char* given = platform::secure_environment(option.variable);
  const char*& value = g_values[index];
  value = given == nullptr || *given == '\0' ? option.fallback : keep_copy(option, given);
  if (takes_choice(option)) check_choice(option, value);
  if (takes_number(option)) check_number(option, value);
  if (takes_size(option)) check_size(option, value);
}

const char* read_option(GuestOptionId id) {
  read_option(static_cast<int>(id));
  return option_text(id);
}

bool is_of_log(int index) {
  return index == static_cast<int>(GuestOptionId::kLog) ||
         index == static_cast<int>(GuestOptionId::kLogFormat);
}

}  // namespace

// Opens the log first, since reading the other options may log something.
void read_options() {
  g_text_used = 0;
  open_log(read_option(GuestOptionId::kLog));
  set_log_format(read_option(GuestOptionId::kLogFormat));
  for (int i = 0; i < kOptionCount; ++i) {
    if (!is_of_log(i)) read_option(i);
  }
  report_misspelt_variables();
}

Mode option_mode() {
  return find_mode(option_text(GuestOptionId::kMode))->mode;
}

const char* option_text(GuestOptionId id) {
  return g_values[static_cast<int>(id)];
}

void set_option(GuestOptionId id, const char* value) {
  g_values[static_cast<int>(id)] = value;
}

bool passes_may_come_by(const char* way) {
  const char* chosen = option_text(GuestOptionId::kPassesBy);
  return std::strcmp(chosen, way) == 0 ||
         (std::strcmp(chosen, "any") == 0 && std::strcmp(way, "period") != 0);
}

bool are_plans_taken_of_anyone() {
  return std::strcmp(option_text(GuestOptionId::kPlanFrom), "anyone") == 0;
}

std::uint64_t option_size(GuestOptionId id, std::uint64_t without) {
  std::uint64_t bytes = without;
  return read_size(option_text(id), &bytes) ? bytes : without;
}

unsigned long option_number(GuestOptionId id) {
  unsigned long number = 0;
  parse_number(option_text(id), &number);
  return number;
}

}  // namespace memo::guest
