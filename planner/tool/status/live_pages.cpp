#include "planner/tool/status/live_pages.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <stdexcept>

#include "memomalloc/arena.h"
#include "planner/system/regular_file.h"
#include "runtime/formats/live_page.h"

namespace memo::status {
namespace {

namespace fs = std::filesystem;

constexpr int kTries = 100;  // the writer changes the page for less than a microsecond, once a second

struct alignas(LivePage) Copy {
  std::array<char, sizeof(LivePage)> bytes;
};

// Ends every text where its array does: the page of another user may hold anything.
void end_texts(LivePage& page) {
  page.process.library[sizeof page.process.library - 1] = '\0';
  page.process.mode[sizeof page.process.mode - 1] = '\0';
  page.process.program[sizeof page.process.program - 1] = '\0';
  page.process.said[sizeof page.process.said - 1] = '\0';
  page.gauges.state[sizeof page.gauges.state - 1] = '\0';
  page.gauges.plan[sizeof page.gauges.plan - 1] = '\0';
}

bool read_once(const process::RegularFile& file, Copy& copy) {
  if (pread(file.descriptor(), copy.bytes.data(), copy.bytes.size(), 0) !=
      static_cast<ssize_t>(copy.bytes.size()))
    return false;
  end_texts(*reinterpret_cast<LivePage*>(copy.bytes.data()));
  return true;
}

// Returns how often the writer began or ended a change; an odd number where the page cannot be read.
std::uint32_t count_changes(const process::RegularFile& file) {
  Copy copy;
  if (!read_once(file, copy)) return 1;
  return reinterpret_cast<const LivePage*>(copy.bytes.data())->sequence.load(std::memory_order_relaxed);
}

// Returns true if no change began or ended while the page was copied.
bool read_steadily(const process::RegularFile& file, Copy& copy) {
  for (int attempt = 0; attempt < kTries; ++attempt) {
    const std::uint32_t before = count_changes(file);
    if (!read_once(file, copy)) return false;
    if (before % 2 == 0 && count_changes(file) == before) return true;
  }
  return false;
}

}  // namespace

bool has_ended(const nlohmann::ordered_json& statistics) {
  const pid_t process = statistics.value("pid", 0);
  return process > 0 && kill(process, 0) != 0 && errno == ESRCH;
}

std::optional<nlohmann::ordered_json> read_live_page(const fs::path& page) {
  try {
    const process::RegularFile file(page);
    Copy copy;
    if (!read_once(file, copy)) return std::nullopt;
    const bool whole = read_steadily(file, copy);
    std::array<char, 8192> text{};
    const std::size_t length =
        arena::statistics_of_live_page(copy.bytes.data(), copy.bytes.size(), text.data(), text.size());
    if (length == 0 || length >= text.size()) return std::nullopt;
    nlohmann::ordered_json statistics = nlohmann::ordered_json::parse(text.data(), nullptr, false);
    if (!statistics.is_object()) return std::nullopt;
    // A process that was killed in the middle of a change has left some old sizes; its counters are exact.
    if (!whole && !has_ended(statistics)) return std::nullopt;
    return statistics;
  } catch (const process::Unreadable&) {
    return std::nullopt;
  }
}

std::vector<fs::path> live_pages_in(const fs::path& folder) {
  std::vector<fs::path> pages;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == kLiveSuffix) pages.push_back(entry.path());
  std::sort(pages.begin(), pages.end());
  return pages;
}

void remove_ended_pages(const fs::path& folder) {
  for (const fs::path& page : live_pages_in(folder)) {
    const auto statistics = read_live_page(page);
    std::error_code ignored;
    if (statistics && has_ended(*statistics)) fs::remove(page, ignored);
  }
}

fs::path own_live_folder() {
  return fmt::format("{}{}", kLiveFolder, geteuid());
}

LiveFolder::LiveFolder() {
  mkdir(own_live_folder().c_str(), 0700);
  remove_ended_pages(own_live_folder());
  try {
    made_.emplace("run", own_live_folder());
  } catch (const std::runtime_error&) {  // no folder in memory can be made
  }
}

}  // namespace memo::status
