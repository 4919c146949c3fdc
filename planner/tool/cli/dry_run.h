// The end of `run --dry-run`: what the plan would have served of the passes that were recorded.
#pragma once

#include <filesystem>
#include <string>

namespace memo::cli {

// One line, and the statistics that a served run would have written, unless `statistics` is "".
void report_dry_run(const std::filesystem::path& work, const std::filesystem::path& plan,
                    const std::string& statistics);

}  // namespace memo::cli
