// detector SEED PASSES [SEED PASSES…]: finds boxes in images that are not there. The layers before the boxes always take the same
// blocks. How many boxes each of four classes has is drawn anew for each pass, and so are the sizes of all blocks that follow from
// them: no size follows from the others. Prints a checksum.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

#include "memomalloc/memomalloc.h"
#include "tests/e2e/programs/operator.h"

namespace {

using Vector = std::vector<float>;

constexpr std::size_t kClasses = 4;
constexpr std::size_t kMostBoxes = 300;  // of an image
constexpr std::size_t kBoxFloats = 4;
constexpr std::size_t kFeatureFloats = 784;  // of a box

Vector layer(const Vector& input, std::size_t size) {
  const Operator scope("layer");
  Vector result(size);
  for (std::size_t i = 0; i < size; ++i)
    result[i] = input[i % input.size()] * 0.5F + static_cast<float>(i % 7);
  return result;
}

Vector backbone() {
  const Operator scope("backbone");
  Vector state(3 * 128 * 128, 1.0F);
  for (const std::size_t size : {262144U, 131072U, 131072U, 65536U, 65536U, 32768U})
    state = layer(state, size);
  return state;
}

Vector boxes_of(const Vector& state, std::size_t count) {
  const Operator scope("boxes");
  Vector result(count * kBoxFloats);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = state[i % state.size()];
  return result;
}

// What is left of the boxes when those that overlap others are gone.
Vector suppressed(const Vector& boxes, std::size_t kept) {
  const Operator scope("nms");
  const Vector order(boxes.rbegin(), boxes.rend());
  return {order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept * kBoxFloats)};
}

Vector features_of(const Vector& state, const Vector& boxes) {
  const Operator scope("features");
  Vector result(boxes.size() / kBoxFloats * kFeatureFloats);
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = state[i % state.size()] + boxes[i / kFeatureFloats * kBoxFloats];
  return result;
}

Vector scores_of(const Vector& features) {
  const Operator scope("scores");
  Vector result(features.size() / kFeatureFloats);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = features[i * kFeatureFloats];
  return result;
}

// Draws so many boxes for an image, and which class has how many of them.
std::vector<std::size_t> drawn_boxes(std::mt19937& random) {
  std::vector<std::size_t> counts(kClasses, 1);
  for (std::size_t box = random() % kMostBoxes; box > 0;) {
    const std::size_t together = std::min<std::size_t>(box, 1 + random() % 80);
    counts[random() % kClasses] += together;
    box -= together;
  }
  return counts;
}

double detect(const std::vector<std::size_t>& counts, const std::vector<std::size_t>& kept) {
  if (memo_pass_begin != nullptr) memo_pass_begin(0);
  double sum = 0;
  {
    const Vector state = backbone();
    Vector features[kClasses];
    for (std::size_t of = 0; of < kClasses; ++of)
      features[of] = features_of(state, suppressed(boxes_of(state, counts[of]), kept[of]));
    for (const Vector& each : features) {
      const Vector scores = scores_of(layer(each, each.size()));
      sum += std::accumulate(scores.begin(), scores.end(), 0.0);
    }
  }
  if (memo_pass_end != nullptr) memo_pass_end();
  return sum;
}

double detect_in(unsigned seed, int passes) {
  std::mt19937 random(seed);
  double sum = 0;
  for (int pass = 0; pass < passes; ++pass) {
    const std::vector<std::size_t> counts = drawn_boxes(random);
    std::vector<std::size_t> kept = counts;
    for (std::size_t& each : kept) each -= random() % each / 2;
    sum += detect(counts, kept);
  }
  return sum;
}

}  // namespace

int main(int count, char** arguments) {
  double sum = 0;
  for (int i = 1; i + 1 < count; i += 2)
    sum = sum / 2 + detect_in(static_cast<unsigned>(std::atoi(arguments[i])), std::atoi(arguments[i + 1]));
  std::printf("%.6f\n", sum);
}
