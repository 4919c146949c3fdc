#include "planner/tool/learn/explanations.h"

#include <optional>
#include <utility>

#include "planner/tool/learn/symptoms.h"
#include "planner/tool/learn/work_folder.h"

namespace memo::learn {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kPatience{30};  // before a line says why there is no plan

}  // namespace

Explanations::Explanations(std::string program, fs::path work, std::function<void(const std::string&)> say)
    : program_(std::move(program)), work_(std::move(work)), say_(std::move(say)) {}

bool Explanations::is_early() const {
  return Clock::now() < begun_ + kPatience;
}

void Explanations::of_silence() {
  if (said_silent_ || is_early()) return;
  said_silent_ = true;
  if (traces_in(work_).empty()) say_why(false);
}

void Explanations::of_trace_in_vain(const fs::path& trace) {
  if (said_why_ || is_early()) return;
  if (!is_full(trace)) return;
  said_why_ = true;
  say_why(false);
}

void Explanations::of_the_end() {
  if (!said_why_) say_why(true);
}

void Explanations::say_why(bool ended) {
  const std::optional<Facts> facts = gather_facts(program_, traces_in(work_), ended);
  if (!facts) return;
  saw_enough_ = facts->recorder_ended;
  saw_marks_ = facts->marked_passes != 0;
  const std::string sentence = diagnose(*facts);
  if (sentence != std::exchange(explained_, sentence)) say_(sentence);
}

}  // namespace memo::learn
