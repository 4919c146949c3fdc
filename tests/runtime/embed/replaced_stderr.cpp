// A program with the arena inside that is refused a plan, so that the arena has something to say.
//
//   replaced_stderr DAMAGED         the notice goes to stderr
//   replaced_stderr DAMAGED OWN     OWN takes the number of stderr first, as a file of the program's would that is opened once
//                                   stderr is closed. Failure: a byte of OWN is not one that the program wrote.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "memomalloc/arena.h"

namespace {

const std::string kOwnBytes = "the program's own bytes\n";

bool is_refused(const char* path) {
  std::ofstream(path) << "this is no plan\n";
  return !memo::arena::serve_plan(path);
}

bool write_own_bytes() {
  return write(STDERR_FILENO, kOwnBytes.data(), kOwnBytes.size()) == static_cast<ssize_t>(kOwnBytes.size());
}

bool put_in_place_of_stderr(const char* path) {
  const int own = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  return own >= 0 && dup2(own, STDERR_FILENO) == STDERR_FILENO && close(own) == 0;
}

std::string whole(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

int fail(const char* what) {
  std::printf("failure: %s\n", what);
  return 1;
}

}  // namespace

int main(int count, char** words) {
  if (count < 2) return fail("usage: replaced_stderr DAMAGED [OWN]");
  const char* own = count > 2 ? words[2] : nullptr;
  if (own != nullptr && !(put_in_place_of_stderr(own) && write_own_bytes())) return fail("cannot write OWN");
  if (!is_refused(words[1])) return fail("a damaged plan was taken");
  if (own != nullptr && !write_own_bytes()) return fail("cannot write OWN");
  if (own != nullptr && whole(own) != kOwnBytes + kOwnBytes)
    return fail("OWN has bytes that the program did not write");
  return 0;
}
