#include "planner/tool/served/found_worth.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>

#include "planner/system/regular_file.h"
#include "planner/tool/served/worth.h"
#include "runtime/formats/plan_format.h"
#include "runtime/formats/worth_file.h"

namespace memo::planner {
namespace {

namespace fs = std::filesystem;

// Returns the beginning of the file as it lies there, and nothing if it is shorter.
template <typename T>
std::optional<T> read_as(const fs::path& file) {
  try {
    const std::string bytes = process::read_beginning(file, sizeof(T));
    if (bytes.size() < sizeof(T)) return std::nullopt;
    T content;
    std::memcpy(&content, bytes.data(), sizeof content);
    return content;
  } catch (const process::Unreadable&) {
    return std::nullopt;
  }
}

std::string sentence_of(const Worth& worth) {
  const nlohmann::ordered_json found = {{"finding", kFindingNames[static_cast<std::size_t>(worth.finding)]},
                                        {"share", worth.share},
                                        {"low", worth.low},
                                        {"high", worth.high},
                                        {"more_faults", worth.more_faults}};
  return fmt::format("{} (found {:%Y-%m-%d})", describe_worth({{"worth", found}}),
                     fmt::gmtime(static_cast<std::time_t>(worth.found_at)));
}

// Returns the kind with most passes among those that count; null where none does.
const FoundKind* kind_with_most_passes(const WorthFile& file) {
  const auto now = static_cast<std::int64_t>(std::time(nullptr));
  const FoundKind* most = nullptr;
  for (std::uint32_t i = 0; i < file.count; ++i) {
    const FoundKind& kind = file.kinds[i];
    if (still_counts(kind.worth, now) && (most == nullptr || kind.passes > most->passes)) most = &kind;
  }
  return most;
}

}  // namespace

fs::path found_worth_path(const fs::path& plan) {
  return plan.string() + kWorthSuffix;
}

std::optional<FoundWorth> read_found_worth(const fs::path& plan) {
  const std::optional<PlanHeader> header = read_as<PlanHeader>(plan);
  const std::optional<WorthFile> file = read_as<WorthFile>(found_worth_path(plan));
  if (!header || !file || !is_worth_file_of(*file, header->checksum, MEMOMALLOC_VERSION)) return std::nullopt;
  const FoundKind* kind = kind_with_most_passes(*file);
  if (kind == nullptr) return std::nullopt;
  return FoundWorth{sentence_of(kind->worth), kind->worth.finding == Finding::kHarms};
}

}  // namespace memo::planner
