// A small residual network with weights drawn from a seed.
//
//   stem -> 3 stages of [residual, residual, widening block, pool] -> mean of each channel -> linear
//
// Every block has two branches that share nothing but their input, so either may run first:
//
//            +-- conv3x3 norm relu conv3x3 norm --+
//   input ---+                                    +-- add (residual) or concat (widening) -- relu --> output
//            +------------ conv1x1 norm ----------+
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "examples/mini_server/tensor/tensor.h"

namespace mini {

struct ConvUnit {
  std::string name;
  Tensor weights;
  Tensor mean, variance, gain, bias;
  bool relu;
};

enum class Join { kAdd, kConcatenate };

struct Block {
  std::string name;
  std::vector<ConvUnit> left;
  std::vector<ConvUnit> right;
  Join join;
};

struct Stage {
  std::string name;
  std::vector<Block> blocks;
};

struct Network {
  std::vector<ConvUnit> stem;
  std::vector<Stage> stages;
  Tensor head_weights;
  Tensor head_bias;
  bool swap_branches;  // run the right branch of every block before the left; the results are the same
};

inline constexpr std::size_t kImageChannels = 3;
inline constexpr std::size_t kClasses = 100;
inline constexpr std::size_t kSmallestImage = 16;  // every stage halves it, the stem too

[[nodiscard]] MINI_API Network make_network(std::uint64_t seed, bool swap_branches);

// batch x 3 x image x image, drawn from the seed.
[[nodiscard]] MINI_API Tensor make_input(std::uint64_t seed, std::size_t batch, std::size_t image);

}  // namespace mini

// Runs one forward pass: `logits` receives batch x kClasses floats. Everything the pass allocates is freed when it returns.
// Safe from many threads at once. Throws std::runtime_error naming the layer that failed.
extern "C" MINI_API void mini_forward(const mini::Network& network, const mini::Tensor& input, float* logits);
