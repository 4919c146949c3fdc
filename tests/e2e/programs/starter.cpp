// starter: a server that starts other programs. It reads commands from stdin and answers each with one line:
//
//   start COMMAND   runs the command, and prints the first line that it prints
//   pass N          runs N passes, which it marks, and prints their checksum
//   request N       runs N requests that nothing marks, of other buffers, and prints their checksum
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "memomalloc/memomalloc.h"

namespace {

constexpr std::size_t kLayers = 40;

[[gnu::noinline]] std::uint64_t run_layers(std::size_t step) {
  std::vector<std::unique_ptr<unsigned char[]>> live;
  live.reserve(kLayers);
  std::uint64_t sum = 0;
  for (std::size_t layer = 0; layer < kLayers; ++layer) {
    const std::size_t bytes = 512 + step * layer;
    live.push_back(std::make_unique<unsigned char[]>(bytes));
    live.back()[bytes / 2] = static_cast<unsigned char>(layer);
    sum = sum * 31 + live.back()[bytes / 2];
  }
  return sum;
}

[[gnu::noinline]] std::uint64_t run_pass() {
  if (memo_pass_begin != nullptr) memo_pass_begin(0);
  const std::uint64_t sum = run_layers(320);
  if (memo_pass_end != nullptr) memo_pass_end();
  return sum;
}

[[gnu::noinline]] std::uint64_t run_request() {
  return run_layers(256);
}

std::uint64_t repeat(std::uint64_t (*function)(), long times) {
  std::uint64_t sum = 0;
  for (long i = 0; i < times; ++i) sum = sum * 31 + function();
  return sum;
}

std::string first_line_of(const char* command) {
  std::FILE* output = popen(command, "r");
  std::array<char, 256> line{};
  if (output == nullptr || std::fgets(line.data(), line.size(), output) == nullptr) line[0] = '\n';
  if (output != nullptr) pclose(output);
  return line.data();
}

void obey(const std::string& line) {
  const std::size_t space = line.find(' ');
  const std::string rest = line.substr(space + 1);
  if (line.starts_with("start ")) {
    std::fputs(first_line_of(rest.c_str()).c_str(), stdout);
  } else {
    const std::uint64_t sum =
        repeat(line.starts_with("pass ") ? run_pass : run_request, std::atol(rest.c_str()));
    std::printf("%016llx\n", static_cast<unsigned long long>(sum));
  }
  std::fflush(stdout);
}

}  // namespace

int main() {
  std::array<char, 4096> line{};
  while (std::fgets(line.data(), line.size(), stdin) != nullptr) obey(line.data());
}
