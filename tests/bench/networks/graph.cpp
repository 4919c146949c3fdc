#include "tests/bench/networks/graph.h"

namespace memo::bench {

void Graph::read(Tensor tensor) {
  problem_.buffers[tensor].life.end = next_operator_ + 1;
}

Tensor Graph::add(Shape shape, const std::vector<Tensor>& inputs) {
  for (const Tensor input : inputs) read(input);
  problem_.buffers.push_back(
      {.life = {next_operator_, next_operator_ + 1}, .size = shape.bytes(), .alignment = 1, .fixed = {}});
  shapes_.push_back(shape);
  ++next_operator_;
  return shapes_.size() - 1;
}

void Graph::output_of(std::initializer_list<Tensor> inputs) {
  for (const Tensor input : inputs) read(input);
  ++next_operator_;
}

}  // namespace memo::bench
