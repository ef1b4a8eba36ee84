// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace torch::autograd {
struct Node;
}

namespace amp {

/// Position of a thread in backward: the id of the pass (-1 for none) and the node that the thread runs (null for
/// none). Neither id nor address is reused while the pass runs.
struct BackwardPosition {
  int pass = -1;
  const torch::autograd::Node* node = nullptr;

  bool operator==(const BackwardPosition&) const = default;
};

/// Returns the calling thread's position in backward.
BackwardPosition position_in_backward();

/// Returns whether this thread recomputes forward inside a node of backward: reentrant and non-reentrant activation
/// checkpointing, also nested. False outside of nodes.
///
/// Forward is recomputed if one of these holds:
/// - gradients are recorded although the pass itself records none (a pass with create_graph does, in every node);
/// - hooks for saved tensors are active that were not active when the pass began (non-reentrant checkpoints);
/// - the forward of a Python autograd function runs in an autocast region (a reentrant checkpoint inside another);
/// - a RecomputeScope.
///
/// In a Python program that starts a pass inside an autocast region, the result is also true for functions that the
/// backward of a Python function applies.
bool recomputes_forward();

/// Returns whether casts apply inside the current node: if the node recomputes forward, or is the backward of a Python
/// function that opens an autocast region (`custom_bwd`).
bool casts_apply_in_node();

/// Returns the id of the thread that recorded the current node (at::RecordFunction::currentThreadId()); 0 outside of
/// nodes.
std::uint64_t thread_of_forward();

/// Declares that code in this scope recomputes forward inside the current node, whether or not gradients are recorded.
/// Use it in the backward of a custom C++ function whose forward contains functions of the same kind, parts without
/// gradients, or passes with create_graph. amp::forward() inside a node is such a scope. Does nothing outside of nodes,
/// and does not apply to other nodes: nodes of a backward pass that starts inside the scope do not count as recomputed.
/// Destroy it on the thread that created it.
class [[nodiscard]] RecomputeScope {
 public:
  RecomputeScope();
  ~RecomputeScope();
  RecomputeScope(const RecomputeScope&) = delete;
  RecomputeScope& operator=(const RecomputeScope&) = delete;

 private:
  BackwardPosition place_;
  const RecomputeScope* outer_;

  friend bool recomputes_forward();
};

}  // namespace amp
