#include "examples/mini_server/load/client.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <thread>

namespace mini {
namespace {

constexpr auto kRetryAfter = std::chrono::milliseconds(20);

std::string reason() {
  return std::strerror(errno);
}

// -1, with errno set.
int try_to_connect(std::uint16_t port) {
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0)
    return descriptor;
  const int error = errno;
  close(descriptor);
  errno = error;
  return -1;
}

std::size_t content_length(const std::string& head) {
  constexpr std::string_view kName = "\r\nContent-Length: ";
  const std::size_t at = head.find(kName);
  if (at == std::string::npos) throw ClientError("an answer without Content-Length");
  return std::stoul(head.substr(at + kName.size()));
}

int status_of(const std::string& head) {
  if (!head.starts_with("HTTP/1.1 "))
    throw ClientError("\"" + head.substr(0, 40) + "\" is no HTTP/1.1 answer");
  return std::stoi(head.substr(9));
}

}  // namespace

Client::Client(std::uint16_t port, std::chrono::seconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while ((descriptor_ = try_to_connect(port)) < 0) {
    if (std::chrono::steady_clock::now() >= deadline) {
      throw ClientError("cannot connect to 127.0.0.1:" + std::to_string(port) + ": " + reason());
    }
    std::this_thread::sleep_for(kRetryAfter);
  }
  const int on = 1;
  setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

Client::~Client() {
  close(descriptor_);
}

void Client::send_all(const std::string& bytes) const {
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ssize_t sent = send(descriptor_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) throw ClientError("cannot send: " + reason());
    if (sent > 0) rest.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void Client::receive_more() {
  char bytes[4096];
  const ssize_t got = recv(descriptor_, bytes, sizeof(bytes), 0);
  if (got == 0) throw ClientError("the server closed the connection");
  if (got < 0 && errno != EINTR) throw ClientError("cannot receive: " + reason());
  if (got > 0) inbox_.append(bytes, static_cast<std::size_t>(got));
}

std::string Client::take_head() {
  constexpr std::string_view kEnd = "\r\n\r\n";
  std::size_t end = 0;
  while ((end = inbox_.find(kEnd)) == std::string::npos) receive_more();
  std::string head = inbox_.substr(0, end);
  inbox_.erase(0, end + kEnd.size());
  return head;
}

std::string Client::take_body(std::size_t length) {
  while (inbox_.size() < length) receive_more();
  std::string body = inbox_.substr(0, length);
  inbox_.erase(0, length);
  return body;
}

Reply Client::get(const std::string& target) {
  send_all("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  const std::string head = take_head();
  return {status_of(head), take_body(content_length(head))};
}

}  // namespace mini
