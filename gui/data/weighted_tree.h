// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ampprof::gui {

/// A leaf to put into a tree of modules: an op call site.
struct WeightedLeaf {
  std::string module;  ///< path with dots; if "", the leaf is a child of the root
  std::string name;
  double weight = 0.0;
};

/// Modules and their call sites. A leaf has its own weight; any other node has the sum of its children's weights. Node
/// 0 is the root. Parents precede their children. Children are in descending order of weight.
struct WeightedTree {
  struct Node {
    std::string name;                 ///< last part of a module's path, or name of a leaf
    std::string path;                 ///< path of a module; "" for the root and for leaves
    std::size_t parent = 0;           ///< the root is its own parent
    std::optional<std::size_t> leaf;  ///< index into the argument of weightedTree(); empty for a module
    double weight = 0.0;              ///< never negative, always finite
    std::vector<std::size_t> children = {};
  };

  std::vector<Node> nodes;

  /// Returns the nodes from the root to `node`, both included.
  std::vector<std::size_t> wayTo(std::size_t node) const;
  /// Returns the node of a module path; the root if there is none.
  std::size_t moduleAt(const std::string& path) const;
  std::size_t nodeOf(std::size_t leaf) const;
};

/// Builds the tree of `leaves`. A negative or non-finite weight counts as 0.
WeightedTree weightedTree(const std::vector<WeightedLeaf>& leaves);

}  // namespace ampprof::gui
