#include "planner/tool/learn/verdict.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>

#include "planner/system/on_path.h"
#include "planner/system/regular_file.h"
#include "planner/system/whole_file.h"

namespace memo::learn {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::system_clock;

constexpr std::chrono::hours kCounts{24};

// Times as text sort as the times do.
bool is_since(const std::string& made, Clock::time_point time) {
  return time_text(time) > made;
}

bool has_changed(const fs::path& file, const Verdict& verdict) {
  return is_since(verdict.record.made, time_of_change(file));
}

bool is_file(const std::string& word) {
  std::error_code error;
  return fs::is_regular_file(word, error);
}

// Looks at the program and at the first file that its words name, such as a script. Later ones may be what the program writes.
bool is_another_program(const Verdict& verdict, const Origin& origin) {
  const std::vector<std::string>& words = origin.command;
  if (words.empty()) return true;
  const auto script = std::find_if(words.begin() + 1, words.end(), is_file);
  return has_changed(process::on_path(words.front()), verdict) ||
         (script != words.end() && has_changed(*script, verdict));
}

bool still_counts(const Verdict& verdict, const Origin& origin, const std::string& conditions) {
  return verdict.starts < verdict.covers && !is_since(verdict.record.made, Clock::now() - kCounts) &&
         verdict.record.version == MEMOMALLOC_VERSION && verdict.conditions == conditions &&
         !is_another_program(verdict, origin);
}

void write(const fs::path& plan, const Verdict& verdict) {
  const nlohmann::ordered_json json = {{"command", verdict.record.origin.command},
                                       {"folder", verdict.record.origin.folder},
                                       {"version", verdict.record.version},
                                       {"made", verdict.record.made},
                                       {"why", verdict.why},
                                       {"conditions", verdict.conditions},
                                       {"starts", verdict.starts},
                                       {"covers", verdict.covers}};
  const std::string text = json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  try {
    process::write_whole_file(verdict_path(plan), text);
  } catch (const std::system_error&) {
    return;  // the next start tries again
  }
}

// Returns how many starts a verdict of now counts for, after the one that may be there.
int starts_covered(const fs::path& plan, Saw saw) {
  if (saw == Saw::kAll) return kStartsBetweenTries;
  const std::optional<Verdict> before = read_verdict(plan);
  return before ? std::min(2 * before->covers, kStartsBetweenTries) : 1;
}

}  // namespace

fs::path verdict_path(const fs::path& plan) {
  return fs::path(plan).replace_extension(".nothing");
}

std::optional<Verdict> read_verdict(const fs::path& plan) {
  try {
    const nlohmann::json json = nlohmann::json::parse(process::read_regular_file(verdict_path(plan)));
    return Verdict{{{json.at("command"), json.at("folder")}, json.at("version"), json.at("made")},
                   json.at("why"),
                   json.at("conditions"),
                   json.at("starts"),
                   json.at("covers")};
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

void keep_verdict(const fs::path& plan, const Origin& origin, const std::string& why,
                  const std::string& conditions, Saw saw) {
  write(
      plan,
      {{origin, MEMOMALLOC_VERSION, time_text(Clock::now())}, why, conditions, 0, starts_covered(plan, saw)});
}

std::optional<Verdict> verdict_for_start(const fs::path& plan, const Origin& origin,
                                         const std::string& conditions) {
  std::optional<Verdict> verdict = read_verdict(plan);
  if (!verdict || !still_counts(*verdict, origin, conditions)) return std::nullopt;
  ++verdict->starts;
  write(plan, *verdict);
  return verdict;
}

void remove_verdict(const fs::path& plan) {
  std::error_code error;
  fs::remove(verdict_path(plan), error);
}

}  // namespace memo::learn
