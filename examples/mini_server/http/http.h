// Speaks as much of HTTP/1.1 as a server on loopback needs: requests without a body, answers in JSON, connections that stay
// open.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace mini {

inline constexpr std::size_t kLongestRequest = 8192;

struct Request {
  std::string path;
  std::map<std::string, std::string> query;
  bool keep_alive = true;
};

// The meaning of the bytes received so far.
struct Parsed {
  enum class State { kIncomplete, kRequest, kError };
  State state = State::kIncomplete;
  Request request;           // kRequest
  std::size_t consumed = 0;  // kRequest: bytes it took
  int status = 0;            // kError: what to answer,
  std::string reason;        //         and why
};

[[nodiscard]] Parsed parse_request(std::string_view bytes);

// {"error": reason}; the reason may quote whatever bytes a client sent.
[[nodiscard]] std::string error_json(const std::string& reason);

[[nodiscard]] std::string make_response(int status, std::string_view json_body, bool keep_alive);

}  // namespace mini
