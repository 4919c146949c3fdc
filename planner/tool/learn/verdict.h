// Keeps a verdict on a program of which nothing could be learned, so that its next starts do not pay for trying again: a
// small file of JSON in the place of a plan.
//
//   tesseract.0123456789abcdef.plan      not there
//   tesseract.0123456789abcdef.nothing   why, when, under which conditions, and how many starts kept to it
//
// It counts for a day and for twenty starts where the recorder saw all that it could. Where the program ended before that, it counts for
// one start, and each further such verdict for twice as many: a job that is over before it could gain is not recorded at every start,
// and a service that got no request is recorded again soon. The program's build is part of the name. It counts no more where the program or its script has changed, or where the
// options that say where passes begin are others: a start that follows its advice is learned at once.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "planner/tool/learn/plan_record.h"

namespace memo::learn {

struct Verdict {
  PlanRecord record;       // when it was made, of which command
  std::string why;         // one sentence, with the cure
  std::string conditions;  // the options that say where passes begin
  int starts = 0;          // that kept to it
  int covers = 0;          // starts
};

inline constexpr int kStartsBetweenTries = 20;

// What the recorder saw of the program.
enum class Saw { kAll, kTooLittle };

[[nodiscard]] std::filesystem::path verdict_path(const std::filesystem::path& plan);

// Returns nothing if there is no verdict, or if it is broken.
[[nodiscard]] std::optional<Verdict> read_verdict(const std::filesystem::path& plan);

// Keeps a verdict of now. Does nothing if the file cannot be written.
void keep_verdict(const std::filesystem::path& plan, const Origin& origin, const std::string& why,
                  const std::string& conditions, Saw saw);

// Returns the verdict that this start of the command keeps to, and counts the start. Returns nothing where the command shall be
// learned.
[[nodiscard]] std::optional<Verdict> verdict_for_start(const std::filesystem::path& plan,
                                                       const Origin& origin, const std::string& conditions);

void remove_verdict(const std::filesystem::path& plan);

}  // namespace memo::learn
