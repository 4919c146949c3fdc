#include "examples/mini_server/server/server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

namespace mini {
namespace {

constexpr int kBacklog = 512;

int checked(int result, const std::string& what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

int open_signals() {
  sigset_t stopping;
  sigemptyset(&stopping);
  sigaddset(&stopping, SIGINT);
  sigaddset(&stopping, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &stopping, nullptr);
  return checked(signalfd(-1, &stopping, SFD_CLOEXEC), "signalfd");
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int listen_on(std::uint16_t port) {
  const int listener = checked(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), "socket");
  const int on = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  const sockaddr_in address = loopback(port);
  const std::string where = "127.0.0.1:" + std::to_string(port);
  checked(bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), "bind to " + where);
  checked(listen(listener, kBacklog), "listen on " + where);
  return listener;
}

void add_to_poller(int poller, int descriptor) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = descriptor;
  checked(epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event), "epoll_ctl");
}

bool is_due(std::uint64_t number, std::uint64_t every) {
  return every != 0 && number % every == 0;
}

}  // namespace

Descriptor::~Descriptor() {
  close(value_);
}

Server::Server(const Options& options)
    : options_(options),
      inference_(options),
      signals_(open_signals()),
      enough_(checked(eventfd(0, EFD_CLOEXEC), "eventfd")),
      listener_(listen_on(options.port)),
      poller_(checked(epoll_create1(EPOLL_CLOEXEC), "epoll_create1")),
      workers_(std::make_unique<WorkerPool>(options.threads, options.restart_workers,
                                            [this](Connection& client) { serve(client); })) {
  for (const Descriptor* descriptor : {&signals_, &enough_, &listener_}) {
    add_to_poller(poller_.get(), descriptor->get());
  }
}

std::uint16_t Server::port() const {
  sockaddr_in address{};
  socklen_t length = sizeof(address);
  checked(getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &length), "getsockname");
  return ntohs(address.sin_port);
}

void Server::run() {
  dispatch_until_told_to_stop();
  workers_.reset();  // what is being answered is answered, and counted
}

void Server::dispatch_until_told_to_stop() {
  for (;;) {
    epoll_event event{};
    const int count = epoll_wait(poller_.get(), &event, 1, -1);
    if (count < 0 && errno != EINTR) checked(count, "epoll_wait");
    if (count <= 0) continue;
    if (event.data.fd == signals_.get() || event.data.fd == enough_.get()) return;
    if (event.data.fd == listener_.get()) {
      accept_all();
    } else {
      workers_->submit(connection_of(event.data.fd));
    }
  }
}

Connection& Server::connection_of(int descriptor) {
  const std::lock_guard lock(connections_mutex_);
  return *connections_.at(descriptor);
}

void Server::accept_all() {
  int descriptor = -1;
  while ((descriptor = accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
    const int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    auto connection = std::make_unique<Connection>(descriptor);
    Connection& accepted = *connection;
    {
      const std::lock_guard lock(connections_mutex_);
      connections_.emplace(descriptor, std::move(connection));
    }
    watch(accepted, EPOLL_CTL_ADD);
  }
}

// Asks the poller for one event, then for silence until the next call: a connection is with the poller or with one worker. The
// lock orders what this thread did to it before whatever the next one does, in the eyes of the language, too: the poller is
// outside of those.
void Server::watch(Connection& connection, int operation) {
  const std::lock_guard lock(connections_mutex_);
  epoll_event event{};
  event.events = EPOLLIN | EPOLLONESHOT;
  event.data.fd = connection.descriptor();
  checked(epoll_ctl(poller_.get(), operation, connection.descriptor(), &event), "epoll_ctl");
}

void Server::serve(Connection& connection) {
  const bool open = connection.receive();
  if (answer_all(connection) && open) {
    watch(connection, EPOLL_CTL_MOD);
  } else {
    drop(connection);
  }
}

// Takes the connection out of the table first and closes it second: the number may be a new connection's the
// moment it is closed.
void Server::drop(Connection& connection) {
  std::unique_ptr<Connection> last;  // closes after the lock is gone
  const std::lock_guard lock(connections_mutex_);
  const auto found = connections_.find(connection.descriptor());
  last = std::move(found->second);
  connections_.erase(found);
}

// False when the connection is to be closed.
bool Server::answer_all(Connection& connection) {
  for (;;) {
    const Parsed parsed = parse_request(connection.inbox);
    if (parsed.state == Parsed::State::kIncomplete) return true;
    if (parsed.state == Parsed::State::kError) {
      connection.send(make_response(parsed.status, error_json(parsed.reason), false));
      return false;
    }
    connection.inbox.erase(0, parsed.consumed);
    if (!reply(connection, parsed.request)) return false;
  }
}

bool Server::reply(Connection& connection, const Request& request) {
  const Answer answer = inference_.answer(request);
  const bool sent = connection.send(make_response(answer.status, answer.body, request.keep_alive));
  if (answer.status == 200 && request.path == "/infer") count_answer(request, answer);
  return sent && request.keep_alive;
}

void Server::count_answer(const Request& request, const Answer& answer) {
  const std::uint64_t number = ++answered_;
  if (number == options_.requests) eventfd_write(enough_.get(), 1);
  if (is_due(number, options_.reload_every)) inference_.reload();
  if (is_due(number, options_.fork_every)) repeat_in_child(request, answer);
}

// The child has this thread alone, and a copy of everything else: it must not wait for what another thread held.
void Server::repeat_in_child(const Request& request, const Answer& answer) {
  const NetworkInUse network = inference_.network();
  const pid_t child = checked(fork(), "fork");
  if (child == 0) _exit(checksum_in(inference_.answer(request, network)) == checksum_in(answer) ? 0 : 1);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (status != 0) ++wrong_children_;
}

}  // namespace mini
