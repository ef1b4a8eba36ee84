// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

/// Finds, for each output of an autograd node, the forward tensor whose cotangent (gradient) it is.
namespace ampprof::profiler {

/// The destination of a gradient in the autograd graph: an output of the forward op that made the node, or a leaf.
struct GraphPlace {
  const void* node = nullptr;
  std::uint32_t output = 0;               ///< index of the forward op's output
  const c10::TensorImpl* leaf = nullptr;  ///< leaf whose gradient the node accumulates; null for other nodes

  bool operator==(const GraphPlace& other) const { return node == other.node && output == other.output; }
};

/// Identifies a node for its lifetime. For the node in evaluation, see backward_sequence_number() and
/// backward_forward_thread() in torch_state.h.
struct NodeNumber {
  const void* node = nullptr;
  std::uint64_t sequence_number = 0;
  std::uint64_t thread = 0;  ///< LibTorch's id of the thread that made the node

  bool operator==(const NodeNumber&) const = default;
};

/// Returns the node that made this tensor; `node` is null for a leaf and for a tensor without a graph.
NodeNumber node_of(const at::Tensor& tensor);

/// Returns the place into which this tensor's gradient flows; `node` is null for a leaf and for a tensor without a
/// graph.
GraphPlace place_in_graph(const at::Tensor& tensor);
/// Returns the place into which output `i` of a node flows; `node` is null if the output is unused.
GraphPlace next_place(const void* node, std::size_t i);
/// Returns the place at which a node accumulates a leaf's gradient; `leaf` is null for any other node.
GraphPlace accumulated_place(const void* node);

/// Moves `place` past a node that only casts or changes the layout of its input, and reshapes `error`, which may be
/// undefined, accordingly. At any other node, returns false and changes nothing.
bool go_through(GraphPlace& place, at::Tensor& error);

/// Returns the nodes that a call made, found by walking the graph from the node of the call's `result`. `first_node` is
/// the sequence number of the call's first node.
std::vector<const void*> nodes_behind(const at::Tensor& result, std::uint64_t first_node);

/// Calls `ended` after each evaluation of the node, with its outputs, on its thread. `ended` must not throw.
using NodeEnded = std::function<void(const void* node, const std::vector<at::Tensor>& outputs)>;
void when_node_ends(const void* node, NodeEnded ended);

/// Replaces output `i` of the node that made `result` by the tensor that `other` returns. `other` runs on the node's
/// thread; it gets the first incoming gradient and the original output, and may throw. Does nothing if the node does
/// not compute the output.
using OtherOutput = std::function<at::Tensor(const at::Tensor& gradient, const at::Tensor& output)>;
void replace_output(const at::Tensor& result, std::size_t i, OtherOutput other);

}  // namespace ampprof::profiler
