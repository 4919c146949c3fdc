// The name of a program's plan in the user's cache. The library and the command compute it by this one rule, so
// that each finds what the other has kept.
//
//   python3.11-app.py.0123456789abcdef.plan
//   program    |      hash of all that counts
//              the first name among its arguments
//
// The name holds what the program is, and leaves out what changes from one start to the next:
//
//   the program        counts by its build-id and its full path
//   an option          counts as written. What follows a "=", or follows one letter as in -p8080, is a word of
//                      its own. "port=8080" is an option, too
//   a number, a time,  do not count: 8080, 0.5, 2026-11-23T10:00, 127.0.0.1, localhost:8080
//   an address
//   a word with an id  counts without its parts that are all hexadecimal digits. A part is an id if it has at
//                      least seven hexadecimal digits, one of them decimal
//   any other word     counts as a path: of what is there, or of that name in the working folder
//   a full path below  does not count. But the first file counts, unless it is the value of an option with two
//   $TMPDIR, /tmp, …   dashes: it may be a script
//   the working folder counts where no word counts as a path
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>

#include "runtime/formats/hash.h"

namespace memo {

// Limits the bytes of a command that count. The name ignores the rest of a longer command.
inline constexpr std::size_t kLongestCommand = 65'536;

// The kind of thing that a path leads to.
enum class Found { kNothing, kFile, kOther };

// Tells words that change from one start to the next by the look of them.
namespace plan_words {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool is_hexadecimal(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

constexpr bool is_plain(char c) {
  return is_digit(c) || is_letter(c) || c == '.' || c == '_' || c == '-' || c == '+';
}

// Returns true for a number or a time: it begins with a digit, and has no letters but those of times (T, Z) and
// of powers of ten (e, E).
inline bool is_number(const char* word) {
  if (*word == '-' || *word == '+') ++word;
  if (*word == '.') ++word;
  return is_digit(*word) && word[std::strspn(word, "0123456789+-.,:_TZeE")] == '\0';
}

// Returns true for a host and a port of two or more digits, with "http://" before it and a path behind it or
// without.
inline bool is_address(const char* word) {
  const char* scheme = std::strstr(word, "://");
  for (const char* at = scheme != nullptr ? scheme + 3 : word; *at != '\0' && *at != '/'; ++at) {
    if (*at != ':' || !is_digit(at[1]) || !is_digit(at[2])) continue;
    const char* end = at + 1 + std::strspn(at + 1, "0123456789");
    if (*end == '\0' || *end == '/' || *end == ',') return true;
  }
  return false;
}

// A stretch of letters and digits within a word.
struct Part {
  std::size_t length = 0;
  bool hexadecimal = true;
  bool decimal = false;  // it has a decimal digit

  explicit Part(const char* text) {
    for (; is_digit(text[length]) || is_letter(text[length]); ++length) {
      hexadecimal = hexadecimal && is_hexadecimal(text[length]);
      decimal = decimal || is_digit(text[length]);
    }
  }
  [[nodiscard]] bool is_id() const { return length >= 7 && hexadecimal && decimal; }
};

inline bool has_id(const char* word) {
  while (*word != '\0') {
    const Part part(word);
    if (part.is_id()) return true;
    word += part.length > 0 ? part.length : 1;
  }
  return false;
}

inline bool is_below(const char* path, const char* folder) {
  std::size_t length = std::strlen(folder);
  while (length > 0 && folder[length - 1] == '/') --length;
  return length > 0 && std::strncmp(path, folder, length) == 0 &&
         (path[length] == '/' || path[length] == '\0');
}

// Returns true for a full path, as in "unix:/run/socket" too, below a folder whose files come and go.
inline bool is_temporary(const char* word, const char* temporary_folder) {
  const char* path = *word == '/' ? word : std::strstr(word, ":/");
  if (path == nullptr) return false;
  path = std::strchr(path, '/');
  while (path[1] == '/') ++path;
  for (const char* folder :
       {temporary_folder, "/tmp", "/var/tmp", "/run", "/var/run", "/dev/shm", "/dev/fd", "/proc"}) {
    if (is_below(path, folder)) return true;
  }
  return false;
}

}  // namespace plan_words

class PlanName {
 public:
  // `temporary_folder` is the value of TMPDIR, or "". The texts must outlive this object.
  PlanName(const char* program, const char* build_id, const char* working_folder,
           const char* temporary_folder)
      : program_(program), working_folder_(working_folder), temporary_folder_(temporary_folder) {
    add(build_id, std::strlen(build_id));
    add(program, std::strlen(program));
  }

  // Adds the value of MEMOMALLOC_ORT_ARENA, or "": without ONNX Runtime's own arena a program allocates otherwise. The usual
  // setting leaves the name as it is.
  void add_ort_arena(const char* value) {
    if (std::strcmp(value, "off") == 0) add("ort-arena=off", std::strlen("ort-arena=off"));
  }

  // Adds a command: its words, a NUL behind each. The first one is not looked at. `find` is called as
  // Found find(const char* path, char* out, std::size_t capacity), and writes the full path without links of
  // what it finds.
  template <typename Find>
  void add_command(const char* words, std::size_t length, const Find& find) {
    const char* end = words + length;
    bool of_option = false;
    for (const char* word = next(words); word < end; word = next(word)) {
      of_option = add_argument(word, of_option, find);
    }
    if (!has_path_) add(working_folder_, std::strlen(working_folder_));
  }

  // Returns the full path of the first file among the words, which may be a script; "" for none.
  [[nodiscard]] const char* script() const { return script_; }

  // Returns false if the name does not fit.
  [[nodiscard]] bool write(char* out, std::size_t capacity) const {
    const char* slash = std::strrchr(program_, '/');
    const int printed =
        std::snprintf(out, capacity, "%.100s%s%s.%016llx.plan", slash != nullptr ? slash + 1 : program_,
                      *label_ != '\0' ? "-" : "", label_, static_cast<unsigned long long>(hash_));
    return printed > 0 && static_cast<std::size_t>(printed) < capacity;
  }

 private:
  static constexpr std::size_t kLongestPath = 4096;
  static constexpr std::size_t kLongestLabel = 64;

  static const char* next(const char* word) { return word + std::strlen(word) + 1; }

  // Returns true if the next word may be this one's value.
  template <typename Find>
  bool add_argument(const char* word, bool of_option, const Find& find) {
    const std::size_t length = length_of_option(word);
    if (length > 0) add(word, length);
    const bool is_long = length > 2 && word[1] == '-';
    if (word[length] != '\0') add_word(word + length, of_option || is_long, find);
    return is_long && word[length] == '\0';
  }

  // Returns the length of "--port=" in "--port=8080", of "port=" in "port=8080", of "-p" in "-p8080"; 0 where
  // all of the word is a value.
  static std::size_t length_of_option(const char* word) {
    if (*word == '/' || *word == '.' || plan_words::is_number(word)) return 0;
    const bool has_dash = *word == '-';
    if (has_dash && plan_words::is_letter(word[1]) && plan_words::is_digit(word[2])) return 2;
    const char* equals = std::strchr(word, '=');
    if (equals != nullptr) return static_cast<std::size_t>(equals + 1 - word);
    return has_dash ? std::strlen(word) : 0;
  }

  template <typename Find>
  void add_word(const char* word, bool of_option, const Find& find) {
    if (*word == '\0' || plan_words::is_number(word) || plan_words::is_address(word)) return;
    char path[kLongestPath];
    const Found found = find(word, path, sizeof path);
    const bool may_be_script = found == Found::kFile && !has_file_ && !of_option;
    if (may_be_script) std::memcpy(script_, path, std::strlen(path) + 1);
    has_file_ = has_file_ || found == Found::kFile;
    if (!may_be_script && plan_words::is_temporary(word, temporary_folder_)) return;
    if (found != Found::kNothing) return add_path(path, "");
    add_name(word);
  }

  // Adds a word that names nothing that is there.
  void add_name(const char* word) {
    if (plan_words::has_id(word)) return add_without_id(word);
    if (*word == '/') return add_path(word, "");
    while (word[0] == '.' && word[1] == '/') word += 2;
    add_path(working_folder_, word);
  }

  // Adds the parts that are no hexadecimal digits, and the working folder with them.
  void add_without_id(const char* word) {
    bool counts = false;
    while (*word != '\0') {
      const plan_words::Part part(word);
      const std::size_t length = part.length > 0 ? part.length : 1;
      if (part.length > 0 && !part.hexadecimal) {
        add(word, length);
        counts = true;
      }
      word += length;
    }
    if (!counts) return;
    has_path_ = true;
    add(working_folder_, std::strlen(working_folder_));
  }

  void add_path(const char* folder, const char* name) {
    has_path_ = true;
    add_bytes(folder, std::strlen(folder));
    if (*name != '\0') add_bytes("/", 1);
    add(name, std::strlen(name));
    if (*label_ == '\0') label(*name != '\0' ? name : folder);
  }

  // Takes the beginning of the path's last part into the name, up to a character that a shell may mind.
  void label(const char* path) {
    const char* slash = std::strrchr(path, '/');
    const char* name = slash != nullptr ? slash + 1 : path;
    if (*name == '.') return;
    std::size_t length = 0;
    for (; length < kLongestLabel && plan_words::is_plain(name[length]); ++length) {
      label_[length] = name[length];
    }
    label_[length] = '\0';
  }

  void add_bytes(const char* text, std::size_t length) {
    for (std::size_t i = 0; i < length; ++i) add_value(static_cast<unsigned char>(text[i]));
  }
  // Adds a text and its end, so that "ab" "c" is not "a" "bc".
  void add(const char* text, std::size_t length) {
    add_bytes(text, length);
    add_value(0x100);
  }
  void add_value(std::uint64_t value) { hash_ = fnv_added(hash_, value); }

  const char* program_;
  const char* working_folder_;
  const char* temporary_folder_;
  std::uint64_t hash_ = kFnvBegin;
  bool has_path_ = false;
  bool has_file_ = false;
  char label_[kLongestLabel + 1] = "";
  char script_[kLongestPath] = "";
};

}  // namespace memo
