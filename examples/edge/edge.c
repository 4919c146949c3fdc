// A small convolutional network in C. On a workstation it takes its tensors from malloc and marks its passes, so
// that they can be profiled. With EDGE_DEVICE it takes them from the slab of edge_plan.h, which
// `memomalloc plan --emit-c edge_plan.h` wrote, and uses neither a heap nor the library.
//
//   edge      runs some passes and prints the sum of the last answer
#include <stddef.h>
#include <stdio.h>

#ifdef EDGE_DEVICE
#define EDGE_PLAN_DEFINE_SLAB
#include "edge_plan.h"
#else
#include <stdlib.h>

#include "memomalloc/optional.h"
#endif

enum { kPasses = 8, kSide = 16, kInputs = 3, kFilters = 8, kClasses = 10 };

typedef struct {
  float* values;
  int side;
  int channels;
} Tensor;

#ifdef EDGE_DEVICE
static edge_plan_pass pass;

static void begin_pass(void) {
  pass = (edge_plan_pass){0};
}
static void end_pass(void) {}
static void begin_operator(const char* name) {
  (void)name;
}
static void end_operator(void) {}
static float* allocate(size_t bytes) {
  return edge_plan_take(&pass, bytes);
}
static void release(Tensor tensor) {
  (void)tensor;
}  // the plan knows when
#else
static void begin_pass(void) {
  memo_try_pass_begin(1);
}
static void end_pass(void) {
  memo_try_pass_end();
}
static void begin_operator(const char* name) {
  memo_try_scope_begin(name);
}
static void end_operator(void) {
  memo_try_scope_end();
}
static float* allocate(size_t bytes) {
  return malloc(bytes);
}
static void release(Tensor tensor) {
  free(tensor.values);
}
#endif

static int failed;

static Tensor tensor(int side, int channels) {
  Tensor made = {allocate((size_t)(side * side * channels) * sizeof(float)), side, channels};
  if (made.values == NULL) failed = 1;
  return made;
}

static float* at(Tensor t, int y, int x, int channel) {
  return &t.values[(y * t.side + x) * t.channels + channel];
}

// Weights come from a formula: the example is about memory.
static float weight(int a, int b) {
  return (float)((a * 7 + b * 5) % 11 - 5) / 16.0F;
}

static float window(Tensor in, int y, int x, int filter) {
  float sum = 0;
  for (int tap = 0; tap < 9 * in.channels; ++tap) {
    const int row = y + tap / in.channels / 3 - 1;
    const int column = x + tap / in.channels % 3 - 1;
    if (row < 0 || column < 0 || row >= in.side || column >= in.side) continue;
    sum += weight(tap, filter) * *at(in, row, column, tap % in.channels);
  }
  return sum;
}

static Tensor convolution(Tensor in, int filters) {
  begin_operator("convolution");
  const Tensor out = tensor(in.side, filters);
  for (int i = 0; !failed && i < in.side * in.side * filters; ++i) {
    out.values[i] = window(in, i / filters / in.side, i / filters % in.side, i % filters);
  }
  end_operator();
  return out;
}

static Tensor halve(Tensor in) {
  begin_operator("pooling");
  const Tensor out = tensor(in.side / 2, in.channels);
  for (int i = 0; !failed && i < out.side * out.side * out.channels; ++i) {
    const int y = i / out.channels / out.side * 2;
    const int x = i / out.channels % out.side * 2;
    float most = *at(in, y, x, i % out.channels);
    for (int k = 1; k < 4; ++k) {
      const float value = *at(in, y + k / 2, x + k % 2, i % out.channels);
      if (value > most) most = value;
    }
    out.values[i] = most;
  }
  end_operator();
  return out;
}

static Tensor sum_of(Tensor a, Tensor b) {
  begin_operator("sum");
  const Tensor out = tensor(a.side, a.channels);
  for (int i = 0; !failed && i < a.side * a.side * a.channels; ++i) out.values[i] = a.values[i] + b.values[i];
  end_operator();
  return out;
}

static float classify(Tensor in) {
  begin_operator("classifier");
  const Tensor scores = tensor(1, kClasses);
  float sum = 0;
  for (int c = 0; !failed && c < kClasses; ++c) {
    scores.values[c] = 0;
    for (int i = 0; i < in.side * in.side * in.channels; ++i) scores.values[c] += weight(i, c) * in.values[i];
    sum += scores.values[c] * (float)(c + 1);
  }
  release(scores);
  end_operator();
  return sum;
}

// Two convolutions with a shortcut around the second, twice.
static Tensor block(Tensor in, int filters) {
  const Tensor first = convolution(in, filters);
  release(in);
  const Tensor second = convolution(first, filters);
  const Tensor sum = sum_of(first, second);
  release(second);
  release(first);
  const Tensor out = halve(sum);
  release(sum);
  return out;
}

static float run_pass(int number) {
  begin_pass();
  const Tensor image = tensor(kSide, kInputs);
  for (int i = 0; !failed && i < kSide * kSide * kInputs; ++i)
    image.values[i] = (float)((i * 13 + number) % 17) / 17.0F;
  const Tensor features = block(block(image, kFilters), 2 * kFilters);
  const float answer = classify(features);
  release(features);
  end_pass();
  return answer;
}

int main(void) {
  float answer = 0;
  for (int number = 0; number < kPasses && !failed; ++number) answer = run_pass(number);
  if (failed) {
    fputs("edge: an allocation is not in the plan\n", stderr);
    return 1;
  }
  printf("%.4f\n", (double)answer);
  return 0;
}
