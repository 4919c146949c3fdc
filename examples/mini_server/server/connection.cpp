#include "examples/mini_server/server/connection.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace mini {
namespace {

constexpr int kPatienceMilliseconds = 5000;

bool would_block() {
  return errno == EAGAIN || errno == EWOULDBLOCK;
}

}  // namespace

Connection::~Connection() {
  close(descriptor_);
}

bool Connection::receive() {
  char bytes[4096];
  for (;;) {
    const ssize_t got = recv(descriptor_, bytes, sizeof(bytes), 0);
    if (got > 0) inbox.append(bytes, static_cast<std::size_t>(got));
    if (got == 0) return false;
    if (got < static_cast<ssize_t>(sizeof(bytes))) {
      if (got > 0 || would_block()) return true;
      if (errno != EINTR) return false;
    }
  }
}

bool Connection::wait_until_writable() const {
  pollfd waiting{descriptor_, POLLOUT, 0};
  return poll(&waiting, 1, kPatienceMilliseconds) == 1;
}

bool Connection::send(const std::string& bytes) {
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ssize_t sent = ::send(descriptor_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent > 0) rest.remove_prefix(static_cast<std::size_t>(sent));
    if (sent < 0 && errno != EINTR && !(would_block() && wait_until_writable())) return false;
  }
  return true;
}

}  // namespace mini
