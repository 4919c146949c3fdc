#include "runtime/platform/own_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstdio>

#include "runtime/platform/kernel_call.h"
#include "runtime/platform/paths.h"

namespace memo::runtime {
namespace {

constexpr int kFirstFree = STDERR_FILENO + 1;  // the three below are standard streams, open or not
constexpr int kHighest = 1024;  // the kernel keeps, and copies at each fork, a table up to the highest number
constexpr int kRoomAtTop = 32;

int flags_of(Open how) {
  struct {
    Open way;
    int flags;
  } static constexpr kFlags[] = {
      {Open::kWrite, O_WRONLY},  {Open::kReadAndWrite, O_RDWR}, {Open::kPathOnly, O_PATH},
      {Open::kAppend, O_APPEND}, {Open::kMake, O_CREAT},        {Open::kMakeNew, O_CREAT | O_EXCL},
      {Open::kEmpty, O_TRUNC},   {Open::kNoLink, O_NOFOLLOW},   {Open::kNoWaiting, O_NONBLOCK | O_NOCTTY}};
  int flags = O_RDONLY | O_CLOEXEC;
  for (const auto& each : kFlags) flags |= has(how, each.way) ? each.flags : 0;
  return flags;
}

bool identify_as_opened(const char* path, Open how, FileIdentity* out) {
  return identify_path(path, has(how, Open::kNoLink) ? LastLink::kLeave : LastLink::kFollow, out);
}

bool leads_to(const char* path, Open how, const FileIdentity& identity) {
  FileIdentity now;
  return identify_as_opened(path, how, &now) && now.is_same_as(identity);
}

int close_if_shows(int number, const FileIdentity& identity) {
  if (shows(number, identity)) return static_cast<int>(kernel(SYS_close, number));
  errno = EBADF;
  return -1;
}

int highest_number() {
  struct rlimit limit {};
  const bool known = kernel(SYS_prlimit64, 0, RLIMIT_NOFILE, nullptr, &limit) == 0;
  return known && limit.rlim_cur < kHighest ? static_cast<int>(limit.rlim_cur) : kHighest;
}

// Returns a second number for the file, as high as possible; -1 if there is none.
int duplicate_high(int number) {
  for (int from = highest_number() - kRoomAtTop; from > kFirstFree; from /= 2) {
    const auto high = static_cast<int>(kernel(SYS_fcntl, number, F_DUPFD_CLOEXEC, from));
    if (high >= 0 || errno == EBADF) return high;
  }
  return static_cast<int>(kernel(SYS_fcntl, number, F_DUPFD_CLOEXEC, kFirstFree));
}

// Returns the number that the file has from then on; -1 with errno set. If no other number is free the file
// keeps its own, unless that is one of the first three: those are the standard streams, which any code may
// write to.
int move_high(int number, const FileIdentity& identity) {
  const int high = duplicate_high(number);
  if (high < 0 && errno != EBADF && number >= kFirstFree) return number;
  const int error = high < 0 ? errno : EBADF;
  close_if_shows(number, identity);
  if (high >= 0 && shows(high, identity)) return high;
  errno = error;
  return -1;
}

}  // namespace

// Checks the file by its path, not by its number, which the program may have taken between two calls. Looks at
// the path before opening, and again if the opened file is another one: a new file may have taken its place
// meanwhile.
bool OwnFile::open(const char* path, Open how, unsigned rights) {
  const int saved = errno;
  FileIdentity before;
  const bool makes = has(how, Open::kMake | Open::kMakeNew);
  if (!identify_as_opened(path, how, &before) && (errno != ENOENT || !makes)) return false;
  const auto number = static_cast<int>(kernel(SYS_openat, AT_FDCWD, path, flags_of(how), rights));
  if (number < 0) return false;
  FileIdentity now;
  const bool known = identify_descriptor(number, &now);
  if (!known || (!now.is_same_as(before) && !leads_to(path, how, now))) {
    errno = EBADF;
    return false;
  }
  identity_ = now;
  const int kept = move_high(number, now);
  __atomic_store_n(&number_, kept, __ATOMIC_RELEASE);
  if (kept >= 0) errno = saved;
  return kept >= 0;
}

bool OwnFile::open_in_place_of(const char* path, Open how, unsigned rights) {
  const Open anew = how | Open::kMakeNew;
  return open(path, anew, rights) || (errno == EEXIST && remove_file(path) && open(path, anew, rights));
}

// If two threads open it again at once, the second one closes its descriptor.
bool OwnFile::open_again(const char* path, Open how) {
  int lost = number();
  if (!leads_to(path, how, identity_)) {
    errno = ESTALE;
    return false;
  }
  OwnFile again;
  if (!again.open(path, how)) return false;
  if (!again.identity_.is_same_as(identity_)) {
    again.close();
    errno = ESTALE;
    return false;
  }
  if (!__atomic_compare_exchange_n(&number_, &lost, again.number_, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    again.close();
  return true;
}

bool OwnFile::is_own() const {
  return shows(number(), identity_);
}

int OwnFile::own_number() const {
  const int present = number();
  if (shows(present, identity_)) return present;
  errno = EBADF;
  return -1;
}

std::int64_t OwnFile::read(void* out, std::size_t bytes) const {
  const int own = own_number();
  return own < 0 ? -1 : kernel(SYS_read, own, out, bytes);
}

std::int64_t OwnFile::write(const void* bytes, std::size_t length) const {
  const int own = own_number();
  return own < 0 ? -1 : kernel(SYS_write, own, bytes, length);
}

// The system call takes the place in two halves; the first holds all 64 bits here. Kernels before 4.6 and
// emulators have only the older calls.
std::int64_t OwnFile::write_at(FilePart head, FilePart rest, std::int64_t place) const {
  const int own = own_number();
  if (own < 0) return -1;
  const iovec parts[] = {{const_cast<void*>(head.bytes), head.length},
                         {const_cast<void*>(rest.bytes), rest.length}};
  const long written = kernel(SYS_pwritev2, own, parts, 2, place, 0L, 0);
  if (written >= 0 || errno != ENOSYS) return written;
  return place < 0 ? kernel(SYS_writev, own, parts, 2) : kernel(SYS_pwritev, own, parts, 2, place, 0L);
}

int OwnFile::punch_hole(std::int64_t begin, std::int64_t bytes) const {
  const int own = own_number();
  const int how = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
  return own < 0 ? -1 : static_cast<int>(kernel(SYS_fallocate, own, how, begin, bytes));
}

bool OwnFile::describe(FileFacts* out) const {
  const int own = own_number();
  return own >= 0 && look_at_descriptor(own, out);
}

bool OwnFile::find_path(char* out, std::size_t capacity) const {
  char link[32];
  const int own = own_number();
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", own);
  return own >= 0 && read_link(link, out, capacity) && is_own();
}

void* OwnFile::map_shared(std::size_t bytes) const {
  const int own = own_number();
  if (own < 0 || fallocate(own, 0, 0, static_cast<off_t>(bytes)) != 0) return nullptr;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, own, 0);
  return memory != MAP_FAILED ? memory : nullptr;
}

int OwnFile::lock() const {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  const int own = own_number();
  return own < 0 ? -1 : static_cast<int>(kernel(SYS_fcntl, own, F_SETLK, &whole));
}

int OwnFile::close() {
  const int number = __atomic_exchange_n(&number_, -1, __ATOMIC_ACQ_REL);
  return number < 0 ? 0 : close_if_shows(number, identity_);
}

std::int64_t read_beginning(const char* path, void* out, std::size_t capacity) {
  OwnFile file;
  if (!file.open(path, Open::kRead)) return -1;
  const std::int64_t bytes = file.read(out, capacity);
  const int error = errno;
  file.close();
  errno = error;
  return bytes;
}

}  // namespace memo::runtime
