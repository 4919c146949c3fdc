#include "preload/profile/trace_file.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>

#include "preload/log/log.h"
#include "preload/platform/kept_errno.h"
#include "preload/platform/platform.h"
#include "preload/profile/clock.h"

namespace memo::guest {
namespace {

constexpr int kMostSameNames = 1000;
constexpr std::uint64_t kRoomForEnd = 4096;  // the last block is written whatever the limit
constexpr off_t kAtEnd = -1;  // for pwritev2: at the file's own position, which O_APPEND keeps at its end

// A path under construction; cut where it is too long to be one.
struct Path {
  char text[PATH_MAX];
  std::size_t length = 0;

  void append(const char* part) {
    for (; *part != '\0' && length + 1 < sizeof text; ++part) text[length++] = *part;
    text[length] = '\0';
  }
  void append(unsigned long number) {
    char digits[24];
    char* at = digits + sizeof digits - 1;
    *at = '\0';
    do {
      *--at = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    append(at);
  }
  void append(char c) {
    const char text_of_c[] = {c, '\0'};
    append(text_of_c);
  }
};

const char* base_name(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

void expand(const char* pattern, Path& path) {
  for (; *pattern != '\0'; ++pattern) {
    if (pattern[0] == '%' && pattern[1] == 'p') {
      path.append(platform::process_id());
      ++pattern;
    } else if (pattern[0] == '%' && pattern[1] == 'c') {
      path.append(base_name(platform::program_path()));
      ++pattern;
    } else {
      path.append(*pattern);
    }
  }
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

// Never writes over anything: the second process of a name gets ".2" behind it. The owner's alone: it tells where a
// running process keeps its code and data.
int TraceFile::open_new() {
  constexpr unsigned long kLeastRing = TraceRing::kFewestChunks * TraceRing::kChunkBytes;
  if (keep_ == Keep::kNewest && platform::greatest_file_bytes() < kLeastRing) {
    log_trouble("a trace of the newest passes needs ", kLeastRing, " bytes and files may have ",
                platform::greatest_file_bytes(), " (ulimit -f); nothing is recorded");
    return -1;
  }
  Path path;
  expand(pattern_, path);
  const std::size_t plain = path.length;
  for (unsigned long copy = 1; copy < kMostSameNames; ++copy) {
    if (copy > 1) {
      path.length = plain;
      path.append('.');
      path.append(copy);
    }
    const int end = keep_ == Keep::kFirst ? O_APPEND : 0;
    const int file = open(path.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | end, 0600);
    if (file >= 0) log_note("recording to ", static_cast<const char*>(path.text));
    if (file >= 0) return file;
    if (errno != EEXIST) break;
  }
  log_trouble("cannot write the trace \"", static_cast<const char*>(path.text),
              "\": ", platform::describe_error(errno), "; nothing is recorded");
  return -1;
}

// Whoever comes while the file before is being let go of waits, too: what is no file yet is none that failed.
bool TraceFile::ensure_open() {
  for (;;) {
    State state = kClosed;
    if (__atomic_compare_exchange_n(&state_, &state, kOpening, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      file_ = open_new();
      state = file_ >= 0 ? kOpen : kFailed;
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

// What was in the chunk must not be taken for what comes into it. Where the file system cannot do that, the reader
// meets the remains of overwritten blocks and says so.
void TraceFile::empty_chunk(std::uint64_t begin) const {
  const KeptErrno kept;
  fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(begin),
            static_cast<off_t>(TraceRing::kChunkBytes));
}

bool TraceFile::find_place(trace::BlockKind kind, std::size_t bytes, off_t& place) {
  static constexpr const char* kFull =
      "it has reached its greatest size (MEMOMALLOC_TRACE_LIMIT, or ulimit -f)";
  if (keep_ == Keep::kFirst) {
    place = kAtEnd;
    const bool room = __atomic_add_fetch(&written_, bytes, __ATOMIC_RELAXED) <= limit_;
    return room || kind == trace::BlockKind::kEnd || fail(kFull);
  }
  const bool events = kind == trace::BlockKind::kEvents || kind == trace::BlockKind::kEnd;
  const std::uint64_t found = ring_.place(events ? TraceRing::Use::kEvents : TraceRing::Use::kLasting, bytes,
                                          [this](std::uint64_t begin) { empty_chunk(begin); });
  place = static_cast<off_t>(found);
  return found != TraceRing::kNoPlace || fail(kFull);
}

// Behind a block that could not be written comes only the end: events must not refer to what is not there.
bool TraceFile::append(trace::BlockKind kind, std::uint32_t thread, std::uint64_t sequence,
                       std::uint64_t lost, const void* payload, std::size_t bytes) {
  trace::BlockHeader header{
      trace::kMagic, trace::kVersion,  kind, static_cast<std::uint32_t>(bytes), thread, 0, sequence, lost,
      ticks_now(),   nanoseconds_now()};
  header.checksum = trace::block_checksum(header, payload);
  const std::size_t total = sizeof header + bytes;
  off_t place = kAtEnd;
  const Use use(*this);
  if (!use.may_write()) return false;
  if (failure() != nullptr && kind != trace::BlockKind::kEnd) return false;
  if (!find_place(kind, total, place)) return false;
  const iovec parts[] = {{&header, sizeof header}, {const_cast<void*>(payload), bytes}};
  const KeptErrno kept;
  ssize_t done = -1;
  do {
    done = pwritev2(file_, parts, 2, place, 0);
  } while (done < 0 && errno == EINTR);
  if (done == static_cast<ssize_t>(total)) return true;
  return fail(done < 0 ? platform::describe_error(errno) : "the disk is full");
}

// Of the parent's threads that were at it none is in the child.
void TraceFile::forget() {
  users_ = 0;
  begin_anew();
}

// Who comes now finds it closed, and is counted: threads come late.
void TraceFile::begin_anew() {
  if (file_ >= 0) close(file_);
  file_ = -1;
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
  begin_anew();
  return true;
}

}  // namespace memo::guest
