// A program that knows when it is idle gives its memory back, and gets it again; so does one that is asked from outside. With
// the word "asked" it says what it is at, and reads a line before each step: a process that waits for one is asleep. Failure:
// memory that stays or is counted wrongly, a block that changed, or a pass that is not served afterwards.
#include "served.h"

using namespace served;

namespace {

constexpr std::size_t kLargeBytes = 1 << 18;

[[gnu::noinline]] char* make_large() {
  return static_cast<char*>(malloc(kLargeBytes));
}

void run_pass() {
  const Pass pass;
  auto* small = static_cast<char*>(malloc(100));
  char* large = make_large();
  fill(small, 100, 1);
  fill(large, kLargeBytes, 2);
  EXPECT(is_filled(small, 100, 1) && is_filled(large, kLargeBytes, 2));
  free(small);
  free(large);
}

std::size_t release() {
  return memo_release == nullptr ? 0 : memo_release();
}

void by_itself() {
  const std::uint64_t before = figure("lane_bytes");
  const std::size_t bytes = release();
  EXPECT(!by_plan() || (bytes >= kLargeBytes && figure("lane_bytes") - before >= kLargeBytes));
  const ServedSince now;
  run_pass();
  EXPECT(now.are(2));
  {
    const Pass pass;  // whose own lane stays
    char* block = make_large();
    fill(block, kLargeBytes, 3);
    EXPECT(!by_plan() || release() < kLargeBytes);
    EXPECT(is_filled(block, kLargeBytes, 3));
    free(block);
  }
}

bool say(const char* step) {
  return write(1, step, strlen(step)) > 0;
}

// Returns false at the end of the input.
bool next_line(const char* saying) {
  char line[16];
  return say(saying) && read(0, line, sizeof line) > 0;
}

void when_asked() {
  const std::uint64_t before = figure("lane_bytes");
  EXPECT(next_line("asleep\n"));
  while (figure("lane_bytes") == before) run_pass();
  EXPECT(next_line("done\n"));
  const std::uint64_t first = figure("lane_bytes");
  run_pass();
  EXPECT(say("warm\n"));  // there is nothing to give back before a pass has run
  while (figure("lane_bytes") == first) run_pass();
  EXPECT(next_line("again\n"));
}

}  // namespace

int main(int argc, char** argv) {
  const bool asked = argc > 1 && strcmp(argv[1], "asked") == 0;
  if (recorded(asked ? 1 : argc, run_pass)) return 0;
  asked ? when_asked() : by_itself();
}
