// Why nothing was learned: every cause has a sentence of its own, with the cure for it.
#include "planner/tool/learn/diagnosis.h"

#include <gtest/gtest.h>

#include <vector>

namespace memo::learn {
namespace {

struct Case {
  Facts facts;
  std::vector<const char*> words;  // all of them are in the sentence
};

const Case kCases[] = {
    {{.program = "job", .ended = true, .linked_statically = true}, {"job is linked statically", "-static"}},
    {{.program = "job", .linked_statically = true}, {"job is linked statically"}},
    {{.program = "start.sh", .ended = true, .script = true}, {"start.sh is a script", "memomalloc run --"}},
    {{.program = "start.sh", .script = true}, {"start.sh is a script"}},
    {{.program = "job", .ended = true}, {"job ended without a pass", "more requests"}},
    {{.program = "server"}, {"server has made no pass so far", "waiting for requests", "--pass-symbol"}},
    {{.program = "job", .allocations = 999}, {"in 999 allocations", "--pass-symbol", "memo_pass_begin"}},
    {{.program = "job", .allocations = 1'234'567}, {"no pass recurs in 1,234,567 allocations so far:"}},
    {{.program = "job", .ended = true, .allocations = 1'000}, {"no pass recurs in 1,000 allocations:"}},
    {{.program = "app.py", .torch = true, .allocations = 1000},
     {"in 1,000 allocations", "eager PyTorch was seen", "memomalloc.forward()", "--passes-by period"}},
    {{.program = "app.py", .torch = true, .allocations = 1000, .marked_passes = 12},
     {"none of its 12 passes ran twice alike", "longer"}},
    // A wrapper whose child was recorded: the child counts, and not how it was started.
    {{.program = "start.sh", .script = true, .torch = true, .allocations = 5}, {"eager PyTorch was seen"}},
};

TEST(Diagnosis, EveryCauseHasItsSentence) {
  for (const Case& one : kCases) {
    const std::string sentence = diagnose(one.facts);
    for (const char* words : one.words)
      EXPECT_NE(sentence.find(words), std::string::npos) << words << " is not in: " << sentence;
    EXPECT_EQ(sentence.find('\n'), std::string::npos);
  }
}

TEST(Diagnosis, MarkedPassesAreNotCalledEager) {
  const std::string sentence =
      diagnose({.program = "app.py", .torch = true, .allocations = 9, .marked_passes = 1});
  EXPECT_EQ(sentence.find("eager"), std::string::npos) << sentence;
}

}  // namespace
}  // namespace memo::learn
