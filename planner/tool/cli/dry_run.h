// Ends `run --dry-run`: reports how much of the recorded passes the plan would have served.
#pragma once

#include <filesystem>
#include <string>

namespace memo::cli {

// Prints one line, and writes the statistics that a served run would have written, unless `statistics` is "".
void report_dry_run(const std::filesystem::path& work, const std::filesystem::path& plan,
                    const std::string& statistics);

}  // namespace memo::cli
