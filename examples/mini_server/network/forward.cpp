#include <algorithm>
#include <stdexcept>

#include "examples/mini_server/network/network.h"
#include "examples/mini_server/ops/ops.h"

namespace mini {
namespace {

constexpr std::size_t kPoolWindow = 2;

// The layers a pass has entered, so that a failure can say where it happened.
class Journal {
 public:
  void enter(const std::string& layer, const Tensor& input) {
    entries_.push_back({layer, to_string(input.sizes())});
  }

  [[nodiscard]] std::string last() const {
    return entries_.empty() ? "input" : entries_.back().layer + " on " + entries_.back().shape;
  }

 private:
  struct Entry {
    std::string layer;
    std::string shape;
  };
  std::vector<Entry> entries_;
};

class Pass {
 public:
  explicit Pass(const Network& network) : network_(network) {}

  void run(const Tensor& input, float* logits) {
    Tensor activations = max_pool("stem.pool", units(network_.stem, input));
    for (const Stage& stage : network_.stages) activations = run_stage(stage, activations);
    const Tensor result = head(activations);
    std::copy_n(result.data(), result.count(), logits);
  }

  [[nodiscard]] const Journal& journal() const { return journal_; }

 private:
  Tensor conv(const ConvUnit& unit, const Tensor& input) {
    journal_.enter(unit.name + ".conv2d", input);
    Tensor output;
    mini_op_conv2d(input, unit.weights, 1, output);
    return output;
  }

  Tensor norm(const ConvUnit& unit, const Tensor& input) {
    journal_.enter(unit.name + ".batch_norm", input);
    Tensor output;
    mini_op_batch_norm(input, unit.mean, unit.variance, unit.gain, unit.bias, output);
    return output;
  }

  Tensor relu(const std::string& name, const Tensor& input) {
    journal_.enter(name + ".relu", input);
    Tensor output;
    mini_op_relu(input, output);
    return output;
  }

  Tensor max_pool(const std::string& name, const Tensor& input) {
    journal_.enter(name, input);
    Tensor output;
    mini_op_max_pool(input, kPoolWindow, output);
    return output;
  }

  Tensor units(const std::vector<ConvUnit>& list, Tensor activations) {
    for (const ConvUnit& unit : list) {
      activations = norm(unit, conv(unit, activations));
      if (unit.relu) activations = relu(unit.name, activations);
    }
    return activations;
  }

  Tensor join(const Block& block, const Tensor& left, const Tensor& right) {
    Tensor output;
    if (block.join == Join::kAdd) {
      journal_.enter(block.name + ".add", left);
      mini_op_add(left, right, output);
    } else {
      journal_.enter(block.name + ".concat", left);
      mini_op_concat({left, right}, output);
    }
    return output;
  }

  Tensor run_block(const Block& block, const Tensor& input) {
    Tensor left;
    Tensor right;
    if (network_.swap_branches) right = units(block.right, input);
    left = units(block.left, input);
    if (!network_.swap_branches) right = units(block.right, input);
    return relu(block.name, join(block, left, right));
  }

  Tensor run_stage(const Stage& stage, Tensor activations) {
    for (const Block& block : stage.blocks) activations = run_block(block, activations);
    return max_pool(stage.name + ".pool", activations);
  }

  Tensor head(const Tensor& activations) {
    Tensor features;
    journal_.enter("head.global_average_pool", activations);
    mini_op_global_average_pool(activations, features);
    Tensor logits;
    journal_.enter("head.linear", features);
    mini_op_linear(features, network_.head_weights, network_.head_bias, logits);
    return logits;
  }

  const Network& network_;
  Journal journal_;
};

}  // namespace
}  // namespace mini

void mini_forward(const mini::Network& network, const mini::Tensor& input, float* logits) {
  mini::Pass pass(network);
  try {
    pass.run(input, logits);
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error(pass.journal().last() + ": " + error.what());
  }
}
