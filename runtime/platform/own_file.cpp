#include "runtime/platform/own_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>

namespace memo::runtime {
namespace {

constexpr int kFirstFree = STDERR_FILENO + 1;  // the three below are standard streams, open or not
constexpr int kHighest = 1024;  // the kernel keeps, and copies at each fork, a table up to the highest number
constexpr int kRoomAtTop = 32;

// Calls the kernel directly: threads cannot be cancelled there, and no interceptor of a sanitizer that is not
// ready yet comes in between.
template <typename... Arguments>
long kernel(long number, Arguments... arguments) {
  return syscall(number, arguments...);
}

FileIdentity identity_of(const struct statx& about) {
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  const bool born = (about.stx_mask & STATX_BTIME) != 0;
  return {.device = makedev(about.stx_dev_major, about.stx_dev_minor),
          .inode = about.stx_ino,
          .born = born ? about.stx_btime.tv_sec * kNanoseconds + about.stx_btime.tv_nsec : 0,
          .type = about.stx_mode & static_cast<std::uint32_t>(S_IFMT)};
}

FileIdentity identity_of(const struct stat& about) {
  return {.device = about.st_dev, .inode = about.st_ino, .born = 0, .type = about.st_mode & S_IFMT};
}

// Returns true if the older call may succeed: kernels before 4.11 have no statx, and some sandboxes refuse it.
bool may_be_asked_otherwise(int error) {
  return error != EBADF && error != ENOENT && error != EACCES && error != ELOOP;
}

bool identify(int folder, const char* path, int flags, FileIdentity* out) {
  struct statx about {};
  if (kernel(SYS_statx, folder, path, flags, STATX_TYPE | STATX_INO | STATX_BTIME, &about) == 0) {
    *out = identity_of(about);
    return true;
  }
  struct stat older {};
  if (!may_be_asked_otherwise(errno) ||
      kernel(SYS_newfstatat, folder, path, &older, flags & ~AT_STATX_DONT_SYNC) != 0)
    return false;
  *out = identity_of(older);
  return true;
}

bool identify_path(const char* path, int open_flags, FileIdentity* out) {
  return identify(AT_FDCWD, path, (open_flags & O_NOFOLLOW) != 0 ? AT_SYMLINK_NOFOLLOW : 0, out);
}

bool shows(int number, const FileIdentity& identity) {
  FileIdentity now;
  return identify_descriptor(number, &now) && now.is_same_as(identity);
}

bool leads_to(const char* path, int open_flags, const FileIdentity& identity) {
  FileIdentity now;
  return identify_path(path, open_flags, &now) && now.is_same_as(identity);
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

bool FileIdentity::is_same_as(const FileIdentity& other) const {
  return type != 0 && type == other.type && inode == other.inode && device == other.device &&
         (born == other.born || born == 0 || other.born == 0);
}

bool identify_descriptor(int number, FileIdentity* out) {
  return identify(number, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, out);
}

// Checks the file by its path, not by its number, which the program may have taken between two calls. Looks at
// the path before opening, and again if the opened file is another one: a new file may have taken its place
// meanwhile.
bool OwnFile::open(const char* path, int flags, mode_t mode) {
  const int saved = errno;
  FileIdentity before;
  if (!identify_path(path, flags, &before) && (errno != ENOENT || (flags & O_CREAT) == 0)) return false;
  const auto number = static_cast<int>(kernel(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, mode));
  if (number < 0) return false;
  FileIdentity now;
  const bool known = identify_descriptor(number, &now);
  if (!known || (!now.is_same_as(before) && !leads_to(path, flags, now))) {
    errno = EBADF;
    return false;
  }
  identity_ = now;
  const int kept = move_high(number, now);
  __atomic_store_n(&number_, kept, __ATOMIC_RELEASE);
  if (kept >= 0) errno = saved;
  return kept >= 0;
}

// If two threads open it again at once, the second one closes its descriptor.
bool OwnFile::open_again(const char* path, int flags) {
  int lost = number();
  if (!leads_to(path, flags, identity_)) {
    errno = ESTALE;
    return false;
  }
  OwnFile again;
  if (!again.open(path, flags)) return false;
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

ssize_t OwnFile::read(void* out, std::size_t bytes) const {
  const int own = own_number();
  return own < 0 ? -1 : kernel(SYS_read, own, out, bytes);
}

ssize_t OwnFile::write(const void* bytes, std::size_t length) const {
  const int own = own_number();
  return own < 0 ? -1 : kernel(SYS_write, own, bytes, length);
}

// The system call takes the place in two halves; the first holds all 64 bits here. Kernels before 4.6 and
// emulators have only the older calls.
ssize_t OwnFile::write_at(const iovec* parts, int count, off_t place) const {
  const int own = own_number();
  if (own < 0) return -1;
  const ssize_t written = kernel(SYS_pwritev2, own, parts, count, place, 0L, 0);
  if (written >= 0 || errno != ENOSYS) return written;
  return place < 0 ? kernel(SYS_writev, own, parts, count)
                   : kernel(SYS_pwritev, own, parts, count, place, 0L);
}

int OwnFile::punch_hole(off_t begin, off_t bytes) const {
  const int own = own_number();
  const int how = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
  return own < 0 ? -1 : static_cast<int>(kernel(SYS_fallocate, own, how, begin, bytes));
}

int OwnFile::describe(struct stat* about) const {
  const int own = own_number();
  return own < 0 ? -1 : static_cast<int>(kernel(SYS_newfstatat, own, "", about, AT_EMPTY_PATH));
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

ssize_t read_beginning(const char* path, void* out, std::size_t capacity) {
  OwnFile file;
  if (!file.open(path, O_RDONLY)) return -1;
  const ssize_t bytes = file.read(out, capacity);
  const int error = errno;
  file.close();
  errno = error;
  return bytes;
}

}  // namespace memo::runtime
