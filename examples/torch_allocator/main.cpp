// torch_allocator: a TorchScript network whose program plugs MemoMalloc in on purpose. Passes and operators are marked
// through its API, so no symbol of the framework is hooked, and each tensor's block carries its name. Without the
// library preloaded it runs all the same.
#include <ATen/Parallel.h>
#include <memomalloc/memomalloc.h>
#include <torch/script.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <optional>

#include "data_flow.h"
#include "memo_allocator.h"

namespace {

struct Options {
  std::string model;
  std::int64_t batch = 1;
  std::int64_t side = 128;
  int passes = 30;
  bool data_flow = false;
};

double sum_of(const torch::Tensor& answer) {
  return answer.to(torch::kDouble).sum().item<double>();
}

// Prints what the profiler knows of the block that the answer lies in.
void tell_origin(const torch::Tensor& answer) {
  const memo::tagged_ptr<void> name = name_of(answer);
  if (!name) return;
  std::printf("the answer lies at %p, tag %u", name.get(), name.tag());
  memo_allocation known;
  if (memo_identify != nullptr && memo_identify(name.get(), &known) != 0) {
    std::printf(": %zu bytes, allocated in pass %llu by %s", known.size,
                static_cast<unsigned long long>(known.pass),
                known.scope != nullptr ? known.scope : "no operator");
  }
  std::printf("\n");
}

void run(const Options& options) {
  at::set_num_threads(1);
  torch::manual_seed(1);
  use_memo_allocator();
  torch::jit::Module network = torch::jit::load(options.model);
  const torch::Tensor images = torch::rand({options.batch, 3, options.side, options.side});
  const c10::InferenceMode inference;
  const OperatorScopes scopes;
  std::optional<DataFlow> flow;
  if (options.data_flow) flow.emplace();
  torch::Tensor answer;
  for (int number = 0; number < options.passes; ++number) {
    const Pass pass(key_of(images));
    answer = network.forward({images}).toTensor();
  }
  tell_origin(answer);
  std::printf("sum of the last answer: %.9g\n", sum_of(answer));
}

int parse_and_run(int argc, char** argv) {
  Options options;
  CLI::App app{"Runs a TorchScript network whose tensors MemoMalloc allocates by name.", "torch_allocator"};
  app.add_option("model", options.model, "What examples/torch_python/infer.py --save has written")
      ->required();
  app.add_option("--batch", options.batch, "Images in a request")->capture_default_str();
  app.add_option("--side", options.side, "Their width and height")->capture_default_str();
  app.add_option("--passes", options.passes, "How often")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_flag("--data-flow", options.data_flow, "Tell what each operator reads and writes");
  try {
    app.parse(argc, argv);
    run(options);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "torch_allocator: " << error.what() << '\n';
    return 1;
  }
}
