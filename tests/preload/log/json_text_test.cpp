// Text in the strings of JSON lines. A failure means that a reader of the log stumbles over a path or a name.
#include "preload/log/json_text.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <nlohmann/json.hpp>

#include <string>

namespace memo::guest {
namespace {

std::string written(const std::string& text, std::size_t room = 4096) {
  std::string out(room, '~');
  out.resize(write_json_text(out.data(), room, text.c_str()));
  return out;
}

TEST(JsonText, EscapesWhatEndsAStringOrALine) {
  EXPECT_EQ(written("a \"plan\" in C:\\\n\t\x1f"), R"(a \"plan\" in C:\\\u000a\u0009\u001f)");
}

TEST(JsonText, KeepsUtf8) {
  EXPECT_EQ(written("größer × 日本 🙂"), "größer × 日本 🙂");
}

TEST(JsonText, ReplacesBytesThatAreNoUtf8) {
  EXPECT_EQ(written("a\xff"
                    "b\xc3"),
            "a?b?");
  EXPECT_EQ(written("\xc0\x80"), "??");            // longer than it need be
  EXPECT_EQ(written("\xed\xa0\x80"), "???");       // half of a pair
  EXPECT_EQ(written("\xf4\x90\x80\x80"), "????");  // beyond Unicode
}

TEST(JsonText, CutsNoCharacterAndNoEscapeApart) {
  EXPECT_EQ(written("ab×", 3), "ab");
  EXPECT_EQ(written("ab×", 4), "ab×");
  EXPECT_EQ(written("ab\n", 7), "ab");
  EXPECT_EQ(written("ab\"c", 3), "ab");
}

TEST(JsonText, IsJsonWhateverTheBytes) {
  rc::check("every text, cut anywhere, is a JSON string", [](const std::string& text) {
    const auto room = *rc::gen::inRange<std::size_t>(0, 100);
    const std::string out = written(text, room);
    RC_ASSERT(out.size() <= room);
    RC_ASSERT(nlohmann::json::accept('"' + out + '"'));
  });
}

}  // namespace
}  // namespace memo::guest
