// Proves that passes are counted while a trace grows: each once, whatever part of the file is there at a look.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "planner/trace/pass_count.h"
#include "tests/planner/trace/trace_builder.h"

namespace memo::planner {
namespace {

using memo::testing::TraceBuilder;

class PassCounts : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove(path_); }
  void TearDown() override { std::filesystem::remove(path_); }

  void append(const std::string& bytes) { std::ofstream(path_, std::ios::binary | std::ios::app) << bytes; }

  const std::filesystem::path path_ = std::filesystem::path(::testing::TempDir()) / "pass_count_test.trace";
};

std::string trace_of_passes(std::uint64_t count) {
  TraceBuilder build;
  for (std::uint64_t pass = 1; pass <= count; ++pass) {
    build.pass_begin(pass);
    build.allocate(memo::testing::tagged(1, 0x5000), 100);
    build.pass_end(pass);
    build.seal_events(1, pass - 1);
  }
  return build.bytes();
}

TEST_F(PassCounts, AFileThatIsNotThereHasNone) {
  EXPECT_EQ(PassCount(path_).look(), 0U);
}

TEST_F(PassCounts, EachPassCountsOnceWhereverTheFileEnds) {
  const std::string bytes = trace_of_passes(5);
  PassCount count(path_);
  std::size_t last = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 7) {
    append(bytes.substr(i, 7));
    const std::size_t now = count.look();
    EXPECT_GE(now, last);
    last = now;
  }
  EXPECT_EQ(last, 5U);
  EXPECT_EQ(count.look(), 5U);
}

TEST_F(PassCounts, APassThatGoesOnDoesNotCount) {
  TraceBuilder build;
  build.pass_begin(1);
  build.seal_events(1, 0);
  append(build.bytes());
  EXPECT_EQ(PassCount(path_).look(), 0U);
}

TEST_F(PassCounts, WhatIsNoTraceHasNone) {
  append(std::string(4096, 'x'));
  EXPECT_EQ(PassCount(path_).look(), 0U);
}

}  // namespace
}  // namespace memo::planner
