#include "planner/tool/compare/in_turn.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "planner/system/dialogue.h"
#include "planner/tool/compare/statistics.h"

namespace memo::compare {
namespace {

using Clock = std::chrono::steady_clock;

// A program with its answers.
class Contender {
 public:
  Contender(process::Command command, std::filesystem::path errors)
      : errors_(std::move(errors)),
        dialogue_(heard(std::move(command), errors_)),
        memory_(dialogue_.process(), ResidentSampler::Begin::kPaused) {}

  // Sends the lines and collects the answers. Returns false if the program has ended.
  bool ask(std::size_t lines) {
    const std::vector<std::string> answers = dialogue_.ask(lines);
    for (const std::string& answer : answers) answered_ += std::hash<std::string>{}(answer);
    lines_ += answers.size();
    return answers.size() == lines;
  }

  // Watches the memory in the lines that are not timed, so that watching takes no time from those that are.
  bool take_turn(const Turns& turns) {
    memory_.resume();
    const bool answered = ask(turns.lines_before_the_clock());
    memory_.pause();
    if (!answered) return false;
    const Clock::time_point begin = Clock::now();
    if (!ask(turns.asks)) return false;
    const std::chrono::duration<double, std::milli> took = Clock::now() - begin;
    run_.turns.push_back(took.count() / static_cast<double>(turns.asks));
    return true;
  }

  // Waits for the program's end and returns its run. `whole` is false if the program ended before it had
  // answered all its lines.
  MeasuredRun end(bool whole) {
    rusage usage{};
    add_resident(memory_.finish(), run_);
    run_.status = dialogue_.end(&usage);
    run_.errors = text_of(errors_);
    add_usage(usage, run_.figures);
    if (!whole && run_.status == 0)
      throw std::runtime_error(fmt::format(
          "the command ended after {} answers; with --in-turn it has to print a line for each line that it reads",
          lines_));
    if (!run_.turns.empty()) run_.figures["ask_ms.p50"] = spread_of(run_.turns).median;
    run_.answers["lines"] = fmt::format("{} of sum {:016x}", lines_, answered_);
    return std::move(run_);
  }

 private:
  static process::Command heard(process::Command command, const std::filesystem::path& errors) {
    command.errors = errors;
    return command;
  }

  std::filesystem::path errors_;
  process::Dialogue dialogue_;
  ResidentSampler memory_;
  MeasuredRun run_;
  std::size_t lines_ = 0;
  std::uint64_t answered_ = 0;  // a sum of hashes, since workers may answer in any order
};

using Contenders = std::vector<std::unique_ptr<Contender>>;

// Asks every program all its lines. Returns the place of the program that ended early, or nothing.
std::optional<std::size_t> ask_all(const Contenders& contenders, const Turns& turns,
                                   const std::function<void(std::size_t)>& begins) {
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    if (turns.warm_up > 0 && !contenders[i]->ask(turns.warm_up)) return i;
  }
  for (std::size_t turn = 0; turn < turns.count; ++turn) {
    begins(turn);
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      const std::size_t next = (turn + i) % contenders.size();
      if (!contenders[next]->take_turn(turns)) return next;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<MeasuredRun> run_in_turn(const std::vector<process::Command>& commands, const Turns& turns,
                                     const std::filesystem::path& folder,
                                     const std::function<void(std::size_t)>& begins) {
  Contenders contenders;
  for (const process::Command& command : commands)
    contenders.push_back(
        std::make_unique<Contender>(command, folder / fmt::format("errors-{}", contenders.size())));
  const std::optional<std::size_t> ended = ask_all(contenders, turns, begins);
  std::vector<MeasuredRun> runs;
  for (std::size_t i = 0; i < contenders.size(); ++i) runs.push_back(contenders[i]->end(ended != i));
  return runs;
}

}  // namespace memo::compare
