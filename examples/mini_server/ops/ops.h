// The operators of the network, each an exported function of libmini_ops.so. Activations are batch x channels
// x height x width. `output` receives a fresh tensor; inputs are left alone. They throw std::invalid_argument
// for shapes that do not fit.
#pragma once

#include <vector>

#include "examples/mini_server/tensor/tensor.h"

extern "C" {

// Square kernels; weights are output channels x input channels x kernel x kernel. Padding keeps the size
// where stride is 1.
MINI_API void mini_op_conv2d(const mini::Tensor& input, const mini::Tensor& weights, std::size_t stride,
                             mini::Tensor& output);

// Normalises with statistics from training; each of the four has one element for each channel.
MINI_API void mini_op_batch_norm(const mini::Tensor& input, const mini::Tensor& mean,
                                 const mini::Tensor& variance, const mini::Tensor& gain,
                                 const mini::Tensor& bias, mini::Tensor& output);

MINI_API void mini_op_relu(const mini::Tensor& input, mini::Tensor& output);

MINI_API void mini_op_add(const mini::Tensor& left, const mini::Tensor& right, mini::Tensor& output);

// Along the channels.
MINI_API void mini_op_concat(const std::vector<mini::Tensor>& inputs, mini::Tensor& output);

// Windows of window x window that do not overlap; a remainder at the edge is left out.
MINI_API void mini_op_max_pool(const mini::Tensor& input, std::size_t window, mini::Tensor& output);

// Batch x channels: the mean of each channel.
MINI_API void mini_op_global_average_pool(const mini::Tensor& input, mini::Tensor& output);

// Batch x classes; weights are classes x features.
MINI_API void mini_op_linear(const mini::Tensor& input, const mini::Tensor& weights, const mini::Tensor& bias,
                             mini::Tensor& output);
}
