// Reads live pages (runtime/formats/live_page.h): the statistics of a process that runs, or that was killed.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "planner/system/temporary_folder.h"

namespace memo::status {

// Returns the statistics in the page, as `--stats` writes them. Returns nothing if the file cannot be read, or is
// no page of this version.
[[nodiscard]] std::optional<nlohmann::ordered_json> read_live_page(const std::filesystem::path& page);

// Returns true if the process that wrote these statistics is no more. Returns false also for a number that another
// process has by now.
[[nodiscard]] bool has_ended(const nlohmann::ordered_json& statistics);

// Returns the pages in a folder, in the order of their names.
[[nodiscard]] std::vector<std::filesystem::path> live_pages_in(const std::filesystem::path& folder);

// Removes the pages in the folder of processes that have ended: a process that was killed leaves its page.
void remove_ended_pages(const std::filesystem::path& folder);

// Returns the folder in which this user's processes keep their pages if they are told of no other.
[[nodiscard]] std::filesystem::path own_live_folder();

// A folder for the pages of one program and its children. The destructor removes it. Empty where no folder in
// memory can be made: then the processes have no pages.
class LiveFolder {
 public:
  LiveFolder();

  [[nodiscard]] std::filesystem::path path() const { return made_ ? made_->path() : std::filesystem::path(); }

 private:
  std::optional<process::TemporaryFolder> made_;
};

}  // namespace memo::status
