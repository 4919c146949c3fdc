#include "examples/mini_server/http/http.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace mini {
namespace {

const std::string kHost = "Host: here\r\n\r\n";

int refusal(const std::string& bytes) {
  const Parsed parsed = parse_request(bytes);
  return parsed.state == Parsed::State::kError ? parsed.status : 0;
}

TEST(ParseRequest, ReadsPathQueryAndLength) {
  const std::string bytes = "GET /infer?batch=4&image=64 HTTP/1.1\r\n" + kHost;
  const Parsed parsed = parse_request(bytes + "GET /next");
  ASSERT_EQ(parsed.state, Parsed::State::kRequest);
  EXPECT_EQ(parsed.request.path, "/infer");
  EXPECT_EQ(parsed.request.query, (std::map<std::string, std::string>{{"batch", "4"}, {"image", "64"}}));
  EXPECT_TRUE(parsed.request.keep_alive);
  EXPECT_EQ(parsed.consumed, bytes.size());
}

// A request may arrive in any pieces: every proper prefix is incomplete, never an error and never a request.
TEST(ParseRequest, WaitsForTheWholeHead) {
  const std::string bytes = "GET /health HTTP/1.1\r\n" + kHost;
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_EQ(parse_request(bytes.substr(0, length)).state, Parsed::State::kIncomplete) << length;
  }
}

TEST(ParseRequest, ClosesWhenAskedTo) {
  EXPECT_FALSE(parse_request("GET / HTTP/1.1\r\nConnection: Close\r\n" + kHost).request.keep_alive);
  EXPECT_FALSE(parse_request("GET / HTTP/1.0\r\n\r\n").request.keep_alive);
}

TEST(ParseRequest, RefusesWhatItDoesNotSpeak) {
  EXPECT_EQ(refusal("hello\r\n\r\n"), 400);
  EXPECT_EQ(refusal("GET  HTTP/1.1\r\n" + kHost), 400);
  EXPECT_EQ(refusal("GET infer HTTP/1.1\r\n" + kHost), 400);
  EXPECT_EQ(refusal("GET / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(refusal("GET / HTTP/1.1\r\nno colon\r\n" + kHost), 400);
  EXPECT_EQ(refusal("POST / HTTP/1.1\r\n" + kHost), 405);
  EXPECT_EQ(refusal("GET / HTTP/1.1\r\nContent-Length: 5\r\n" + kHost), 413);
  EXPECT_EQ(refusal("GET / HTTP/2\r\n" + kHost), 505);
}

TEST(ParseRequest, RefusesAnEndlessHeadBeforeItEnds) {
  EXPECT_EQ(refusal("GET /" + std::string(kLongestRequest, 'a')), 431);
}

// Whatever arrives, the parser stays inside it and never claims more than there is.
RC_GTEST_PROP(ParseRequest, TakesNoMoreThanItGot, (const std::string& bytes)) {
  const Parsed parsed = parse_request(bytes + "\r\n\r\n");
  RC_ASSERT(parsed.consumed <= bytes.size() + 4);
}

TEST(MakeResponse, SaysItsLengthAndWhetherItCloses) {
  EXPECT_EQ(make_response(404, "{}", false),
            "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
            "Connection: close\r\n\r\n{}");
}

TEST(ErrorJson, SurvivesBytesThatAreNoText) {
  EXPECT_EQ(error_json("\"\xff\""), "{\"error\":\"\\\"\xEF\xBF\xBD\\\"\"}");
}

}  // namespace
}  // namespace mini
