#include "planner/system/mapped_file.h"

#include <sys/mman.h>

#include <cerrno>
#include <system_error>

#include "planner/system/regular_file.h"

namespace memo::process {

MappedFile::MappedFile(const std::filesystem::path& path) {
  const RegularFile file(path);
  if (file.bytes() == 0) return;
  void* data = mmap(nullptr, file.bytes(), PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  if (data == MAP_FAILED) throw Unreadable(std::generic_category().message(errno));
  data_ = data;
  size_ = file.bytes();
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(data_, size_);
}

}  // namespace memo::process
