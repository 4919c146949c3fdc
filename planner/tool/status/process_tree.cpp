#include "planner/tool/status/process_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "planner/tool/served/worth.h"
#include "planner/tool/status/live_pages.h"
#include "planner/tool/text/plain.h"
#include "runtime/formats/live_page.h"

namespace memo::status {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::chrono::milliseconds kBetweenLooks{500};
constexpr std::size_t kMostEnded =
    256;  // members whose last statistics are kept; of older ones only the sums

pid_t process_of(const Json& statistics) {
  return statistics.value("pid", 0);
}

std::string program_of(const Json& statistics) {
  return statistics.value("program", "");
}

void add(std::map<std::string, ProgramFigures>& programs, const Json& statistics) {
  ProgramFigures& sum = programs[program_of(statistics)];
  ++sum.processes;
  const planner::Served all = planner::served_in_all(statistics);
  sum.all += all;
  sum.steady += planner::served_when_steady(statistics);
  sum.aside_passes += statistics.value("/aside/passes"_json_pointer, std::uint64_t{0});
  if (const std::string plan = statistics.value("plan", ""); !plan.empty()) sum.plan = plan;
  if (all.passes < sum.passes_of_largest) return;
  sum.passes_of_largest = all.passes;
  sum.slab_bytes = statistics.value("slab_bytes", std::uint64_t{0});
  sum.heap_resident = statistics.value("/heap/resident"_json_pointer, std::uint64_t{0});
  sum.worth = planner::describe_worth(statistics);
}

bool makes_fewer_passes(const std::pair<const std::string, ProgramFigures>& one,
                        const std::pair<const std::string, ProgramFigures>& other) {
  return one.second.all.passes < other.second.all.passes;
}

// Parts the program named `started` from the others; the one with most passes, if that made none.
ProcessTreeFigures part(std::map<std::string, ProgramFigures> programs, const std::string& started) {
  ProcessTreeFigures figures;
  if (programs.empty()) return figures;
  auto own = programs.find(started);
  if (own == programs.end() || own->second.all.passes == 0)
    own = std::ranges::max_element(programs, makes_fewer_passes);
  figures.own = own->second;
  programs.erase(own);
  if (programs.empty()) return figures;
  figures.other_program = std::ranges::max_element(programs, makes_fewer_passes)->first;
  for (const auto& [name, other] : programs) figures.other_passes += other.all.passes;
  return figures;
}

// Returns true for the states in which nothing is served and nothing is learned, until something changes. The
// learner says the others.
bool is_trouble(const std::string& state) {
  return state == kStateAside || state == "no planner" || state == "no room to learn" ||
         state == "nothing to learn";
}

}  // namespace

ProcessTree::ProcessTree(fs::path folder, std::function<void(const std::string&)> say)
    : folder_(std::move(folder)), say_(std::move(say)), thread_([this] { watch(); }) {}

ProcessTree::~ProcessTree() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  over_changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ProcessTree::watch() {
  std::unique_lock lock(mutex_);
  while (!over_) {
    look();
    over_changed_.wait_for(lock, kBetweenLooks, [this] { return over_; });
  }
}

void ProcessTree::look() {
  for (const fs::path& page : live_pages_in(folder_)) {
    std::optional<Json> statistics = read_live_page(page);
    if (!statistics) continue;
    const bool ended = has_ended(*statistics);
    take(page.filename().string(), std::move(*statistics));
    if (!ended) continue;
    members_[page.filename().string()].ended = true;
    std::error_code ignored;
    fs::remove(page, ignored);
  }
  const auto is_ended = [](const auto& member) { return member.second.ended; };
  while (std::ranges::count_if(members_, is_ended) > static_cast<std::ptrdiff_t>(kMostEnded)) {
    const auto oldest = std::ranges::find_if(members_, is_ended);
    add(gone_, oldest->second.statistics);
    members_.erase(oldest);
  }
}

// Says trouble, and its end. Only for the first process of a tree: a server of a hundred workers has one line,
// not a hundred.
void ProcessTree::take(const std::string& name, Json statistics) {
  Member& member = members_[name];
  const std::string state = statistics.value("state", "");
  const bool is_worth_a_line = is_trouble(state) || (is_trouble(member.state) && state == kStateServing);
  const bool is_news =
      is_worth_a_line && state != member.state && std::ranges::none_of(members_, [&](const auto& other) {
        return other.first != name && other.second.state == state;
      });
  if (is_news) say_(fmt::format("{} ({}): {}", program_of(statistics), process_of(statistics), state));
  hand_on(statistics);
  member.state = state;
  member.statistics = std::move(statistics);
}

// Says what a process may not: its stderr may be read by the program. Says each line once, of whichever process.
void ProcessTree::hand_on(const Json& statistics) {
  const std::string said = planner::plain_text(statistics.value("said", ""));
  if (!said.empty() && handed_on_.insert(said).second)
    say_(fmt::format("{} ({}): {}", program_of(statistics), process_of(statistics), said));
}

ProcessTreeFigures ProcessTree::finish(pid_t parent) {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  over_changed_.notify_all();
  thread_.join();
  look();
  ByProgram programs = gone_;
  for (const auto& [name, member] : members_) add(programs, member.statistics);
  const std::optional<Json> started = last_of_child_of(parent);
  return part(std::move(programs), started ? program_of(*started) : "");
}

std::optional<Json> ProcessTree::last_of_child_of(pid_t parent) const {
  const Json* found = nullptr;
  for (const auto& [name, member] : members_) {
    if (member.statistics.value("parent", 0) != parent) continue;
    if (found == nullptr || found->value("passes", 0) <= member.statistics.value("passes", 0))
      found = &member.statistics;
  }
  return found != nullptr ? std::optional(*found) : std::nullopt;
}

}  // namespace memo::status
