// The CSV format: what is accepted, and one complete message for each way to be malformed.
#include "planner/problem/csv.h"

#include <gtest/gtest.h>

namespace memo::planner {
namespace {

std::string message_for(std::string_view text) {
  try {
    const Instance instance = read_csv(text, "x.csv");
    return "accepted";
  } catch (const CsvError& error) {
    return error.what();
  }
}

TEST(Csv, ReadsColumnsInAnyOrder) {
  const Instance instance = read_csv("size,id,upper,lower\n4,a,3,0\n", "x.csv");
  EXPECT_EQ(instance.ids, (std::vector<std::string>{"a"}));
  EXPECT_EQ(instance.problem.buffers, (std::vector<Buffer>{{.life = {0, 3}, .size = 4}}));
}

TEST(Csv, KnowsTheOtherNames) {
  const Instance instance = read_csv("buffer_id,start,end,size\na,0,3,4\n", "x.csv");
  EXPECT_EQ(instance.problem.buffers.front().life, (Lifetime{0, 4})) << "`end` is inclusive";
}

TEST(Csv, TakesAlignmentAndFixedPlaceWhereGiven) {
  const Instance instance =
      read_csv("id,lower,upper,size,alignment,offset\na,0,3,4,8,16\nb,0,3,4,,\n", "x.csv");
  EXPECT_EQ(instance.problem.buffers[0], (Buffer{.life = {0, 3}, .size = 4, .alignment = 8, .fixed = 16}));
  EXPECT_EQ(instance.problem.buffers[1], (Buffer{.life = {0, 3}, .size = 4}));
}

TEST(Csv, SkipsEmptyLinesAndAcceptsCrlfAndByteOrderMark) {
  const Instance instance =
      read_csv("\xEF\xBB\xBFid,lower,upper,size\r\n\r\na,0,3,4\r\n  \r\nb,1,2, 5 \r\n\r\n", "x.csv");
  EXPECT_EQ(instance.problem.buffers.size(), 2u);
  EXPECT_EQ(instance.problem.buffers[1].size, 5);
}

TEST(Csv, AHeaderAloneIsAProblemWithoutBuffers) {
  EXPECT_TRUE(read_csv("id,lower,upper,size", "x.csv").problem.buffers.empty());
}

TEST(Csv, WritesTheRowsAsTheyWereAndAddsOffset) {
  const Instance instance =
      read_csv("id,lower,upper,size,note\r\na, 0,3,4,hello\r\n\r\nb,1,2,5,\r\n", "x.csv");
  EXPECT_EQ(write_csv(instance, {0, 64}), "id,lower,upper,size,note,offset\na, 0,3,4,hello,0\nb,1,2,5,,64\n");
}

TEST(Csv, WritesTheSolutionOverAnOffsetColumn) {
  const Instance instance = read_csv("id,offset,lower,upper,size\na,,0,3,4\nb,8,0,2,5\n", "x.csv");
  EXPECT_EQ(write_csv(instance, {0, 8}), "id,offset,lower,upper,size\na,0,0,3,4\nb,8,0,2,5\n");
}

struct Malformed {
  const char* what;
  const char* text;
  const char* message;
};

const Malformed kMalformed[] = {
    {"empty file", "", "x.csv:1:1: the file is empty; a header such as id,lower,upper,size is expected"},
    {"only blank lines", "\n \n",
     "x.csv:2:1: the file is empty; a header such as id,lower,upper,size is expected"},
    {"missing column", "id,lower,upper\n",
     "x.csv:1:1: the header has no column size; required are id, lower, upper and size"},
    {"missing end", "id,lower,size\n",
     "x.csv:1:1: the header has no column upper; required are id, lower, upper and size"},
    {"column twice", "id,lower,begin,upper,size\n",
     "x.csv:1:10: the column begin says again what an earlier column says"},
    {"upper and end", "id,lower,upper,end,size\n",
     "x.csv:1:16: the column end says again what an earlier column says"},
    {"negative size", "id,lower,upper,size\na,0,3,-4\n", "x.csv:2:7: size is -4; it must be at least 1"},
    {"zero size", "id,lower,upper,size\na,0,3,0\n", "x.csv:2:7: size is 0; it must be at least 1"},
    {"lower equals upper", "id,lower,upper,size\na,3,3,4\n",
     "x.csv:2:5: upper is 3, not above lower 3; a buffer must live for at least one moment"},
    {"end before start", "id,start,end,size\na,3,2,4\n",
     "x.csv:2:5: end is 2, less than start 3; a buffer must live for at least one moment"},
    {"duplicate id", "id,lower,upper,size\na,0,3,4\n\na,0,3,4\n", "x.csv:4:1: id \"a\" is taken by line 2"},
    {"empty id", "id,lower,upper,size\n,0,3,4\n", "x.csv:2:1: id is empty"},
    {"too few fields", "id,lower,upper,size\na,0,3\n", "x.csv:2:6: the row has 3 fields; the header has 4"},
    {"too many fields", "id,lower,upper,size\na,0,3,4,5\n",
     "x.csv:2:9: the row has 5 fields; the header has 4"},
    {"one field", "id,lower,upper,size\na\n", "x.csv:2:2: the row has 1 field; the header has 4"},
    {"number too large", "id,lower,upper,size\na,0,3,99999999999999999999\n",
     "x.csv:2:7: size is 99999999999999999999, which is out of range"},
    {"time too large", "id,lower,upper,size\na,0,9223372036854775807,1\n",
     "x.csv:2:5: upper is 9223372036854775807, which is out of range"},
    {"the longest life", "id,lower,upper,size\na,-4611686018427387904,4611686018427387904,1\n",
     "x.csv:2:3: lower is -4611686018427387904, which is out of range"},
    {"sum too large", "id,lower,upper,size\na,0,3,4611686018427387000\nb,0,3,4611686018427387000\n",
     "x.csv:3:7: with this row the sizes, alignments and offsets add up to more than 4 EiB, which is out of "
     "range"},
    {"no number", "id,lower,upper,size\na,0,3,4k\n", "x.csv:2:7: size is \"4k\", not a whole number"},
    {"no value", "id,lower,upper,size\na,,3,4\n", "x.csv:2:3: lower is empty; a whole number is expected"},
    {"alignment zero", "id,lower,upper,size,alignment\na,0,3,4,0\n",
     "x.csv:2:9: alignment is 0; it must be at least 1"},
    {"negative fixed place", "id,lower,upper,size,offset\na,0,3,4,-8\n",
     "x.csv:2:9: offset is -8; it must be at least 0"},
    {"misaligned fixed place", "id,lower,upper,size,alignment,offset\na,0,3,4,8,12\n",
     "x.csv:2:11: offset is 12, no multiple of the alignment 8"},
    {"fixed places collide", "id,lower,upper,size,offset\na,0,3,4,8\nb,2,5,4,11\n",
     "x.csv:3:1: buffer \"b\" is fixed on bytes that buffer \"a\" of line 2 has at the same time"},
    {"quotes", "id,lower,upper,size\n\"a\",0,3,4\n",
     "x.csv:2:1: a double quote; quoted fields are not part of the format"},
};

TEST(Csv, EveryMalformedFileHasItsMessage) {
  for (const Malformed& malformed : kMalformed) {
    EXPECT_EQ(message_for(malformed.text), malformed.message) << malformed.what;
  }
}

}  // namespace
}  // namespace memo::planner
