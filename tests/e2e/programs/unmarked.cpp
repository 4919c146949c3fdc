// unmarked REQUESTS [HELPER]: requests of a server that nothing marks. Each makes the same forty buffers, and lets go of all of them
// before the next one; no function that a hook could know runs it. Prints a checksum, and before it what eight runs of the helper have printed
// meanwhile.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace {

constexpr std::size_t kLayers = 40;

std::uint64_t run_layer(std::vector<std::unique_ptr<unsigned char[]>>& live, std::size_t layer) {
  const std::size_t bytes = 512 + 256 * layer;
  live.push_back(std::make_unique<unsigned char[]>(bytes));
  for (std::size_t i = 0; i < bytes; i += 64) live.back()[i] = static_cast<unsigned char>(layer + i);
  return live.back()[bytes / 2] + (layer == 0 ? 0U : live[layer - 1][0]);
}

std::uint64_t run_request() {
  std::vector<std::unique_ptr<unsigned char[]>> live;
  live.reserve(kLayers);
  std::uint64_t sum = 0;
  for (std::size_t layer = 0; layer < kLayers; ++layer) sum = sum * 31 + run_layer(live, layer);
  return sum;
}

void print_answer_of(const char* helper) {
  std::FILE* answer = popen(helper, "r");
  for (int byte = std::fgetc(answer); byte != EOF; byte = std::fgetc(answer)) std::putchar(byte);
  pclose(answer);
}

}  // namespace

int main(int count, char** arguments) {
  const int requests = count > 1 ? std::atoi(arguments[1]) : 0;
  std::uint64_t sum = 0;
  for (int i = 0; i < requests; ++i) {
    sum = sum * 31 + run_request();
    if (count > 2 && i % (requests / 8) == 0) print_answer_of(arguments[2]);
  }
  std::printf("%016llx\n", static_cast<unsigned long long>(sum));
}
