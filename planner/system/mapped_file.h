// The bytes of a regular file, to be read as they lie in memory. No reader of them faults where a page of the file cannot be
// had: a hole in a file on a full file system in memory has none, nor has the end of a file that was cut off meanwhile.
#pragma once

#include <filesystem>
#include <string_view>

namespace memo::process {

enum class Writer {
  kNone,  // nobody writes to the file, as to an installed program: it is mapped, unless it has holes
  kSome   // its program may write to it, cut it off and make holes: it is copied, except for holes
};

class MappedFile {
 public:
  // Throws Unreadable (regular_file.h).
  explicit MappedFile(const std::filesystem::path& path, Writer writer = Writer::kNone);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::string_view bytes() const { return {static_cast<const char*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace memo::process
