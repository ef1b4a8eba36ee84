// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

/// Finds the forward tensor whose cotangent (gradient) an output of an autograd node is.
namespace ampprof::profiler {

/// A position in the autograd graph to which a gradient flows: an output of the forward op that made the node, or a
/// leaf.
struct GraphPlace {
  const void* node = nullptr;
  std::uint32_t output = 0;               ///< index among the outputs of the forward op
  const c10::TensorImpl* leaf = nullptr;  ///< leaf whose gradient the node accumulates; null for other nodes

  bool operator==(const GraphPlace& other) const { return node == other.node && output == other.output; }
};

/// Identifies a node for the node's lifetime. For the node in evaluation, see backward_sequence_number() and
/// backward_forward_thread() in torch_state.h.
struct NodeNumber {
  const void* node = nullptr;
  std::uint64_t sequence_number = 0;
  std::uint64_t thread = 0;  ///< LibTorch's id of the thread that made the node

  bool operator==(const NodeNumber&) const = default;
};

/// Returns the node that made this tensor; `node` is null for a leaf and for a tensor without a graph.
NodeNumber node_of(const at::Tensor& tensor);

/// Returns the position to which this tensor's gradient flows; `node` is null for a leaf and for a tensor without a
/// graph.
GraphPlace place_in_graph(const at::Tensor& tensor);
/// Returns the position to which output `i` of a node flows; `node` is null if the output is unused.
GraphPlace next_place(const void* node, std::size_t i);
/// Returns the position at which a node accumulates the gradient of a leaf; `leaf` is null for any other node.
GraphPlace accumulated_place(const void* node);

/// If the node at `place` only casts its input or changes the input's layout, moves `place` past that node, and gives
/// `error`, which may be undefined, the new layout. Otherwise returns false and changes nothing.
bool go_through(GraphPlace& place, at::Tensor& error);

/// Returns the nodes that a call made. Finds them by walking the graph from the node of `result`, a result of the call.
/// `first_node`: the sequence number of the call's first node.
std::vector<const void*> nodes_behind(const at::Tensor& result, std::uint64_t first_node);

/// Calls `ended` after each evaluation of the node, on the same thread, with the node's outputs. `ended` must not
/// throw.
using NodeEnded = std::function<void(const void* node, const std::vector<at::Tensor>& outputs)>;
void when_node_ends(const void* node, NodeEnded ended);

/// Replaces output `i` of the node that made `result` by the tensor that `other` returns. `other` runs on the thread of
/// the node. It gets the first incoming gradient and the original output, and may throw. Does nothing if the node does
/// not compute the output.
using OtherOutput = std::function<at::Tensor(const at::Tensor& gradient, const at::Tensor& output)>;
void replace_output(const at::Tensor& result, std::size_t i, OtherOutput other);

}  // namespace ampprof::profiler
