#include "tests/server/process.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace mini::testing {
namespace {

std::vector<std::string> server_command(const std::vector<std::string>& options) {
  std::vector<std::string> command{MINI_SERVER};
  command.insert(command.end(), options.begin(), options.end());
  return command;
}

std::uint16_t port_in(const std::string& line) {
  const std::string before = "http://127.0.0.1:";
  const std::size_t at = line.find(before);
  if (at == std::string::npos) {
    ADD_FAILURE() << "no port in \"" << line << '"';
    return 0;
  }
  return static_cast<std::uint16_t>(std::stoi(line.substr(at + before.size())));
}

[[noreturn]] void become(const std::vector<std::string>& arguments, const Environment& extra) {
  for (const auto& [name, value] : extra) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> pointers;
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  execv(pointers[0], pointers.data());
  _exit(127);
}

}  // namespace

Process::Process(const std::vector<std::string>& arguments, const Environment& extra) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("pipe");
  pid_ = fork();
  if (pid_ == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    become(arguments, extra);
  }
  close(ends[1]);
  out_ = ends[0];
}

Process::~Process() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  close(out_);
}

std::string Process::read_line() {
  std::string line;
  char byte = 0;
  while (read(out_, &byte, 1) == 1 && byte != '\n') line += byte;
  return line;
}

void Process::signal(int number) const {
  kill(pid_, number);
}

Outcome Process::wait() {
  Outcome outcome{};
  char bytes[4096];
  ssize_t got = 0;
  while ((got = read(out_, bytes, sizeof(bytes))) > 0)
    outcome.out.append(bytes, static_cast<std::size_t>(got));
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  outcome.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return outcome;
}

Outcome run(const std::vector<std::string>& arguments, const Environment& extra) {
  return Process(arguments, extra).wait();
}

MiniServer::MiniServer(const std::vector<std::string>& options, const Environment& extra)
    : process_(server_command(options), extra), port_(port_in(process_.read_line())) {}

Outcome MiniServer::load(std::vector<std::string> options) const {
  options.insert(options.begin(), {MINI_LOAD, "--port", std::to_string(port_), "--json"});
  return run(options);
}

std::string MiniServer::checksum(const std::string& shape) const {
  const Outcome outcome = load({"--connections", "1", "--requests", "1", "--warmup", "0", "--shape", shape});
  EXPECT_EQ(outcome.status, 0);
  return nlohmann::json::parse(outcome.out).at("checksums").begin().value();
}

std::string MiniServer::exchange(const std::string& bytes) const {
  const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port_);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_EQ(send(client, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  std::string answer;
  char buffer[4096];
  ssize_t got = 0;
  while ((got = recv(client, buffer, sizeof(buffer), 0)) > 0)
    answer.append(buffer, static_cast<std::size_t>(got));
  close(client);
  return answer;
}

Outcome MiniServer::stop() {
  process_.signal(SIGTERM);
  return process_.wait();
}

}  // namespace mini::testing
