// Kernels that look like those of ONNX Runtime in memory: what the library reads of them lies where it does in a release. Two nodes
// run one after the other: "left", a Conv, writes a block, and a Relu without a name reads it and writes another.
#include "tests/preload/programs/onnxruntime/fake_kernels.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace onnxruntime {

struct Node {
  std::size_t index;
  std::string name;
  std::string type;
  std::string domain;  // and what else a release has here
  std::vector<const char*> inputs;
  std::vector<int> input_counts;
  std::vector<const char*> outputs;
  std::vector<const char*> inputs_of_body;
};

struct Helper {
  const Node* node;
};

struct OpKernelInfo {
  const Helper* helper;
  const Node* node;
  Helper own;
};

// An absl::InlinedVector whose elements lie elsewhere.
template <typename T>
struct List {
  List(T* data, std::size_t count) : mark(2 * count + 1), elements(data), capacity(count) {}
  std::size_t mark;
  T* elements;
  std::size_t capacity;
};

struct Tensor {
  void* data;
  void* owner[2];
  std::size_t rank;
  const std::int64_t* sides;
  std::int64_t length;
};

struct OrtValue {
  Tensor* tensor;
  void* owner;
  const void* type;
};

struct ExecutionFrame {
  const void* functions;
  const List<int>* numbers;
  List<OrtValue> values;
};

class OpKernel;

struct OpKernelContext {
  const void* functions;
  ExecutionFrame* frame;
  const OpKernel* kernel;
  void* threads;
  void* logger;
  int first_input;
  int first_of_body;
  int first_output;
  std::int64_t bytes;

  OrtValue& value(int at) const { return frame->values.elements[frame->numbers->elements[at]]; }
};

class Status {
 public:
  explicit Status(void* state) : state_(state) {}
  Status(const Status&) = delete;
  Status& operator=(const Status&) = delete;
  ~Status() { state_ = nullptr; }

 private:
  void* state_;
};

class OpKernel {
 public:
  explicit OpKernel(OpKernelInfo* info) : info_(info) {}
  OpKernel(const OpKernel&) = delete;
  OpKernel& operator=(const OpKernel&) = delete;
  virtual ~OpKernel() = default;
  virtual Status Compute(OpKernelContext* context) const = 0;

 private:
  OpKernelInfo* info_;
};

class Options {
 public:
  virtual ~Options() = default;
};

// Derived through a class between, which leaves the computing to others.
class ConvBase : public OpKernel {
  using OpKernel::OpKernel;
};

void write_block(OpKernelContext* context) {
  Tensor& tensor = *context->value(context->first_output).tensor;
  tensor.data = std::malloc(static_cast<std::size_t>(context->bytes));
  tensor.rank = 1;
  tensor.length = context->bytes;
  tensor.sides = &tensor.length;
}

class Conv : public ConvBase {
 public:
  using ConvBase::ConvBase;
  Status Compute(OpKernelContext* context) const override {
    write_block(context);
    return Status(nullptr);
  }
};

// Derived from two classes, as many kernels are.
class Relu : public OpKernel, public Options {
 public:
  using OpKernel::OpKernel;
  Status Compute(OpKernelContext* context) const override {
    write_block(context);
    return Status(nullptr);
  }
};

}  // namespace onnxruntime

namespace {

using namespace onnxruntime;

// A kernel, and what a session makes for it.
template <typename Kernel>
struct Made {
  explicit Made(Node its) : node(std::move(its)), info{&info.own, &node, {&node}}, kernel(&info) {}
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
  Node node;
  OpKernelInfo info;
  Kernel kernel;
};

const Made<Conv> g_left({3, "left", "Conv", "", {"x"}, {1}, {"y"}, {}});
const Made<Relu> g_unnamed({7, "", "Relu", "", {"y"}, {1}, {"z"}, {}});

int g_numbers[] = {0, 1, 1, 2};  // input and output of the first node, and of the second
const List<int> g_list(g_numbers, 4);

void run(const OpKernel& kernel, ExecutionFrame& frame, int first, std::size_t bytes) {
  OpKernelContext context{nullptr,   &frame,    &kernel,
                          nullptr,   nullptr,   first,
                          first + 1, first + 1, static_cast<std::int64_t>(bytes)};
  const Status status = kernel.Compute(&context);
}

}  // namespace

void run_kernels(const std::size_t* bytes) {
  Tensor tensors[3] = {};
  OrtValue values[3] = {
      {tensors, nullptr, nullptr}, {tensors + 1, nullptr, nullptr}, {tensors + 2, nullptr, nullptr}};
  ExecutionFrame frame{nullptr, &g_list, List<OrtValue>(values, 3)};
  if (bytes[0] != 0) run(g_left.kernel, frame, 0, bytes[0]);
  if (bytes[1] != 0) run(g_unnamed.kernel, frame, 2, bytes[1]);
  for (const Tensor& tensor : tensors) std::free(tensor.data);
}
