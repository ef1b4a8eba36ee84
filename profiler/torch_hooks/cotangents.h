// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

/// Which tensors the outputs of autograd's nodes are the cotangents of.
namespace ampprof::profiler {

/// A place in the autograd graph that a gradient flows into: an output of the op that made the node, or a leaf.
struct GraphPlace {
  const void* node = nullptr;
  std::uint32_t output = 0;
  const c10::TensorImpl* leaf = nullptr;  ///< where the node accumulates its gradient

  bool operator==(const GraphPlace& other) const { return node == other.node && output == other.output; }
};

/// Names a node as long as it lives: while it is evaluated, torch_state.h gives its numbers.
struct NodeNumber {
  const void* node = nullptr;
  std::uint64_t sequence_number = 0;
  std::uint64_t thread = 0;  ///< LibTorch's number of the one that made it

  bool operator==(const NodeNumber&) const = default;
};

/// Returns the node that made this tensor; `node` is null for one without a graph, and for a leaf.
NodeNumber node_of(const at::Tensor& tensor);

/// Returns where the gradient of this tensor flows in: `node` is null for one without a graph, and for a leaf.
GraphPlace place_in_graph(const at::Tensor& tensor);
/// Returns where output `i` of a node that is being evaluated flows; `node` is null where it goes nowhere.
GraphPlace next_place(const void* node, std::size_t i);
/// Returns where a node that accumulates a leaf's gradient does so; `leaf` is null for any other node.
GraphPlace accumulated_place(const void* node);

/// Goes on behind a node that only casts or lays out anew what it is given, with the error that is in it (undefined:
/// none). Returns false, and changes nothing, at any other node.
bool go_through(GraphPlace& place, at::Tensor& error);

/// Returns the nodes that a call made, from that of one of its results on. `first_node`: sequence number of the first.
std::vector<const void*> nodes_behind(const at::Tensor& result, std::uint64_t first_node);

/// Calls `ended` whenever the node has been evaluated, with what it gave, on its thread. Must not throw.
using NodeEnded = std::function<void(const void* node, const std::vector<at::Tensor>& outputs)>;
void when_node_ends(const void* node, NodeEnded ended);

/// Puts another tensor in the place of output `i` of the node that made `result`, on the node's thread: what `other`
/// returns for the gradient of its first output and for that output. Nothing where the node does not give it. May
/// throw.
using OtherOutput = std::function<at::Tensor(const at::Tensor& gradient, const at::Tensor& output)>;
void replace_output(const at::Tensor& result, std::size_t i, OtherOutput other);

}  // namespace ampprof::profiler
