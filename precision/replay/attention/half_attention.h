// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <vector>

namespace ampprof::attention {

// Half-only attention is fused attention that exists only in FP16 and BF16 (flash, cuDNN's). In FP32 and FP64, two
// matmuls and a softmax compute the same result.

/// Returns whether this op is the forward of half-only attention: "aten::_scaled_dot_product_flash_attention".
bool is_half_attention(const c10::OperatorHandle& op);
bool is_backward_of_half_attention(const c10::OperatorHandle& op);

/// Computes the forward or backward of half-only attention for arguments in FP32 or FP64, with matmuls in IEEE FP32 or
/// FP64. Results that only the kernel's own backward reads stay undefined.
void run_half_attention(const c10::OperatorHandle& op, torch::jit::Stack& stack);

/// Returns whether this op selects an attention kernel ("aten::scaled_dot_product_attention") while the program has
/// disabled the math backend, the only backend for all types.
bool is_attention_without_math(const c10::OperatorHandle& op);

/// Runs an op of is_attention_without_math() in the math backend.
void run_in_math_backend(torch::jit::Stack& stack);

/// Returns the gradients of query, key and value, from the arguments of a forward or backward call.
std::vector<at::Tensor> attention_gradients(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments,
                                            const at::Tensor& of_output);

/// Calls LibTorch's math backend with the arguments of a half-only forward, so that autograd records its ops.
void run_attention_math(const c10::OperatorHandle& op, torch::jit::Stack& stack);

/// Runs a half-only forward in FP32 or FP64 with one autograd node, like the kernel: the first three outputs of the
/// node are the gradients of query, key and value.
void run_with_attention_node(const c10::OperatorHandle& op, torch::jit::Stack& stack);

}  // namespace ampprof::attention
