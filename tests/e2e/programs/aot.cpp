// aot MODEL PASSES run|boxed_run: passes of a model that AOTInductor compiled ahead of time, by one of its two calls. Knows
// nothing of who allocates for it. Prints the sum of an answer.
#include <ATen/ATen.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const c10::InferenceMode guard;
  torch::inductor::AOTIModelPackageLoader model(argv[1]);
  const bool boxed = std::strcmp(argv[3], "boxed_run") == 0;
  double sum = 0;
  for (int pass = std::atoi(argv[2]); pass > 0; --pass) {
    std::vector<at::Tensor> inputs{at::ones({8, 64})};
    const std::vector<at::Tensor> outputs = boxed ? model.boxed_run(std::move(inputs)) : model.run(inputs);
    sum = outputs.at(0).sum().item<double>();
  }
  std::printf("%.17g\n", sum);
}
