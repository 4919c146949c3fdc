// Asks a process, through its live page (runtime/formats/live_page.h), to give back the memory that it does not use.
#pragma once

#include <chrono>
#include <filesystem>

namespace memo::status {

enum class Released {
  kDone,
  kNotYet,  // the process has not looked at its page meanwhile: it gives back as soon as it does
  kNoPage,  // the file is no page of this version, or may not be written
};

// Asks the process that owns this page, and waits until it has done so, for this long at most.
[[nodiscard]] Released ask_for_release(const std::filesystem::path& page, std::chrono::milliseconds wait);

}  // namespace memo::status
