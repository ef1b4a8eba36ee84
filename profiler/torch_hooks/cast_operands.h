// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <torch/csrc/autograd/edge.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

/// Observes the gradients of the operands of one op call. A hook on a node gets the gradient from this use of the
/// operand. A hook on the tensor would get the sum over all uses.
namespace ampprof::profiler {

/// Shares ownership of a node. A std::shared_ptr in LibTorch up to 2.11, a c10::intrusive_ptr from 2.15 on.
using NodePointer = decltype(torch::autograd::Edge::function);

/// An operand that AMP cast to a smaller type in an op call, and the edges by which its gradient leaves the call.
struct CastOperand {
  struct GraphEdge {
    NodePointer node;
    std::size_t output = 0;
  };

  at::Tensor operand;   ///< the program's tensor, before the cast
  at::ScalarType type;  ///< type to which the operand was cast
  std::vector<GraphEdge> places;
};

/// Returns the operands among `arguments` that require a gradient and were cast for the call that made `output`, either
/// in this call or in an earlier one whose cast is in autocast's cache. `first_node`: the sequence number of the first
/// autograd node that the call made.
std::vector<CastOperand> cast_operands(const at::Tensor& output, std::uint64_t first_node,
                                       c10::ArrayRef<c10::IValue> arguments);
/// Returns all operands of the call that require a gradient, each with its own type as the cast type.
std::vector<CastOperand> operands_of_call(const at::Tensor& output, std::uint64_t first_node,
                                          c10::ArrayRef<c10::IValue> arguments);
/// Returns the operands of the single op that made `output`.
std::vector<CastOperand> operands_of_op(const at::Tensor& output, c10::ArrayRef<c10::IValue> arguments);

/// Calls `arrived` in each backward pass with the operand's gradient through this call, in the operand's sizes, once
/// all parts of that gradient are summed. Does not call it if a part never comes. `arrived` must not throw.
void when_gradient_comes(const CastOperand& operand, std::function<void(const at::Tensor& gradient)> arrived);

}  // namespace ampprof::profiler
