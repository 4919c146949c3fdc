#include "preload/profile/trace_file.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>

#include "preload/log/log.h"
#include "preload/platform/platform.h"
#include "preload/profile/clock.h"

namespace memo::guest {
namespace {

constexpr int kMostSameNames = 1000;

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

void TraceFile::configure(const char* pattern, std::uint64_t limit) {
  pattern_ = pattern;
  limit_ = limit;
}

bool TraceFile::is_open() const {
  return __atomic_load_n(&state_, __ATOMIC_ACQUIRE) == kOpen;
}

// Never writes over anything: the second process of a name gets ".2" behind it.
int TraceFile::open_new() {
  Path path;
  expand(pattern_, path);
  const std::size_t plain = path.length;
  for (unsigned long copy = 1; copy < kMostSameNames; ++copy) {
    if (copy > 1) {
      path.length = plain;
      path.append('.');
      path.append(copy);
    }
    const int file = open(path.text, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
    if (file >= 0) log_note("recording to ", static_cast<const char*>(path.text));
    if (file >= 0) return file;
    if (errno != EEXIST) break;
  }
  log_trouble("cannot write the trace \"", static_cast<const char*>(path.text),
              "\": ", platform::describe_error(errno), "; nothing is recorded");
  return -1;
}

bool TraceFile::ensure_open() {
  State expected = kClosed;
  if (__atomic_compare_exchange_n(&state_, &expected, kOpening, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    file_ = open_new();
    __atomic_store_n(&state_, file_ >= 0 ? kOpen : kFailed, __ATOMIC_RELEASE);
  }
  while (__atomic_load_n(&state_, __ATOMIC_ACQUIRE) == kOpening) platform::yield_processor();
  return is_open();
}

bool TraceFile::append(trace::BlockKind kind, std::uint32_t thread, std::uint64_t sequence,
                       std::uint64_t lost, const void* payload, std::size_t bytes) {
  trace::BlockHeader header{
      trace::kMagic, trace::kVersion,  kind, static_cast<std::uint32_t>(bytes), thread, 0, sequence, lost,
      ticks_now(),   nanoseconds_now()};
  header.checksum = trace::block_checksum(header, payload);
  const std::size_t total = sizeof header + bytes;
  if (__atomic_add_fetch(&written_, total, __ATOMIC_RELAXED) > limit_) {
    failure_ = "it has reached its greatest size (MEMOMALLOC_TRACE_LIMIT)";
    return false;
  }
  const iovec parts[] = {{&header, sizeof header}, {const_cast<void*>(payload), bytes}};
  const int saved = errno;
  ssize_t done = -1;
  do {
    done = writev(file_, parts, 2);
  } while (done < 0 && errno == EINTR);
  failure_ = done < 0 ? platform::describe_error(errno) : "the disk is full";
  errno = saved;
  return done == static_cast<ssize_t>(total);
}

void TraceFile::forget() {
  if (file_ >= 0) close(file_);
  file_ = -1;
  written_ = 0;
  state_ = kClosed;
}

}  // namespace memo::guest
