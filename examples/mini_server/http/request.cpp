#include <algorithm>
#include <cctype>
#include <optional>

#include "examples/mini_server/http/http.h"

namespace mini {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kHeadEnd = "\r\n\r\n";

struct Problem {
  int status;
  std::string reason;
};

Parsed refuse(Problem problem) {
  Parsed parsed;
  parsed.state = Parsed::State::kError;
  parsed.status = problem.status;
  parsed.reason = std::move(problem.reason);
  return parsed;
}

std::string lower_case(std::string_view text) {
  std::string lowered(text);
  std::transform(lowered.begin(), lowered.end(), lowered.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lowered;
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Cuts the text before `separator` off the front of `rest`; all of it where there is none.
std::string_view take_until(std::string_view& rest, std::string_view separator) {
  const std::size_t at = rest.find(separator);
  const std::string_view taken = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view{} : rest.substr(at + separator.size());
  return taken;
}

void read_target(std::string_view target, Request& request) {
  request.path = take_until(target, "?");
  while (!target.empty()) {
    std::string_view value = take_until(target, "&");
    const std::string_view key = take_until(value, "=");
    request.query[std::string(key)] = value;
  }
}

std::optional<Problem> read_request_line(std::string_view line, Request& request) {
  const std::string whole(line);
  const std::string_view method = take_until(line, " ");
  const std::string_view target = take_until(line, " ");
  if (method.empty() || target.empty() || !line.starts_with("HTTP/")) {
    return Problem{400, "\"" + whole + "\" is no request line; send METHOD TARGET HTTP/1.1"};
  }
  if (line != "HTTP/1.1" && line != "HTTP/1.0")
    return Problem{505, std::string(line) + " is not spoken here"};
  if (method != "GET") return Problem{405, std::string(method) + " is not allowed, GET is"};
  if (target.front() != '/') return Problem{400, "\"" + std::string(target) + "\" does not start with /"};
  request.keep_alive = line == "HTTP/1.1";
  read_target(target, request);
  return {};
}

std::optional<Problem> read_header(const std::string& name, std::string_view value, Request& request) {
  if (name == "connection") request.keep_alive = lower_case(value) != "close";
  if ((name == "content-length" && value != "0") || name == "transfer-encoding") {
    return Problem{413, "requests have no body here"};
  }
  return {};
}

std::optional<Problem> read_headers(std::string_view head, Request& request) {
  bool has_host = !request.keep_alive;  // HTTP/1.0 knows no Host
  while (!head.empty()) {
    std::string_view line = take_until(head, kLineEnd);
    const std::string whole(line);
    if (line.find(':') == std::string_view::npos) return Problem{400, "\"" + whole + "\" is no header"};
    const std::string name = lower_case(take_until(line, ":"));
    has_host = has_host || name == "host";
    if (auto problem = read_header(name, trim(line), request)) return problem;
  }
  if (!has_host) return Problem{400, "HTTP/1.1 wants a Host header"};
  return {};
}

}  // namespace

Parsed parse_request(std::string_view bytes) {
  const std::size_t end = bytes.find(kHeadEnd);
  if (std::min(end, bytes.size()) > kLongestRequest) {
    return refuse({431, "a request takes at most " + std::to_string(kLongestRequest) + " bytes"});
  }
  if (end == std::string_view::npos) return {};
  Parsed parsed;
  std::string_view head = bytes.substr(0, end);
  const std::string_view request_line = take_until(head, kLineEnd);
  if (auto problem = read_request_line(request_line, parsed.request)) return refuse(std::move(*problem));
  if (auto problem = read_headers(head, parsed.request)) return refuse(std::move(*problem));
  parsed.state = Parsed::State::kRequest;
  parsed.consumed = end + kHeadEnd.size();
  return parsed;
}

}  // namespace mini
