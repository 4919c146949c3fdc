#include "tests/bench/networks/networks.h"

namespace memo::bench {

std::span<const Network> networks() {
  static constexpr Network kNetworks[] = {
      {"MobileNet v1",
       mobilenet_v1,
       19.248,
       {4.594, 4.594, 6.125, 4.594, 5.359, 4.594},
       {4.594, 4.594, 6.125, 4.594, 4.594},
       "the same: sum and both bounds agree"},
      {"MobileNet v2",
       mobilenet_v2,
       26.313,
       {7.178, 6.891, 6.699, 8.039, 7.513, 6.604},
       {5.742, 5.742, 6.508, 6.029, 5.742},
       "the same: sum and both bounds agree"},
      {"DeepLab v3",
       deeplab_v3,
       48.642,
       {6.437, 6.437, 6.437, 7.168, 8.364, 6.105},
       {4.653, 4.653, 4.985, 4.321, 4.320},
       "both bounds agree; ours has 3 % more bytes, the paper does not say where it has fewer"},
      {"Inception v3",
       inception_v3,
       54.010,
       {10.337, 10.337, 10.676, 12.703, 10.624, 8.955},
       {7.914, 7.914, 10.624, 7.914, 7.914},
       "offset bound agrees; 0.02 % fewer bytes, objects bound 2 % higher, and 0.5 % in the best order of branches"},
      {"PoseNet",
       posenet,
       28.556,
       {6.347, 6.347, 8.390, 6.347, 7.359, 6.347},
       {6.271, 7.359, 8.362, 6.271, 6.271},
       "offset bound agrees (353x257 at width 0.75); 6 % more bytes, heads unknown, objects bound 1 % lower"},
      {"BlazeFace",
       blazeface,
       2.698,
       {0.592, 0.518, 0.675, 0.587, 0.582, 0.518},
       {0.492, 0.656, 0.492, 0.533, 0.492},
       "another graph: the released 128x128 model; the paper's is smaller and unpublished"},
  };
  return kNetworks;
}

}  // namespace memo::bench
