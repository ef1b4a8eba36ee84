// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ampprof::gui {

/// An op call site as a tree of modules needs it.
struct WeightedLeaf {
  std::string module;  ///< path with dots; "" for what belongs to the root
  std::string name;
  double weight = 0.0;
};

/// Modules and the call sites in them. A leaf has a weight of its own; any other node has the sum of its children's.
/// Node 0 is the root. Parents come before their children, and children are ordered by weight, the heaviest first.
struct WeightedTree {
  struct Node {
    std::string name;                 ///< the last part of a module's path, or the name of a leaf
    std::string path;                 ///< of a module; "" for the root and for leaves
    std::size_t parent = 0;           ///< the root is its own parent
    std::optional<std::size_t> leaf;  ///< place among the leaves; empty for a module
    double weight = 0.0;              ///< never negative, always finite
    std::vector<std::size_t> children = {};
  };

  std::vector<Node> nodes;

  /// Returns the nodes from the root to `node`, both included.
  std::vector<std::size_t> wayTo(std::size_t node) const;
  /// Returns the module of a path; the root where there is none.
  std::size_t moduleAt(const std::string& path) const;
  /// Returns the node of a leaf.
  std::size_t nodeOf(std::size_t leaf) const;
};

/// Builds the tree of leaves. A weight that is negative or not finite counts as 0.
WeightedTree weightedTree(const std::vector<WeightedLeaf>& leaves);

}  // namespace ampprof::gui
