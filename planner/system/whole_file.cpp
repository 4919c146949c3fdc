#include "planner/system/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace memo::process {
namespace {

[[noreturn]] void fail(int error) {
  throw std::system_error(error, std::generic_category());
}

// Whatever the umask is, not everybody may write to the file: the library refuses such plans.
constexpr mode_t kRights = 0664;

// The file under its temporary name. The destructor deletes it unless it was moved to its final path.
class Unfinished {
 public:
  explicit Unfinished(const std::filesystem::path& path) {
    // Limits the search past files that killed processes with the same process id have left.
    constexpr int kMostLeftovers = 100;
    for (int copy = 0; copy < kMostLeftovers && file_ < 0; ++copy) {
      name_ = fmt::format("{}.{}.{}.part", path.string(), getpid(), copy);
      file_ = open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kRights);
      if (file_ < 0 && errno != EEXIST) break;
    }
    if (file_ < 0) fail(errno);
  }
  ~Unfinished() {
    if (file_ >= 0) close(file_);
    if (!name_.empty()) unlink(name_.c_str());
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

  void write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = ::write(file_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(errno);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void move_to(const std::filesystem::path& path) {
    const int closed = close(file_);
    file_ = -1;
    if (closed != 0 || rename(name_.c_str(), path.c_str()) != 0) fail(errno);
    name_.clear();
  }

 private:
  std::string name_;
  int file_ = -1;
};

}  // namespace

void write_whole_file(const std::filesystem::path& path, std::string_view bytes) {
  Unfinished unfinished(path);
  unfinished.write(bytes);
  unfinished.move_to(path);
}

}  // namespace memo::process
