// BlazeFace (Bazarevsky et al. 2019), front camera, 128x128: single blocks of a depthwise and a pointwise
// convolution with a residual, which is pooled where the block strides and padded where its channels grow.
#include "tests/bench/networks/graph.h"
#include "tests/bench/networks/networks.h"

namespace memo::bench {
namespace {

struct Block {
  int channels;
  int stride;
};

constexpr Block kTo16[] = {{24, 1}, {28, 1}, {32, 2}, {36, 1}, {42, 1}, {48, 2},
                           {56, 1}, {64, 1}, {72, 1}, {80, 1}, {88, 1}};
constexpr Block kTo8[] = {{96, 2}, {96, 1}, {96, 1}, {96, 1}, {96, 1}};

Tensor add_block(Graph& graph, Tensor x, const Block& block) {
  const Shape in = graph.shape(x);
  const Shape out = strided(in, block.stride, block.channels);
  Tensor y = graph.add(strided(in, block.stride, in.channels), {x});
  y = graph.add(out, {y});
  if (block.stride > 1) x = graph.add(strided(in, block.stride, in.channels), {x});
  if (block.channels != in.channels) x = graph.add(out, {x});
  return graph.add(out, {x, y});
}

// Scores and boxes for some anchors at each point, reshaped and then concatenated with the other grid's.
std::vector<Tensor> add_heads(Graph& graph, Tensor features, int anchors) {
  const Shape grid = graph.shape(features);
  std::vector<Tensor> heads;
  for (const int values : {1, 16}) {
    const Tensor head = graph.add({grid.height, grid.width, anchors * values}, {features});
    heads.push_back(graph.add({1, grid.height * grid.width * anchors, values}, {head}));
  }
  return heads;
}

}  // namespace

planner::Problem blazeface() {
  Graph graph;
  Tensor x = graph.add({64, 64, 24}, {});
  for (const Block& block : kTo16) x = add_block(graph, x, block);
  const Tensor fine = x;
  for (const Block& block : kTo8) x = add_block(graph, x, block);
  const std::vector<Tensor> fine_heads = add_heads(graph, fine, 2);
  const std::vector<Tensor> coarse_heads = add_heads(graph, x, 6);
  for (std::size_t i = 0; i < fine_heads.size(); ++i) graph.output_of({fine_heads[i], coarse_heads[i]});
  return graph.problem();
}

}  // namespace memo::bench
