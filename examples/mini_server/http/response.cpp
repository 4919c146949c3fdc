#include <nlohmann/json.hpp>

#include "examples/mini_server/http/http.h"

namespace mini {
namespace {

const char* phrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 413:
      return "Content Too Large";
    case 431:
      return "Request Header Fields Too Large";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Internal Server Error";
  }
}

}  // namespace

std::string error_json(const std::string& reason) {
  return nlohmann::json{{"error", reason}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string make_response(int status, std::string_view json_body, bool keep_alive) {
  std::string response = "HTTP/1.1 " + std::to_string(status) + " " + phrase(status) + "\r\n";
  if (status == 405) response += "Allow: GET\r\n";
  response +=
      "Content-Type: application/json\r\nContent-Length: " + std::to_string(json_body.size()) + "\r\n";
  response += keep_alive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
  response += json_body;
  return response;
}

}  // namespace mini
