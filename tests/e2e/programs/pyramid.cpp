// pyramid SIDES…: an image of each side, in turn a pass: sharpened, and halved again and again until little is left of it; all
// levels together make the answer. Every buffer goes with the square of the side. Prints a checksum.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "memomalloc/memomalloc.h"
#include "tests/e2e/programs/operator.h"

namespace {

constexpr std::size_t kLevels = 4;

struct Image {
  std::size_t side;
  std::vector<float> pixels;

  explicit Image(std::size_t of_side) : side(of_side), pixels(of_side * of_side) {}
  float& at(std::size_t row, std::size_t column) { return pixels[row * side + column]; }
  [[nodiscard]] float at(std::size_t row, std::size_t column) const { return pixels[row * side + column]; }
};

Image sharpened(const Image& image) {
  const Operator scope("sharpen");
  Image mean(image.side);
  for (std::size_t row = 0; row < image.side; ++row)
    for (std::size_t column = 0; column < image.side; ++column)
      mean.at(row, column) = (image.at(row, column) + image.at(row, (column + 1) % image.side) +
                              image.at((row + 1) % image.side, column)) /
                             3;
  Image result(image.side);
  for (std::size_t i = 0; i < result.pixels.size(); ++i)
    result.pixels[i] = 2 * image.pixels[i] - mean.pixels[i];
  return result;
}

Image halved(const Image& image) {
  const Operator scope("halve");
  Image result(image.side / 2);
  for (std::size_t row = 0; row < result.side; ++row)
    for (std::size_t column = 0; column < result.side; ++column)
      result.at(row, column) = (image.at(2 * row, 2 * column) + image.at(2 * row + 1, 2 * column + 1)) / 2;
  return result;
}

std::uint64_t checksum_of(const Image& image, std::uint64_t sum) {
  for (const float pixel : image.pixels) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &pixel, sizeof bits);
    sum = sum * 31 + bits;
  }
  return sum;
}

std::uint64_t run(std::size_t side, std::uint64_t sum) {
  if (memo_pass_begin != nullptr) memo_pass_begin(0);
  {
    Image image(side);
    for (std::size_t i = 0; i < image.pixels.size(); ++i) image.pixels[i] = static_cast<float>(i % 97);
    for (std::size_t level = 0; level < kLevels; ++level) {
      const Image clear = sharpened(image);
      image = halved(clear);
      sum = checksum_of(clear, sum);
    }
  }
  if (memo_pass_end != nullptr) memo_pass_end();
  return sum;
}

}  // namespace

int main(int count, char** arguments) {
  std::uint64_t sum = 0;
  for (int i = 1; i < count; ++i) sum = run(static_cast<std::size_t>(std::atoi(arguments[i])), sum);
  std::printf("%016llx\n", static_cast<unsigned long long>(sum));
}
