// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

/// Finds the tensors whose cotangents are the outputs of autograd's nodes.
namespace ampprof::profiler {

/// A place in the autograd graph that a gradient flows into: an output of the op that made the node, or a leaf.
struct GraphPlace {
  const void* node = nullptr;
  std::uint32_t output = 0;
  const c10::TensorImpl* leaf = nullptr;  ///< leaf whose gradient the node accumulates

  bool operator==(const GraphPlace& other) const { return node == other.node && output == other.output; }
};

/// Identifies a node during its lifetime. While it is evaluated, torch_state.h gives its numbers.
struct NodeNumber {
  const void* node = nullptr;
  std::uint64_t sequence_number = 0;
  std::uint64_t thread = 0;  ///< LibTorch's number of the thread that made it

  bool operator==(const NodeNumber&) const = default;
};

/// Returns the node that made this tensor; `node` is null for a tensor without a graph, and for a leaf.
NodeNumber node_of(const at::Tensor& tensor);

/// Returns the place that the gradient of this tensor flows into; `node` is null for a tensor without a graph, and for
/// a leaf.
GraphPlace place_in_graph(const at::Tensor& tensor);
/// Returns the place that output `i` of a node in evaluation flows into; `node` is null if it is unused.
GraphPlace next_place(const void* node, std::size_t i);
/// Returns the place at which a node accumulates a leaf's gradient; `leaf` is null for any other node.
GraphPlace accumulated_place(const void* node);

/// Moves on past a node that only casts its input or changes its layout, with the error in that input (undefined:
/// none). Returns false, and changes nothing, at any other node.
bool go_through(GraphPlace& place, at::Tensor& error);

/// Returns the nodes that a call made, beginning with that of one of its results. `first_node` is the sequence number
/// of the first.
std::vector<const void*> nodes_behind(const at::Tensor& result, std::uint64_t first_node);

/// Calls `ended` after each evaluation of the node, with its outputs, on its thread. `ended` must not throw.
using NodeEnded = std::function<void(const void* node, const std::vector<at::Tensor>& outputs)>;
void when_node_ends(const void* node, NodeEnded ended);

/// Replaces output `i` of the node that made `result`, on the node's thread, by the result of `other`. `other` gets the
/// gradient of the node's first output and the output itself. Does nothing if the node does not compute the output.
/// `other` may throw.
using OtherOutput = std::function<at::Tensor(const at::Tensor& gradient, const at::Tensor& output)>;
void replace_output(const at::Tensor& result, std::size_t i, OtherOutput other);

}  // namespace ampprof::profiler
