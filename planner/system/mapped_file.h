// A regular file, mapped to be read.
#pragma once

#include <filesystem>
#include <string_view>

namespace memo::process {

class MappedFile {
 public:
  // Maps the whole file. Throws Unreadable (regular_file.h).
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::string_view bytes() const { return {static_cast<const char*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace memo::process
