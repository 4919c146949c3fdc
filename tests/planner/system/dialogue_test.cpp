// A command that is spoken to line by line: what it answers, and that it is never left behind.
#include "planner/system/dialogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <string>

namespace memo::process {
namespace {

using testing::ElementsAre;

Command shell(const std::string& line) {
  Command command;
  command.words = {"/bin/sh", "-c", line};
  return command;
}

TEST(Dialogues, ALineIsAnsweredByALine) {
  Dialogue dialogue(shell("n=0; while read -r line; do n=$((n + 1)); echo $n; done; exit 3"));
  EXPECT_THAT(dialogue.ask(2), ElementsAre("1", "2"));
  EXPECT_THAT(dialogue.ask(1), ElementsAre("3"));
  EXPECT_EQ(dialogue.end(nullptr), 3);
}

TEST(Dialogues, WhoEndsEarlyHasAnsweredFewer) {
  Dialogue dialogue(shell("read -r line; echo once"));
  EXPECT_THAT(dialogue.ask(3), ElementsAre("once"));
  EXPECT_THAT(dialogue.ask(1), ElementsAre()) << "and no signal ended this process";
  EXPECT_EQ(dialogue.end(nullptr), 0);
}

TEST(Dialogues, WhatIsSaidAtTheEndDoesNotHoldItUp) {
  Dialogue dialogue(shell("while read -r line; do :; done; head -c 1000000 /dev/zero"));
  EXPECT_EQ(dialogue.end(nullptr), 0);
}

TEST(Dialogues, ACommandThatIsNotThere) {
  Command command;
  command.words = {"./nowhere"};
  Dialogue dialogue(command);
  EXPECT_THAT(dialogue.ask(1), ElementsAre());
  EXPECT_EQ(dialogue.end(nullptr), kNotFound);
}

TEST(Dialogues, WhoIsLeftInTheMiddleIsKilled) {
  int id = 0;
  {
    Dialogue dialogue(shell("echo $$; kill -STOP $$"));
    id = std::atoi(dialogue.ask(1).at(0).c_str());
    ASSERT_EQ(kill(id, 0), 0);
  }
  EXPECT_NE(kill(id, 0), 0);
}

}  // namespace
}  // namespace memo::process
