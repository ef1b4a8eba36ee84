// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace torch::autograd {
struct Node;
}

namespace amp {

/// Where a thread stands in backward: the pass (-1: none) and the node that it runs (null: none). Neither number nor
/// address is used again while the pass lives.
struct BackwardPlace {
  int pass = -1;
  const torch::autograd::Node* node = nullptr;

  bool operator==(const BackwardPlace&) const = default;
};

BackwardPlace place_in_backward();

/// Whether this thread computes forward again inside a node of backward: activation checkpointing, of both kinds and
/// nested. False outside of nodes.
///
/// It does so where gradients are recorded although the pass itself records none (a pass with create_graph does, in
/// every node), where hooks for saved tensors are in force that the pass did not bring along (checkpoints without
/// reentry), inside the forward of a Python autograd function that an autocast region around it asks for (a checkpoint
/// with reentry inside another), and in a RecomputeScope. In a Python program that calls a pass inside an autocast
/// region, functions that a Python function's own backward applies are taken for it too.
bool recomputes_forward();

/// Whether casts hold inside a node: where forward is computed again, and where the backward of a Python function asks
/// for autocast by itself (`custom_bwd`).
bool casts_hold_in_backward();

/// Number of the thread that recorded the node that this thread runs (at::RecordFunction::currentThreadId()); 0 outside
/// of nodes.
std::uint64_t thread_of_forward();

/// Says that a node computes forward again while this lives, whatever records gradients: for the backward of a custom
/// function in C++ whose forward holds functions of the same kind, parts without gradients, or passes with
/// create_graph. amp::forward() inside a node is one. Does nothing outside of nodes, and counts for no other node: a
/// backward that is called inside is backward. Must die on its thread.
class [[nodiscard]] RecomputeScope {
 public:
  RecomputeScope();
  ~RecomputeScope();
  RecomputeScope(const RecomputeScope&) = delete;
  RecomputeScope& operator=(const RecomputeScope&) = delete;

 private:
  BackwardPlace place_;
  const RecomputeScope* outer_;

  friend bool recomputes_forward();
};

}  // namespace amp
