#include "planner/system/dialogue.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace memo::process {
namespace {

constexpr timeval kPatience = {300, 0};  // long, since a large model takes its time to load

}  // namespace

// Connects a socket and not two pipes: writing to a command that has ended is then an ordinary error, and no
// signal.
Dialogue::Dialogue(Command command) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot make a socket");
  channel_ = ends[0];
  setsockopt(channel_, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  command.channel = ends[1];
  try {
    child_ = start(command);
  } catch (...) {
    close(ends[0]);
    close(ends[1]);
    throw;
  }
  close(ends[1]);
}

Dialogue::~Dialogue() {
  close(channel_);
  if (waited_for_) return;
  kill(child_.id, SIGKILL);
  static_cast<void>(wait_for(child_));
}

std::string Dialogue::too_silent() const {
  if (told_all_) return fmt::format("the command has not ended {} s after its input had", kPatience.tv_sec);
  return fmt::format(
      "the command has not answered for {} s; with --in-turn it has to print a line, and flush it, for each "
      "line that it reads",
      kPatience.tv_sec);
}

bool Dialogue::read_more() {
  char bytes[4096];
  ssize_t got = 0;
  do {
    got = recv(channel_, bytes, sizeof bytes, 0);
  } while (got < 0 && errno == EINTR);
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) throw std::runtime_error(too_silent());
  if (got <= 0) return false;
  inbox_.append(bytes, static_cast<std::size_t>(got));
  return true;
}

std::vector<std::string> Dialogue::ask(std::size_t lines) {
  const std::string told(lines, '\n');
  std::vector<std::string> answers;
  if (send(channel_, told.data(), told.size(), MSG_NOSIGNAL) < 0) return answers;
  while (answers.size() < lines) {
    const std::size_t end = inbox_.find('\n');
    if (end == std::string::npos) {
      if (!read_more()) break;
      continue;
    }
    answers.push_back(inbox_.substr(0, end));
    inbox_.erase(0, end + 1);
  }
  return answers;
}

int Dialogue::end(rusage* usage) {
  shutdown(channel_, SHUT_WR);
  told_all_ = true;
  while (read_more()) {
  }
  waited_for_ = true;
  return wait_for(child_, usage);
}

}  // namespace memo::process
