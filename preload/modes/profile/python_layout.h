// Where CPython keeps the functions that a thread is in. The numbers are offsets in bytes.
//
//   thread state ─ current → [holder ─ held →] frame ─ previous → frame … → null
//                                              frame ─ code → code object ─ name, file, line
//
// One call of the evaluator runs several frames, where functions of Python call each other. The group of one call ends with a
// frame that is marked (3.11), or is followed by a marked frame that is no function (from 3.12 on).
//
// The layouts of a minor version never change after its first release: extension modules are compiled against them.
#pragma once

#include <cstdint>

namespace memo::guest {

enum class GroupEnd : std::uint8_t { kMarkedFunction, kMarkedShim };

struct PythonLayout {
  unsigned minor;  // of Python 3
  std::uint16_t current;
  bool is_held;
  std::uint16_t held;
  std::uint16_t frame_code;
  std::uint16_t frame_previous;
  std::uint16_t frame_mark;  // a byte
  std::uint8_t mark;         // its value at the end of a group
  GroupEnd group_end;
  std::uint16_t code_file;
  std::uint16_t code_name;
  std::uint16_t code_line;   // an int
  std::uint16_t ascii_text;  // in a string of ASCII: where its characters are
  std::uint16_t other_text;  // in any other string
};

inline constexpr PythonLayout kPythonLayouts[] = {
    {11, 56, true, 8, 32, 48, 68, 1, GroupEnd::kMarkedFunction, 112, 128, 72, 48, 72},
    {12, 56, true, 0, 0, 8, 70, 3, GroupEnd::kMarkedShim, 112, 128, 68, 40, 56},
    {13, 72, false, 0, 0, 8, 70, 3, GroupEnd::kMarkedShim, 112, 128, 68, 40, 56},
};

// What all of these versions have in common.
inline constexpr std::uint16_t kObjectType = 8;
inline constexpr std::uint16_t kStringLength = 16;
inline constexpr std::uint16_t kStringHash = 24;
inline constexpr std::uint16_t kStringState =
    32;  // an unsigned int: bytes of a character << 2, compact << 5, ASCII << 6

}  // namespace memo::guest
