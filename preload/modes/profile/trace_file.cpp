#include "preload/modes/profile/trace_file.h"

#include <cerrno>
#include <climits>
#include <cstring>

#include "preload/log/log.h"
#include "preload/modes/profile/clock.h"
#include "preload/platform/decimal.h"
#include "preload/platform/kept_errno.h"
#include "preload/platform/platform.h"
#include "runtime/platform/lock_order.h"
#include "runtime/platform/paths.h"

namespace memo::guest {
namespace {

constexpr int kMostSameNames = 1000;
constexpr std::uint64_t kRoomForEnd = 4096;  // bytes: the last block may exceed the limit
constexpr int kMostAttempts = 100;           // to write to a file that the program closes again and again

// A path under construction, cut at PATH_MAX bytes.
struct Path {
  char* text;
  std::size_t length = 0;

  void append(const char* part) {
    for (; *part != '\0' && length + 1 < PATH_MAX; ++part) text[length++] = *part;
    text[length] = '\0';
  }
  void append(unsigned long number) { append(Decimal(number).text()); }
  void append(char c) {
    const char text_of_c[] = {c, '\0'};
    append(text_of_c);
  }
};

using runtime::Open;
Open how_to_write(TraceFile::Keep keep) {
  return keep == TraceFile::Keep::kFirst ? Open::kWrite | Open::kAppend : Open::kWrite;
}

void expand(const char* pattern, Path& path) {
  for (; *pattern != '\0'; ++pattern) {
    if (pattern[0] == '%' && pattern[1] == 'p') {
      path.append(platform::process_id());
      ++pattern;
    } else if (pattern[0] == '%' && pattern[1] == 'c') {
      path.append(runtime::base_name(platform::program_path()));
      ++pattern;
    } else {
      path.append(*pattern);
    }
  }
}

// Puts the working folder before a relative path, since the program may change its folder. Leaves the path
// relative if the folder takes more than half of PATH_MAX.
void append_folder(const char* pattern, Path& path) {
  if (*pattern == '/') return;
  if (!runtime::working_folder(path.text, PATH_MAX / 2)) return;
  path.length = std::strlen(path.text);
  path.append('/');
}

}  // namespace

void TraceFile::configure(const char* pattern, std::uint64_t limit, Keep keep) {
  pattern_ = pattern;
  const std::uint64_t most = platform::greatest_file_bytes();
  const std::uint64_t room = most > kRoomForEnd ? most - kRoomForEnd : 0;
  limit_ = limit < room ? limit : room;
  keep_ = keep;
  ring_.start(limit_);
}

bool TraceFile::is_open() const {
  return __atomic_load_n(&state_, __ATOMIC_ACQUIRE) == kOpen;
}

// Never overwrites a file: the second trace of a name gets ".2" appended. Only the owner may read it, since it
// tells where a running process keeps its code and data.
bool TraceFile::open_new() {
  constexpr unsigned long kLeastRing = TraceRing::kFewestChunks * TraceRing::kChunkBytes;
  if (keep_ == Keep::kNewest && platform::greatest_file_bytes() < kLeastRing) {
    log_trouble("a trace of the newest passes needs ", kLeastRing, " bytes and files may have ",
                platform::greatest_file_bytes(), " (ulimit -f); nothing is recorded");
    return false;
  }
  Path path{path_};
  append_folder(pattern_, path);
  const char* const shown = path_ + path.length;
  expand(pattern_, path);
  const std::size_t plain = path.length;
  for (unsigned long copy = 1; copy < kMostSameNames; ++copy) {
    if (copy > 1) {
      path.length = plain;
      path.append('.');
      path.append(copy);
    }
    if (file_.open(shown, how_to_write(keep_) | Open::kMakeNew, 0600)) {
      log_note("recording to ", shown);
      return true;
    }
    if (errno != EEXIST) break;
  }
  log_trouble("cannot write the trace \"", shown, "\": ", platform::describe_error(errno),
              "; nothing is recorded");
  return false;
}

bool TraceFile::open_again() {
  return file_.open_again(path_, how_to_write(keep_) | Open::kNoLink);
}

// A thread that comes while another one forgets the previous file waits, too: a file that is not open yet has
// not failed.
bool TraceFile::ensure_open() {
  runtime::expect_may_wait_for(runtime::Lock::kTraceFile);
  for (;;) {
    State state = kClosed;
    if (__atomic_compare_exchange_n(&state_, &state, kOpening, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      runtime::note_taken(runtime::Lock::kTraceFile);
      state = open_new() ? kOpen : kFailed;
      runtime::note_given_back(runtime::Lock::kTraceFile);
      __atomic_store_n(&state_, state, __ATOMIC_RELEASE);
    }
    if (state != kOpening && state != kForgetting) return state == kOpen;
    platform::yield_processor();
  }
}

bool TraceFile::fail(const char* why) {
  __atomic_store_n(&failure_, why, __ATOMIC_RELAXED);
  return false;
}

// Punches a hole where the chunk is, so that readers do not take old blocks for new ones. Where the file system
// cannot do that, the reader meets the remains of overwritten blocks and says so.
void TraceFile::empty_chunk(std::uint64_t begin) {
  const KeptErrno kept;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    const int done = file_.punch_hole(static_cast<std::int64_t>(begin), std::int64_t{TraceRing::kChunkBytes});
    if (done == 0 || errno != EBADF || !open_again()) return;
  }
}

bool TraceFile::find_place(trace::BlockKind kind, std::size_t bytes, std::int64_t& place) {
  static constexpr const char* kFull =
      "it has reached its greatest size (MEMOMALLOC_TRACE_LIMIT, or ulimit -f)";
  if (keep_ == Keep::kFirst) {
    place = runtime::OwnFile::kAtEnd;
    const bool room = __atomic_add_fetch(&written_, bytes, __ATOMIC_RELAXED) <= limit_;
    return room || kind == trace::BlockKind::kEnd || fail(kFull);
  }
  const bool events = kind == trace::BlockKind::kEvents || kind == trace::BlockKind::kEnd;
  const std::uint64_t found = ring_.place(events ? TraceRing::Use::kEvents : TraceRing::Use::kLasting, bytes,
                                          [this](std::uint64_t begin) { empty_chunk(begin); });
  place = static_cast<std::int64_t>(found);
  return found != TraceRing::kNoPlace || fail(kFull);
}

// After a failed write, only the end block is written: events must not refer to blocks that are missing.
bool TraceFile::append(trace::BlockKind kind, std::uint32_t thread, std::uint64_t sequence,
                       std::uint64_t lost, const void* payload, std::size_t bytes) {
  trace::BlockHeader header{trace::kMagic, trace::kVersion,
                            kind,          static_cast<std::uint32_t>(bytes),
                            thread,        0,
                            sequence,      lost,
                            ticks_now(),   static_cast<std::uint64_t>(nanoseconds_now())};
  header.checksum = trace::block_checksum(header, payload);
  const std::size_t total = sizeof header + bytes;
  std::int64_t place = runtime::OwnFile::kAtEnd;
  const Use use(*this);
  if (!use.may_write()) return false;
  if (failure() != nullptr && kind != trace::BlockKind::kEnd) return false;
  if (!find_place(kind, total, place)) return false;
  return write_block({&header, sizeof header}, {payload, bytes}, place);
}

bool TraceFile::write_block(runtime::FilePart header, runtime::FilePart payload, std::int64_t place) {
  const KeptErrno kept;
  for (int attempt = 0; attempt < kMostAttempts;) {
    const std::int64_t done = file_.write_at(header, payload, place);
    if (done == static_cast<std::int64_t>(header.length + payload.length)) return true;
    if (done >= 0) return fail("the disk is full");
    if (errno == EINTR) continue;
    if (errno != EBADF) return fail(platform::describe_error(errno));
    if (!open_again()) break;
    ++attempt;
  }
  return fail(
      "the program closed its file, which cannot be opened again by its path; leave a descriptor free (ulimit -n), "
      "and let MEMOMALLOC_TRACE name a place that stays there and that the program may open");
}

// Resets the count of users: the parent's threads that used the file do not exist in the child.
void TraceFile::forget() {
  users_ = 0;
  begin_anew();
}

// Leaves users_ as it is: a thread that arrives late is counted there, and finds the file closed.
void TraceFile::begin_anew() {
  const KeptErrno kept;
  file_.close();
  written_ = 0;
  __atomic_store_n(&failure_, static_cast<const char*>(nullptr), __ATOMIC_RELAXED);
  ring_.start(limit_);
  __atomic_add_fetch(&number_, 1U, __ATOMIC_RELEASE);
  __atomic_store_n(&state_, kClosed, __ATOMIC_RELEASE);
}

bool TraceFile::try_forget() {
  State before = __atomic_load_n(&state_, __ATOMIC_RELAXED);
  if (before == kOpening || !__atomic_compare_exchange_n(&state_, &before, kForgetting, false,
                                                         __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
    return false;
  }
  if (__atomic_load_n(&users_, __ATOMIC_SEQ_CST) != 0) {
    __atomic_store_n(&state_, before, __ATOMIC_RELEASE);
    return false;
  }
  runtime::note_taken(runtime::Lock::kTraceFile);
  begin_anew();
  runtime::note_given_back(runtime::Lock::kTraceFile);
  return true;
}

}  // namespace memo::guest
