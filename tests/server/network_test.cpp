#include "examples/mini_server/network/network.h"

#include <gtest/gtest.h>

#include <thread>

#include "examples/mini_server/ops/ops.h"

namespace mini {
namespace {

std::vector<float> run(const Network& network, std::size_t batch, std::size_t image, std::uint64_t seed = 1) {
  std::vector<float> logits(batch * kClasses);
  mini_forward(network, make_input(seed, batch, image), logits.data());
  return logits;
}

Tensor filled(Shape shape, float first, float step) {
  Tensor tensor(std::move(shape));
  for (std::size_t i = 0; i < tensor.count(); ++i)
    tensor.data()[i] = first + step * static_cast<float>(i % 17);
  return tensor;
}

// Computes one output element of a padded convolution, straight from the definition.
float convolved(const Tensor& input, const Tensor& weights, std::size_t n, std::size_t out, std::size_t y,
                std::size_t x) {
  const std::size_t kernel = weights.size(2);
  float sum = 0;
  for (std::size_t c = 0; c < input.size(1); ++c) {
    for (std::size_t ky = 0; ky < kernel; ++ky) {
      for (std::size_t kx = 0; kx < kernel; ++kx) {
        const std::size_t row = y + ky - kernel / 2;  // wraps far beyond the image when above or left of it
        const std::size_t column = x + kx - kernel / 2;
        if (row >= input.size(2) || column >= input.size(3)) continue;
        sum += input.slice(n).slice(c).data()[row * input.size(3) + column] *
               weights.slice(out).slice(c).data()[ky * kernel + kx];
      }
    }
  }
  return sum;
}

// Sizes that are no multiples of the blocks and tiles of the matrix product, so that every edge is used.
TEST(Conv2d, AgreesWithItsDefinition) {
  const Tensor input = filled({2, 25, 7, 26}, -1, 0.25F);
  const Tensor weights = filled({7, 25, 3, 3}, -0.5F, 0.125F);
  Tensor output;
  mini_op_conv2d(input, weights, 1, output);
  ASSERT_EQ(output.sizes(), (Shape{2, 7, 7, 26}));
  for (std::size_t i = 0; i < output.count(); ++i) {
    const std::size_t x = i % 26;
    const std::size_t y = i / 26 % 7;
    EXPECT_NEAR(output.data()[i], convolved(input, weights, i / (26 * 7 * 7), i / (26 * 7) % 7, y, x), 1e-2)
        << i;
  }
}

TEST(Conv2d, RefusesAnotherNumberOfChannels) {
  Tensor output;
  EXPECT_THROW(mini_op_conv2d(filled({1, 3, 8, 8}, 0, 1), filled({4, 2, 3, 3}, 0, 1), 1, output),
               std::invalid_argument);
}

TEST(MaxPool, TakesTheLargestOfEachWindow) {
  Tensor output;
  const Tensor input = filled({1, 1, 2, 4}, 0, 1);
  mini_op_max_pool(input, 2, output);
  EXPECT_EQ(output.sizes(), (Shape{1, 1, 1, 2}));
  EXPECT_EQ(output.data()[0], 5);
  EXPECT_EQ(output.data()[1], 7);
}

// An image of a batch comes out as it does alone: nothing leaks from one to the next.
TEST(Forward, TreatsTheImagesOfABatchAlike) {
  const Network network = make_network(3, false);
  Tensor pair({2, kImageChannels, 16, 16});
  const Tensor single = make_input(5, 1, 16);
  for (std::size_t n = 0; n < 2; ++n) {
    std::copy_n(single.data(), single.count(), pair.slice(n).data());
  }
  std::vector<float> logits(2 * kClasses);
  mini_forward(network, pair, logits.data());
  const std::vector<float> alone = run(network, 1, 16, 5);
  EXPECT_TRUE(std::equal(alone.begin(), alone.end(), logits.begin()));
  EXPECT_TRUE(std::equal(alone.begin(), alone.end(), logits.begin() + kClasses));
}

TEST(Forward, DependsOnInputAndWeights) {
  const Network network = make_network(3, false);
  EXPECT_EQ(run(network, 1, 16), run(network, 1, 16));
  EXPECT_NE(run(network, 1, 16, 1), run(network, 1, 16, 2));
  EXPECT_NE(run(network, 1, 16), run(make_network(4, false), 1, 16));
}

// The two branches of a block are independent: their order changes no bit of the result.
TEST(Forward, DoesNotDependOnTheOrderOfBranches) {
  EXPECT_EQ(run(make_network(3, false), 2, 32), run(make_network(3, true), 2, 32));
}

// Passes of different shapes at once, over one network: each thread gets what it gets alone.
TEST(Forward, IsTheSameFromManyThreads) {
  const Network network = make_network(3, false);
  const std::size_t images[] = {16, 24, 32, 40};
  std::vector<std::vector<float>> results(std::size(images));
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < std::size(images); ++i) {
    threads.emplace_back([&, i] { results[i] = run(network, 1, images[i]); });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < std::size(images); ++i) EXPECT_EQ(results[i], run(network, 1, images[i]));
}

TEST(Forward, NamesTheLayerThatFailed) {
  const Network network = make_network(3, false);
  std::vector<float> logits(kClasses);
  try {
    mini_forward(network, filled({1, 4, 16, 16}, 0, 1), logits.data());
    FAIL() << "four channels were accepted";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "stem.0.conv2d on 1x4x16x16: conv2d wants 3 channels, got 1x4x16x16");
  }
}

}  // namespace
}  // namespace mini
