// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <torch/csrc/autograd/edge.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

/// Gradients of the operands of one op call, for this use of them alone: a hook on a tensor gets the sum over all uses.
namespace ampprof::profiler {

/// Owns a node together with others: a std::shared_ptr in LibTorch up to 2.11, an intrusive one from 2.15 on.
using NodePointer = decltype(torch::autograd::Edge::function);

/// An operand that AMP cast to a smaller type in an op call, and the places in the autograd graph where its gradient
/// leaves the call.
struct CastOperand {
  struct GraphEdge {
    NodePointer node;
    std::size_t output = 0;
  };

  at::Tensor operand;   ///< the program's tensor
  at::ScalarType type;  ///< that it was cast to
  std::vector<GraphEdge> places;
};

/// Returns the operands among `arguments` that require a gradient and were cast for the call that made `output`, by
/// this call or by an earlier one whose cast was kept. `first_node` is the sequence number of the first autograd node
/// that the call made.
std::vector<CastOperand> cast_operands(const at::Tensor& output, std::uint64_t first_node,
                                       c10::ArrayRef<c10::IValue> arguments);
/// Returns all operands of such a call that require a gradient, each as if it were cast to its own type.
std::vector<CastOperand> operands_of_call(const at::Tensor& output, std::uint64_t first_node,
                                          c10::ArrayRef<c10::IValue> arguments);
/// Returns the operands of the single op that made `output`.
std::vector<CastOperand> operands_of_op(const at::Tensor& output, c10::ArrayRef<c10::IValue> arguments);

/// Calls `arrived` in each backward pass with this call's gradient of the operand, in the operand's sizes, once it is
/// complete. Never calls it if a part is missing. `arrived` must not throw.
void when_gradient_comes(const CastOperand& operand, std::function<void(const at::Tensor& gradient)> arrived);

}  // namespace ampprof::profiler
