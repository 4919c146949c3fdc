// A network as the planner sees it: operators in the order of execution, each making one tensor from others. A tensor
// lives from the operator that makes it up to and including the last one that reads it. Weights, the network's
// input and its final output are not planned, as in Pisarchyk & Lee's tables.
#pragma once

#include <initializer_list>
#include <vector>

#include "planner/problem/problem.h"

namespace memo::bench {

using Tensor = std::size_t;

// Height, width and channels of 32-bit floats.
struct Shape {
  int height = 1;
  int width = 1;
  int channels = 1;

  [[nodiscard]] planner::Bytes bytes() const { return planner::Bytes{4} * height * width * channels; }
};

class Graph {
 public:
  // The next operator: reads `inputs` (the network's input is not listed) and makes a tensor of this shape.
  Tensor add(Shape shape, std::initializer_list<Tensor> inputs) {
    return add(shape, std::vector<Tensor>(inputs));
  }
  Tensor add(Shape shape, const std::vector<Tensor>& inputs);

  // An operator whose result is an output of the network and so is not planned.
  void output(Tensor from) { output_of({from}); }
  void output_of(std::initializer_list<Tensor> inputs);

  [[nodiscard]] Shape shape(Tensor tensor) const { return shapes_[tensor]; }
  [[nodiscard]] planner::Problem problem() const { return problem_; }

 private:
  void read(Tensor tensor);

  planner::Time next_operator_ = 0;
  std::vector<Shape> shapes_;
  planner::Problem problem_;
};

// Half the size, rounded up, for a stride of 2 with padding.
[[nodiscard]] inline Shape strided(Shape shape, int stride, int channels) {
  return {(shape.height + stride - 1) / stride, (shape.width + stride - 1) / stride, channels};
}

}  // namespace memo::bench
