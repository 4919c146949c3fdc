#include "planner/tool/status/release_request.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>

#include "runtime/formats/live_page.h"

namespace memo::status {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks(10);

// Returns where the member lies in a page.
template <typename Member>
std::size_t place_of(Member LivePage::*member) {
  alignas(LivePage) static constexpr std::array<char, sizeof(LivePage)> kPage{};
  const auto& page = *reinterpret_cast<const LivePage*>(kPage.data());
  return static_cast<std::size_t>(reinterpret_cast<const char*>(&(page.*member)) - kPage.data());
}

constexpr mode_t kReadable = 0400;  // what the library gives a page
constexpr mode_t kWritable = 0600;

// The page of another process, open to read and to write.
class Page {
 public:
  // Refuses what is no regular file at once: opening a pipe may take for ever.
  explicit Page(const std::filesystem::path& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) {}
  ~Page() {
    if (descriptor_ >= 0) close(descriptor_);
    if (writer_ >= 0) close(writer_);
  }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  [[nodiscard]] bool is_of_this_version() const {
    struct stat about {};
    if (descriptor_ < 0 || fstat(descriptor_, &about) != 0 || !S_ISREG(about.st_mode)) return false;
    char magic[sizeof kLiveMagic] = {};
    return pread(descriptor_, magic, sizeof magic, 0) == sizeof magic &&
           std::memcmp(magic, kLiveMagic, sizeof magic) == 0 &&
           word(place_of(&LivePage::version)) == kLiveVersion &&
           word(place_of(&LivePage::bytes)) == sizeof(LivePage);
  }

  // Returns 0 where the page cannot be read.
  [[nodiscard]] std::uint32_t word(std::size_t place) const {
    std::uint32_t value = 0;
    return pread(descriptor_, &value, sizeof value, static_cast<off_t>(place)) == sizeof value ? value : 0;
  }
  bool set_word(std::size_t place, std::uint32_t value) {
    return pwrite(writer_, &value, sizeof value, static_cast<off_t>(place)) == sizeof value;
  }

  // The page may be read only, so that no program truncates it by accident. Its owner takes the right to write for a moment,
  // of the file that is open already: another may lie at the path by now.
  bool open_to_write() {
    const bool changed = fchmod(descriptor_, kWritable) == 0;
    const std::string same = "/proc/self/fd/" + std::to_string(descriptor_);
    writer_ = open(same.c_str(), O_RDWR | O_CLOEXEC);
    if (changed) fchmod(descriptor_, kReadable);
    return writer_ >= 0;
  }

 private:
  const int descriptor_;
  int writer_ = -1;
};

}  // namespace

Released ask_for_release(const std::filesystem::path& path, std::chrono::milliseconds wait) {
  Page page(path);
  if (!page.is_of_this_version() || !page.open_to_write()) return Released::kNoPage;
  const std::uint32_t asked = page.word(place_of(&LivePage::release_asked)) + 1;
  if (!page.set_word(place_of(&LivePage::release_asked), asked)) return Released::kNoPage;
  const auto end = std::chrono::steady_clock::now() + wait;
  while (page.word(place_of(&LivePage::release_done)) != asked) {
    if (std::chrono::steady_clock::now() >= end) return Released::kNotYet;
    std::this_thread::sleep_for(kBetweenLooks);
  }
  return Released::kDone;
}

}  // namespace memo::status
