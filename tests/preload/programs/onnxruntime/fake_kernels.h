/* The kernels of the library that looks like ONNX Runtime. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Runs two nodes, each of which makes a block of so many bytes; 0 leaves it out. */
void run_kernels(const size_t* bytes);

#ifdef __cplusplus
}
#endif
