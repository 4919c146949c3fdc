// The server as its clients see it, through sockets and signals.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/server/process.h"

namespace mini::testing {
namespace {

std::string first_line(const std::string& answer) {
  return answer.substr(0, answer.find('\r'));
}

// The checksum is a fact about seed and shape: number of threads, order of branches and the process that
// computed it do not enter.
TEST(MiniServer, AnswersTheSameWhateverTheThreadsAndTheOrderOfBranches) {
  const std::string alone = MiniServer({"--threads", "1"}).checksum("2x32");
  MiniServer many({"--threads", "4", "--swap-branches"});
  const Outcome load = many.load({"--connections", "6", "--requests", "12", "--warmup", "0", "--shape",
                                  "2x32=" + alone, "--shape", "1x16", "--shape", "3x16"});
  EXPECT_EQ(load.status, 0);
  const nlohmann::json summary = nlohmann::json::parse(load.out);
  EXPECT_EQ(summary["requests"], 12);
  EXPECT_EQ(summary["wrong"], 0);
  EXPECT_EQ(summary["checksums"].size(), 3U);
}

// Without a port it makes the inference that it makes for a client.
TEST(MiniServer, AnswersEachLineOfItsInputByALine) {
  const std::string checksum = MiniServer({"--image", "32", "--batch", "2"}).checksum("2x32");
  const std::string asked = std::string(MINI_SERVER) + " --asked --image 32 --batch 2";
  const Outcome outcome = run({"/bin/sh", "-c", "printf 'one\\n\\nthree\\n' | " + asked});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, checksum + "\n" + checksum + "\n" + checksum + "\n");
}

TEST(MiniServer, RefusesMalformedRequestsAndGoesOn) {
  MiniServer server({"--image", "16"});
  EXPECT_EQ(first_line(server.exchange("what?\r\n\r\n")), "HTTP/1.1 400 Bad Request");
  EXPECT_EQ(first_line(server.exchange(std::string(10000, 'x'))),
            "HTTP/1.1 431 Request Header Fields Too Large");
  EXPECT_EQ(first_line(server.exchange("POST /infer HTTP/1.1\r\nHost: h\r\n\r\n")),
            "HTTP/1.1 405 Method Not Allowed");
  EXPECT_EQ(first_line(server.exchange(std::string("\0\xff\r\n\r\n", 6))), "HTTP/1.1 400 Bad Request");
  EXPECT_EQ(first_line(server.exchange("GET /nothing HTTP/1.0\r\n\r\n")), "HTTP/1.1 404 Not Found");
  EXPECT_EQ(first_line(server.exchange("GET /health HTTP/1.0\r\n\r\n")), "HTTP/1.1 200 OK");
}

TEST(MiniServer, RefusesParametersOutOfRange) {
  MiniServer server({"--image", "16"});
  for (const char* query : {"batch=0", "batch=65", "image=15", "image=100000", "batch=-1",
                            "batch=", "batch=1e3", "seed=99999999999999999999", "size=3"}) {
    const std::string answer = server.exchange(std::string("GET /infer?") + query + " HTTP/1.0\r\n\r\n");
    EXPECT_EQ(first_line(answer), "HTTP/1.1 400 Bad Request") << query;
    EXPECT_NE(answer.find("{\"error\":"), std::string::npos) << query;
  }
}

// Two requests in one packet get two answers, in order.
TEST(MiniServer, AnswersPipelinedRequests) {
  MiniServer server;
  const std::string answer = server.exchange(
      "GET /health HTTP/1.1\r\nHost: h\r\n\r\nGET /nothing HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  const std::size_t ok = answer.find("200 OK");
  const std::size_t missing = answer.find("404 Not Found");
  ASSERT_NE(ok, std::string::npos);
  ASSERT_NE(missing, std::string::npos);
  EXPECT_LT(ok, missing);
}

// The address sanitizer's allocator does not look after a fork: with several threads, a child may find it locked for ever.
#ifdef __SANITIZE_ADDRESS__
constexpr const char* kForkEvery = "0";
#else
constexpr const char* kForkEvery = "5";
#endif

// A long life in a second: workers come and go, the network is made anew, children repeat what was answered.
TEST(MiniServer, AnswersTheSameThroughRestartsReloadsAndForks) {
  const std::string alone = MiniServer({"--threads", "1"}).checksum("1x16");
  MiniServer server(
      {"--threads", "3", "--restart-workers", "4", "--reload-every", "7", "--fork-every", kForkEvery});
  const Outcome load = server.load({"--connections", "6", "--requests", "60", "--warmup", "0", "--shape",
                                    "1x16=" + alone, "--shape", "2x16"});
  EXPECT_EQ(load.status, 0);
  EXPECT_EQ(nlohmann::json::parse(load.out)["requests"], 60);
  const Outcome outcome = server.stop();
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.out.find("stopped after 60 inferences"), std::string::npos) << outcome.out;
}

TEST(MiniServer, StopsCleanlyAndStartsAgainOnTheSamePort) {
  std::string before;
  std::string port;
  {
    MiniServer server({"--image", "16"});
    port = std::to_string(server.port());
    before = server.checksum("1x16");
    const Outcome outcome = server.stop();
    EXPECT_EQ(outcome.status, 0);
    EXPECT_NE(outcome.out.find("stopped after 1 inferences"), std::string::npos) << outcome.out;
  }
  MiniServer again({"--port", port});
  EXPECT_EQ(std::to_string(again.port()), port);
  EXPECT_EQ(again.checksum("1x16"), before);
}

TEST(MiniServer, StopsByItselfAfterTheRequestsItWasGiven) {
  MiniServer server({"--requests", "3", "--image", "16"});
  EXPECT_EQ(server.load({"--connections", "1", "--requests", "3", "--warmup", "0"}).status, 0);
  EXPECT_EQ(server.process().wait().status, 0);
}

TEST(MiniServer, SaysWhenThePortIsTaken) {
  MiniServer server;
  EXPECT_EQ(run({MINI_SERVER, "--port", std::to_string(server.port())}).status, 1);
}

TEST(MiniServer, RefusesOptionsOutOfRange) {
  EXPECT_EQ(run({MINI_SERVER, "--image", "8"}).status, 2);
  EXPECT_EQ(run({MINI_SERVER, "--threads", "0"}).status, 2);
  EXPECT_EQ(run({MINI_SERVER, "--bach", "1"}).status, 2);
}

TEST(MiniLoad, FindsAWrongChecksum) {
  MiniServer server({"--image", "16"});
  const Outcome outcome =
      server.load({"--connections", "2", "--requests", "4", "--shape", "1x16=0000000000000000"});
  EXPECT_EQ(outcome.status, 1);
  const nlohmann::json summary = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(summary["requests"], 0);
  EXPECT_GE(summary["wrong"], 4);
}

// Servers of different seeds behind the same expectations: the second is found out.
TEST(MiniLoad, FindsAnotherNetwork) {
  const std::string checksum = MiniServer({"--seed", "1"}).checksum("1x16");
  const MiniServer other({"--seed", "2"});
  EXPECT_EQ(other.load({"--requests", "2", "--shape", "1x16=" + checksum}).status, 1);
}

TEST(MiniLoad, CountsAnswersThatAreErrors) {
  MiniServer server;
  const Outcome outcome = server.load({"--connections", "1", "--requests", "2", "--shape", "99x16"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_GE(nlohmann::json::parse(outcome.out)["failed"], 2);
}

TEST(MiniLoad, FailsWhereNobodyListens) {
  std::string port;
  {
    MiniServer server;
    port = std::to_string(server.port());
  }
  EXPECT_EQ(run({MINI_LOAD, "--port", port, "--wait", "0", "--requests", "1"}).status, 1);
}

TEST(MiniLoad, RefusesAMalformedShape) {
  EXPECT_EQ(run({MINI_LOAD, "--port", "1", "--shape", "big"}).status, 2);
}

}  // namespace
}  // namespace mini::testing
