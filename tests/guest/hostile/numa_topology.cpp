// oneTBB opens its topology helper with RTLD_DEEPBIND. This one line aborts under preloaded jemalloc,
// mimalloc and tcmalloc with "free(): invalid pointer"; OpenVINO meets the same. Failure: an abort.

#include <oneapi/tbb/info.h>

#include "hostile.h"

int main() {
  expect_right_allocator();
  EXPECT(!tbb::info::numa_nodes().empty());
}
