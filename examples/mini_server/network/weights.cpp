#include <cmath>

#include "examples/mini_server/network/network.h"

namespace mini {
namespace {

constexpr std::size_t kStemChannels = 16;
constexpr std::size_t kFirstChannels = 24;
constexpr std::size_t kStages = 3;

// SplitMix64: the same numbers with every library and on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  // Uniform in [low, high).
  float between(float low, float high) {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t bits = (state_ ^ (state_ >> 30U)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
    return low + (high - low) * static_cast<float>(bits >> 40U) * 0x1p-24F;
  }

 private:
  std::uint64_t state_;
};

Tensor draw(Random& random, Shape shape, float low, float high) {
  Tensor tensor(std::move(shape));
  for (std::size_t i = 0; i < tensor.count(); ++i) tensor.data()[i] = random.between(low, high);
  return tensor;
}

// Scaled by the number of inputs, so that activations keep their size from layer to layer.
Tensor draw_weights(Random& random, Shape shape, std::size_t inputs) {
  const float bound = std::sqrt(3.0F / static_cast<float>(inputs));
  return draw(random, std::move(shape), -bound, bound);
}

ConvUnit make_unit(Random& random, const std::string& name, std::size_t in, std::size_t out,
                   std::size_t kernel, bool relu) {
  return {.name = name,
          .weights = draw_weights(random, {out, in, kernel, kernel}, in * kernel * kernel),
          .mean = draw(random, {out}, -0.1F, 0.1F),
          .variance = draw(random, {out}, 0.8F, 1.2F),
          .gain = draw(random, {out}, 0.8F, 1.2F),
          .bias = draw(random, {out}, -0.1F, 0.1F),
          .relu = relu};
}

Block make_block(Random& random, const std::string& name, std::size_t channels, Join join) {
  return {.name = name,
          .left = {make_unit(random, name + ".left.0", channels, channels, 3, true),
                   make_unit(random, name + ".left.1", channels, channels, 3, false)},
          .right = {make_unit(random, name + ".right.0", channels, channels, 1, false)},
          .join = join};
}

Stage make_stage(Random& random, const std::string& name, std::size_t channels) {
  return {.name = name,
          .blocks = {make_block(random, name + ".block0", channels, Join::kAdd),
                     make_block(random, name + ".block1", channels, Join::kAdd),
                     make_block(random, name + ".block2", channels, Join::kConcatenate)}};
}

}  // namespace

Network make_network(std::uint64_t seed, bool swap_branches) {
  Random random(seed);
  Network network{};
  network.swap_branches = swap_branches;
  network.stem = {make_unit(random, "stem.0", kImageChannels, kStemChannels, 3, true),
                  make_unit(random, "stem.1", kStemChannels, kFirstChannels, 3, true)};
  std::size_t channels = kFirstChannels;
  for (std::size_t i = 0; i < kStages; ++i) {
    network.stages.push_back(make_stage(random, "stage" + std::to_string(i), channels));
    channels *= 2;
  }
  network.head_weights = draw_weights(random, {kClasses, channels}, channels);
  network.head_bias = draw(random, {kClasses}, -0.1F, 0.1F);
  return network;
}

Tensor make_input(std::uint64_t seed, std::size_t batch, std::size_t image) {
  Random random(seed);
  return draw(random, {batch, kImageChannels, image, image}, -1.0F, 1.0F);
}

}  // namespace mini
