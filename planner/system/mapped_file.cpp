#include "planner/system/mapped_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "planner/system/regular_file.h"

namespace memo::process {
namespace {

[[noreturn]] void refuse(int error) {
  throw Unreadable(std::generic_category().message(error));
}

// Returns where the next data, or the next hole, begins. File systems that know of no holes say: data, up to the end.
std::size_t seek(const RegularFile& file, std::size_t from, int what) {
  const off_t found = lseek(file.descriptor(), static_cast<off_t>(from), what);
  if (found >= 0) return std::min(static_cast<std::size_t>(found), file.bytes());
  return errno == EINVAL && what == SEEK_DATA ? from : file.bytes();
}

bool has_holes(const RegularFile& file) {
  return seek(file, 0, SEEK_HOLE) < file.bytes();
}

// Reads up to `end`, or to where the file ends by now.
void read_into(char* bytes, const RegularFile& file, std::size_t begin, std::size_t end) {
  while (begin < end) {
    const ssize_t count = pread(file.descriptor(), bytes + begin, end - begin, static_cast<off_t>(begin));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(errno);
    if (count == 0) return;
    begin += static_cast<std::size_t>(count);
  }
}

// Leaves holes as pages that nobody has touched: they read as zeros and take no memory.
void copy(char* bytes, const RegularFile& file) {
  for (std::size_t begin = seek(file, 0, SEEK_DATA); begin < file.bytes();) {
    const std::size_t end = seek(file, begin, SEEK_HOLE);
    read_into(bytes, file, begin, end);
    begin = end < file.bytes() ? seek(file, end, SEEK_DATA) : end;
  }
}

void* mapping(std::size_t size, int rights, int flags, int descriptor) {
  void* data = mmap(nullptr, size, rights, MAP_PRIVATE | flags, descriptor, 0);
  if (data == MAP_FAILED) refuse(errno);
  return data;
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path, Writer writer) {
  const RegularFile file(path);
  if (file.bytes() == 0) return;
  if (writer == Writer::kNone && !has_holes(file)) {
    data_ = mapping(file.bytes(), PROT_READ, 0, file.descriptor());
    size_ = file.bytes();
    return;
  }
  data_ = mapping(file.bytes(), PROT_READ | PROT_WRITE, MAP_ANONYMOUS, -1);
  size_ = file.bytes();
  try {
    copy(static_cast<char*>(data_), file);
  } catch (const Unreadable&) {
    munmap(data_, size_);
    throw;
  }
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(data_, size_);
}

}  // namespace memo::process
