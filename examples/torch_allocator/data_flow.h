// Tells MemoMalloc what each operator reads and writes: the graph of a pass, for `memomalloc profile --data-flow`.
#pragma once

#include <cstdint>

// While it lives, each operator that this thread's program calls is reported as it ends: those that an operator calls in turn are
// part of it. What the operator's schema says that it changes, it reads and writes. An operator that only makes a view writes
// nothing and is none.
class DataFlow {
 public:
  DataFlow();
  ~DataFlow();
  DataFlow(const DataFlow&) = delete;
  DataFlow& operator=(const DataFlow&) = delete;

 private:
  std::uint64_t handle_;
};
