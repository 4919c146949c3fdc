#include "preload/modes/auto/kept_worth.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <span>

#include "preload/log/log.h"
#include "preload/platform/platform.h"
#include "preload/platform/relaxed.h"
#include "preload/platform/whole_file.h"
#include "runtime/formats/worth_file.h"
#include "runtime/platform/clock.h"
#include "runtime/platform/own_file.h"
#include "runtime/serving/figures.h"
#include "runtime/worth/worth.h"

namespace memo::guest {
namespace {

constexpr std::int64_t kTogether = 10 * 60;  // seconds, after which a process compares a kind of pass again

std::uint64_t g_kept = 0;  // findings of this process that are in the file
bool g_said = false;       // that the file cannot be written

using Path = char[sizeof(LiveGauges::plan) + sizeof kWorthSuffix];

std::int64_t now_since_1970() {
  return runtime::nanoseconds_since_1970() / runtime::kSecond;
}

// Returns false if there is no such path. A plan's path that was cut leads to none.
bool name_file(const char* plan, Path& path) {
  const std::size_t length = std::strlen(plan);
  std::snprintf(path, sizeof path, "%s%s", plan, kWorthSuffix);
  return length != 0 && length < sizeof(LiveGauges::plan) - 1;
}

// Returns false if there is no file of this plan and this version of the library. Never waits at a pipe of that name.
bool read(const Path& path, std::uint64_t checksum, WorthFile& out) {
  runtime::OwnFile file;
  if (!file.open(path, runtime::Open::kRead | runtime::Open::kNoWaiting)) return false;
  const bool is_whole = file.read(&out, sizeof out) == static_cast<std::int64_t>(sizeof out);
  file.close();
  return is_whole && is_worth_file_of(out, checksum, MEMOMALLOC_VERSION);
}

std::span<FoundKind> kinds_in(WorthFile& file) {
  return {file.kinds, file.count};
}

bool takes_place_of(const Worth& found, const Worth& there) {
  const std::int64_t later = found.found_at - there.found_at;
  const bool are_together = later > -kTogether && later < kTogether;
  return are_together ? found.pairs >= there.pairs : later > 0;
}

// Adds the finding. The oldest one gives way where there is no room.
void add(WorthFile& file, const FoundKind& found) {
  const auto kinds = kinds_in(file);
  const auto there =
      std::find_if(kinds.begin(), kinds.end(), [&](const FoundKind& kind) { return kind.key == found.key; });
  if (there != kinds.end()) {
    if (takes_place_of(found.worth, there->worth)) *there = found;
    return;
  }
  if (file.count < kMostFoundKinds) {
    file.kinds[file.count++] = found;
    return;
  }
  *std::min_element(kinds.begin(), kinds.end(), [](const FoundKind& one, const FoundKind& other) {
    return one.worth.found_at < other.worth.found_at;
  }) = found;
}

// Returns the file as it is now, without what counts no more.
WorthFile present(const Path& path, std::uint64_t checksum) {
  WorthFile there{};
  WorthFile file = worth_file_of(checksum, MEMOMALLOC_VERSION);
  if (!read(path, checksum, there)) return file;
  const std::int64_t now = now_since_1970();
  for (const FoundKind& kind : kinds_in(there)) {
    if (still_counts(kind.worth, now)) add(file, kind);
  }
  return file;
}

// Where the kernel would end the program for a file of that size, there is none.
void write(const Path& path, WorthFile& file) {
  if (platform::greatest_file_bytes() < sizeof file) return;
  file.checksum = checksum_of(file);
  const int error = platform::replace_file(path, &file, sizeof file);
  if (error == 0 || __atomic_exchange_n(&g_said, true, __ATOMIC_RELAXED)) return;
  log_note("cannot keep what serving is worth in ", static_cast<const char*>(path), ": ",
           platform::describe_error(error));
}

}  // namespace

void take_over_findings(const char* plan, std::uint64_t checksum) {
  Path path;
  WorthFile file{};
  if (!name_file(plan, path) || !read(path, checksum, file)) return;
  const std::int64_t now = now_since_1970();
  for (const FoundKind& kind : kinds_in(file)) {
    if (still_counts(kind.worth, now)) runtime::take_over(kind.key, kind.worth);
  }
}

bool keep_findings(const char* plan, std::uint64_t checksum) {
  FoundKind found[kMostFoundKinds];
  std::uint32_t count = 0;
  if (!runtime::copy_findings(found, &count)) return false;
  Path path;
  if (count == 0 || !name_file(plan, path)) return true;
  WorthFile file = present(path, checksum);
  for (std::uint32_t kind = 0; kind < count; ++kind) add(file, found[kind]);
  write(path, file);
  return true;
}

void take_over_what_was_found() {
  LiveGauges serving{};
  if (runtime::look_at_serving_without_waiting(&serving)) take_over_findings(serving.plan, serving.plan_hash);
}

bool has_found_more() {
  return runtime::findings_made() != read_relaxed(g_kept);
}

void keep_what_was_found() {
  const std::uint64_t made = runtime::findings_made();
  LiveGauges serving{};
  if (runtime::look_at_serving_without_waiting(&serving) && keep_findings(serving.plan, serving.plan_hash))
    write_relaxed(g_kept, made);
}

}  // namespace memo::guest
