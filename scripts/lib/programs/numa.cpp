// Reads the NUMA topology, for which oneTBB opens a library with RTLD_DEEPBIND: that library then frees with libc's
// free what it was given by an interposed malloc, unless the interposer sees to it.
#include <oneapi/tbb.h>

#include <cstdio>

int main() {
  const auto nodes = tbb::info::numa_nodes();
  const int sum = tbb::parallel_reduce(
      tbb::blocked_range<int>(0, 100000), 0,
      [](const tbb::blocked_range<int>& range, int total) {
        for (int i = range.begin(); i != range.end(); ++i) total += i % 7;
        return total;
      },
      [](int left, int right) { return left + right; });
  std::printf("%zu nodes, %d threads on the first, sum %d\n", nodes.size(),
              tbb::info::default_concurrency(nodes.front()), sum);
  return 0;
}
