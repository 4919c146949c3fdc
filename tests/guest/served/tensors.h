// Declares what the tensors' libraries offer beside the two functions of PyTorch's names.
#pragma once

#include <cstddef>
#include <cstdint>

namespace c10 {
void* alloc_cpu(std::size_t bytes);
void free_cpu(void* block);
}  // namespace c10

extern "C" {
extern bool FLAGS_caffe2_cpu_allocator_do_zero_fill;
// Call alloc_cpu and free_cpu from inside the library that defines them.
void* make_tensor(std::size_t bytes);
void drop_tensor(void* block);
// Returns how many blocks of the library's own allocator are alive.
std::uint64_t own_blocks();
}
