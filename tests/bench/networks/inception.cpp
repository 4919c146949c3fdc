// Inception v3 (Szegedy et al. 2016, table 1 and figures 5 to 7), 299x299.
#include "tests/bench/networks/graph.h"
#include "tests/bench/networks/networks.h"

namespace memo::bench {
namespace {

// A convolution or a pooling on a square grid.
Tensor step(Graph& graph, Tensor from, int size, int channels) {
  return graph.add({size, size, channels}, {from});
}

Tensor chain(Graph& graph, Tensor from, int size, std::initializer_list<int> channels) {
  for (const int c : channels) from = step(graph, from, size, c);
  return from;
}

Tensor concatenate(Graph& graph, const std::vector<Tensor>& parts) {
  Shape shape = graph.shape(parts.front());
  shape.channels = 0;
  for (const Tensor part : parts) shape.channels += graph.shape(part).channels;
  return graph.add(shape, parts);
}

Tensor stem(Graph& graph) {
  Tensor x = graph.add({149, 149, 32}, {});
  x = step(graph, x, 147, 32);
  x = step(graph, x, 147, 64);
  x = step(graph, x, 73, 64);
  x = step(graph, x, 73, 80);
  x = step(graph, x, 71, 192);
  return step(graph, x, 35, 192);
}

Tensor block_35(Graph& graph, Tensor x, int pooled) {
  const int channels = graph.shape(x).channels;
  const Tensor a = chain(graph, x, 35, {64});
  const Tensor b = chain(graph, x, 35, {48, 64});
  const Tensor c = chain(graph, x, 35, {64, 96, 96});
  const Tensor d = chain(graph, x, 35, {channels, pooled});
  return concatenate(graph, {a, b, c, d});
}

Tensor reduce_to_17(Graph& graph, Tensor x) {
  const int channels = graph.shape(x).channels;
  const Tensor a = step(graph, x, 17, 384);
  const Tensor b = step(graph, chain(graph, x, 35, {64, 96}), 17, 96);
  const Tensor c = step(graph, x, 17, channels);
  return concatenate(graph, {a, b, c});
}

Tensor block_17(Graph& graph, Tensor x, int inner) {
  const Tensor a = chain(graph, x, 17, {192});
  const Tensor b = chain(graph, x, 17, {inner, inner, 192});
  const Tensor c = chain(graph, x, 17, {inner, inner, inner, inner, 192});
  const Tensor d = chain(graph, x, 17, {768, 192});
  return concatenate(graph, {a, b, c, d});
}

Tensor reduce_to_8(Graph& graph, Tensor x) {
  const Tensor a = step(graph, chain(graph, x, 17, {192}), 8, 320);
  const Tensor b = step(graph, chain(graph, x, 17, {192, 192, 192}), 8, 192);
  const Tensor c = step(graph, x, 8, 768);
  return concatenate(graph, {a, b, c});
}

// The split ends of two branches go straight into the block's own concatenation.
Tensor block_8(Graph& graph, Tensor x) {
  const int channels = graph.shape(x).channels;
  const Tensor a = chain(graph, x, 8, {320});
  const Tensor b = chain(graph, x, 8, {384});
  const Tensor b1 = step(graph, b, 8, 384);
  const Tensor b2 = step(graph, b, 8, 384);
  const Tensor c = chain(graph, x, 8, {448, 384});
  const Tensor c1 = step(graph, c, 8, 384);
  const Tensor c2 = step(graph, c, 8, 384);
  const Tensor d = chain(graph, x, 8, {channels, 192});
  return concatenate(graph, {a, b1, b2, c1, c2, d});
}

}  // namespace

planner::Problem inception_v3() {
  Graph graph;
  Tensor x = stem(graph);
  for (const int pooled : {32, 64, 64}) x = block_35(graph, x, pooled);
  x = reduce_to_17(graph, x);
  for (const int inner : {128, 160, 160, 192}) x = block_17(graph, x, inner);
  x = reduce_to_8(graph, x);
  for (int i = 0; i < 2; ++i) x = block_8(graph, x);
  x = graph.add({1, 1, 2048}, {x});
  x = graph.add({1, 1, 1001}, {x});
  x = graph.add({1, 1, 1001}, {x});
  graph.output(x);
  return graph.problem();
}

}  // namespace memo::bench
