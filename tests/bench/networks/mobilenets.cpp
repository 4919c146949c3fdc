// MobileNet v1 and v2 and the two networks built on them: PoseNet (v1) and DeepLab v3 (v2).
#include <algorithm>

#include "tests/bench/networks/graph.h"
#include "tests/bench/networks/networks.h"

namespace memo::bench {
namespace {

// Strides stop once the whole stride reaches the output stride; the layers are dilated instead.
class Strides {
 public:
  explicit Strides(int most) : most_(most) {}
  int next(int stride) {
    if (total_ * stride > most_) return 1;
    total_ *= stride;
    return stride;
  }

 private:
  int most_;
  int total_ = 2;  // the first convolution
};

struct Separable {
  int channels;
  int stride;
};

// Howard et al. 2017, table 1: a depthwise and a pointwise convolution for each row.
constexpr Separable kMobilenetV1[] = {{64, 1},  {128, 2}, {128, 1}, {256, 2}, {256, 1},  {512, 2}, {512, 1},
                                      {512, 1}, {512, 1}, {512, 1}, {512, 1}, {1024, 2}, {1024, 1}};

Tensor add_mobilenet_v1(Graph& graph, Shape first, double width, int output_stride) {
  const auto scaled = [width](int channels) { return static_cast<int>(channels * width); };
  Tensor x = graph.add({first.height, first.width, scaled(32)}, {});
  Strides strides(output_stride);
  for (const Separable& row : kMobilenetV1) {
    const Shape in = graph.shape(x);
    x = graph.add(strided(in, strides.next(row.stride), in.channels), {x});
    const Shape depthwise = graph.shape(x);
    x = graph.add({depthwise.height, depthwise.width, scaled(row.channels)}, {x});
  }
  return x;
}

// Pooling, a fully connected layer as a 1x1 convolution, and its reshape; the softmax makes the output.
void add_classifier(Graph& graph, Tensor features) {
  Tensor x = graph.add({1, 1, graph.shape(features).channels}, {features});
  x = graph.add({1, 1, 1001}, {x});
  x = graph.add({1, 1, 1001}, {x});
  graph.output(x);
}

struct Bottleneck {
  int expansion;
  int channels;
  int repeats;
  int stride;
};

// Sandler et al. 2018, table 2.
constexpr Bottleneck kMobilenetV2[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                                       {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};

// A multiple of 8 that loses no more than a tenth of the channels.
int rounded(double channels) {
  const int down = std::max(8, (static_cast<int>(channels) + 4) / 8 * 8);
  return down < 0.9 * channels ? down + 8 : down;
}

Tensor add_bottleneck(Graph& graph, Tensor x, int expansion, int channels, int stride, bool residual) {
  const Shape in = graph.shape(x);
  const int expanded = in.channels * expansion;
  Tensor y = x;
  if (expansion > 1) y = graph.add({in.height, in.width, expanded}, {y});
  y = graph.add(strided(in, stride, expanded), {y});
  const Shape depthwise = graph.shape(y);
  y = graph.add({depthwise.height, depthwise.width, channels}, {y});
  return residual ? graph.add(graph.shape(y), {x, y}) : y;
}

Tensor add_mobilenet_v2(Graph& graph, int size, double width, int output_stride) {
  Tensor x = graph.add({size, size, rounded(32 * width)}, {});
  Strides strides(output_stride);
  for (const Bottleneck& row : kMobilenetV2) {
    for (int i = 0; i < row.repeats; ++i) {
      const int stride = i == 0 ? strides.next(row.stride) : 1;
      x = add_bottleneck(graph, x, row.expansion, rounded(row.channels * width), stride, i > 0);
    }
  }
  return x;
}

}  // namespace

planner::Problem mobilenet_v1() {
  Graph graph;
  add_classifier(graph, add_mobilenet_v1(graph, {112, 112}, 1.0, 32));
  return graph.problem();
}

planner::Problem mobilenet_v2() {
  Graph graph;
  const Tensor features = add_mobilenet_v2(graph, 112, 1.0, 32);
  add_classifier(graph, graph.add({7, 7, 1280}, {features}));
  return graph.problem();
}

// The mobile model: 257x257, half the channels, output stride 8, and the pooling branch of the pyramid only. The
// logits, scaled up, are the output.
planner::Problem deeplab_v3() {
  Graph graph;
  const Tensor features = add_mobilenet_v2(graph, 129, 0.5, 8);
  const Shape grid = graph.shape(features);
  Tensor pooled = graph.add({1, 1, grid.channels}, {features});
  pooled = graph.add({1, 1, 256}, {pooled});
  pooled = graph.add({grid.height, grid.width, 256}, {pooled});
  const Tensor local = graph.add({grid.height, grid.width, 256}, {features});
  Tensor x = graph.add({grid.height, grid.width, 512}, {pooled, local});
  x = graph.add({grid.height, grid.width, 256}, {x});
  x = graph.add({grid.height, grid.width, 21}, {x});
  graph.output(x);
  return graph.problem();
}

// MobileNet v1 at three quarters of the channels on 353x257, output stride 16, and four heads: outputs.
planner::Problem posenet() {
  Graph graph;
  const Tensor features = add_mobilenet_v1(graph, {129, 177}, 0.75, 16);
  for (int head = 0; head < 4; ++head) graph.output(features);
  return graph.problem();
}

}  // namespace memo::bench
