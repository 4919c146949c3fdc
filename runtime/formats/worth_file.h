// What serving from a plan was found to be worth, kept beside the plan from one start of the program to the next. The library
// writes and reads it in mode auto (preload/modes/auto/kept_worth.h); the command shows it.
//
//   server.0123456789abcdef.plan
//   server.0123456789abcdef.plan.worth
//
//   +------------+ 0
//   | magic      |   version of the format, kinds in use
//   | plan       |   checksum of the plan: what was found of another one says nothing
//   | library    |   version of the library that found it
//   | kinds      |   for each kind of pass: its key, its passes, what was found and when
//   | checksum   |   of all before it: a file that is cut or damaged in any byte is none
//   +------------+ sizeof(WorthFile)
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "runtime/formats/live_page.h"
#include "runtime/formats/plan_format.h"

namespace memo {

inline constexpr char kWorthSuffix[] = ".worth";  // after the plan's whole name

inline constexpr char kWorthMagic[8] = {'M', 'E', 'M', 'O', 'W', 'R', 'T', 'H'};
inline constexpr std::uint32_t kWorthVersion = 1;
inline constexpr std::uint32_t kMostFoundKinds = 64;  // as many as are told apart (runtime/worth/worth.cpp)

// How long a finding counts. The machine may be another one by then, and may have other work.
inline constexpr std::int64_t kFindingCounts = 3 * 24 * 60 * 60;  // seconds

struct FoundKind {
  std::uint64_t key;     // of its passes
  std::uint64_t passes;  // of it that the process had begun
  Worth worth;
};

struct WorthFile {
  char magic[8];
  std::uint32_t version;
  std::uint32_t count;  // of kinds
  std::uint64_t plan;
  char library[16];
  FoundKind kinds[kMostFoundKinds];
  std::uint64_t checksum;
};
static_assert(sizeof(WorthFile) == offsetof(WorthFile, checksum) + sizeof(WorthFile::checksum));

inline std::uint64_t checksum_of(const WorthFile& file) {
  return plan_checksum(reinterpret_cast<const unsigned char*>(&file), offsetof(WorthFile, checksum));
}

// Returns a file without kinds for this plan and this version of the library, whose text may be cut.
inline WorthFile worth_file_of(std::uint64_t plan, const char* library) {
  WorthFile file{};
  std::memcpy(file.magic, kWorthMagic, sizeof file.magic);
  file.version = kWorthVersion;
  file.plan = plan;
  for (std::size_t at = 0; at + 1 < sizeof file.library && library[at] != '\0'; ++at)
    file.library[at] = library[at];
  return file;
}

// Returns true if the file is whole, and of this plan and this version of the library.
inline bool is_worth_file_of(const WorthFile& file, std::uint64_t plan, const char* library) {
  return std::memcmp(file.magic, kWorthMagic, sizeof file.magic) == 0 && file.version == kWorthVersion &&
         file.checksum == checksum_of(file) && file.count <= kMostFoundKinds && file.plan == plan &&
         std::strncmp(file.library, library, sizeof file.library - 1) == 0;
}

// Returns true if the finding is one, and young enough to count. `now` is in seconds since 1970; the clock may have been set
// back since.
inline bool still_counts(const Worth& worth, std::int64_t now) {
  const bool is_one = worth.finding > Finding::kNothingYet && worth.finding <= Finding::kCannotTell;
  return is_one && worth.found_at > now - kFindingCounts && worth.found_at < now + kFindingCounts;
}

}  // namespace memo
