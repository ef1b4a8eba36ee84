// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <torch/csrc/autograd/edge.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

/// Gradients of the operands of one op call, of this very use of them: a hook on a tensor gets the sum over all uses.
namespace ampprof::profiler {

/// Owns a node together with others: a std::shared_ptr in LibTorch up to 2.11, an intrusive one from 2.15 on.
using NodePointer = decltype(torch::autograd::Edge::function);

/// An operand that AMP cast to a smaller type in an op call, and where in the autograd graph its gradient leaves the
/// call.
struct CastOperand {
  struct GraphEdge {
    NodePointer node;
    std::size_t output = 0;
  };

  at::Tensor operand;   ///< as the program gave it
  at::ScalarType type;  ///< that it was cast to
  std::vector<GraphEdge> places;
};

/// Returns the operands of the call that made `output`, of those among `arguments` that take a gradient and were cast
/// on their way in, by this call or by an earlier one whose cast was kept. `first_node`: sequence number of the first
/// autograd node that the call made.
std::vector<CastOperand> cast_operands(const at::Tensor& output, std::uint64_t first_node,
                                       c10::ArrayRef<c10::IValue> arguments);
/// Returns all operands of such a call that take a gradient, each as if it were cast to the type that it has.
std::vector<CastOperand> operands_of_call(const at::Tensor& output, std::uint64_t first_node,
                                          c10::ArrayRef<c10::IValue> arguments);
/// Returns those of the one op that made `output`.
std::vector<CastOperand> operands_of_op(const at::Tensor& output, c10::ArrayRef<c10::IValue> arguments);

/// Calls `arrived` in each backward pass with the gradient that the call has for the operand, of its sizes, once all of
/// it is there. Never where a part of it does not come. Must not throw.
void when_gradient_comes(const CastOperand& operand, std::function<void(const at::Tensor& gradient)> arrived);

}  // namespace ampprof::profiler
