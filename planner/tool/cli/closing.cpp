#include "planner/tool/cli/closing.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <filesystem>

#include "planner/system/regular_file.h"
#include "planner/tool/cli/files.h"
#include "planner/tool/status/closing_line.h"

namespace memo::cli {
namespace {

using Json = nlohmann::ordered_json;

// Returns how many passes the file says, or nothing if it holds no statistics.
std::optional<std::uint64_t> passes_in(const std::string& path) {
  try {
    const Json statistics = Json::parse(process::read_regular_file(path), nullptr, false);
    if (!statistics.is_object() || !statistics.contains("passes")) return std::nullopt;
    return statistics.at("passes").get<std::uint64_t>();
  } catch (const process::Unreadable&) {
    return std::nullopt;
  }
}

// Completes what the process wrote last, if it was killed or lost its way before it could.
void complete(const std::string& path, const Json& statistics) {
  const std::optional<std::uint64_t> written = passes_in(path);
  if (written && *written >= statistics.value("passes", std::uint64_t{0})) return;
  write_output(path, statistics.dump() + "\n");
}

}  // namespace

Closing::Closing(Environment& environment) {
  if (folder_.path().empty()) return;
  environment.emplace_back(guest_option(GuestOptionId::kLive).variable, folder_.path().string());
  family_.emplace(folder_.path(), [](const std::string& line) { spdlog::info("{}", line); });
}

status::FamilyFigures Closing::finish(const std::string& stats) {
  if (!family_) return {};
  const status::FamilyFigures figures = family_->finish();
  const std::optional<Json> statistics = family_->last_of_child_of(getpid());
  if (!stats.empty() && statistics) complete(stats, *statistics);
  std::error_code error;
  const bool written = !stats.empty() && std::filesystem::is_regular_file(stats, error);
  spdlog::info("{}{}", status::closing_line(figures), written ? "; the statistics are in " + stats : "");
  return figures;
}

}  // namespace memo::cli
