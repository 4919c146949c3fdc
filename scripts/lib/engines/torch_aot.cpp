// torch_aot PASSES|asked FILE: passes of the package FILE that AOTInductor compiled (torch_network.py makes it), on images of
// 2 x 3 x 32 x 32, from C++. Prints a digest of its answers (asked.h).
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>

#include <string>
#include <vector>

#include "asked.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  at::set_num_threads(1);
  at::manual_seed(1);
  const c10::InferenceMode guard;
  torch::inductor::AOTIModelPackageLoader model(argv[2]);
  make_passes(argv[1], [&] {
    const at::Tensor answer = model.run({at::rand({2, 3, 32, 32})}).at(0).contiguous();
    return std::string(static_cast<const char*>(answer.data_ptr()), answer.nbytes());
  });
}
