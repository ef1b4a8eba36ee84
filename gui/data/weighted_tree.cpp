// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/weighted_tree.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

namespace ampprof::gui {
namespace {

using Node = WeightedTree::Node;

constexpr int kDeepest = 64;  // maximum number of levels; a damaged report may have paths with any number of dots

class Builder {
 public:
  void add(std::size_t leaf, const WeightedLeaf& from) {
    const double weight = std::isfinite(from.weight) ? std::max(0.0, from.weight) : 0.0;
    append({.name = from.name, .path = {}, .parent = moduleOf(from.module), .leaf = leaf, .weight = weight});
  }

  WeightedTree take() {
    // Adds weights from the leaves to the root: children have larger indices than their parents.
    for (std::size_t node = nodes_.size() - 1; node > 0; --node)
      nodes_[nodes_[node].parent].weight += nodes_[node].weight;
    for (Node& node : nodes_) {
      std::ranges::stable_sort(node.children, std::greater(), [&](std::size_t child) { return nodes_[child].weight; });
    }
    return {std::move(nodes_)};
  }

 private:
  std::size_t append(Node node) {
    const std::size_t place = nodes_.size();
    nodes_[node.parent].children.push_back(place);
    nodes_.push_back(std::move(node));
    return place;
  }

  std::size_t moduleOf(const std::string& path) {
    std::size_t module = 0;
    std::size_t begin = 0;
    for (int level = 1; begin < path.size(); ++level) {
      const std::size_t end = level < kDeepest ? std::min(path.find('.', begin), path.size()) : path.size();
      const auto [found, is_new] = modules_.try_emplace(path.substr(0, end), nodes_.size());
      if (is_new) append({.name = path.substr(begin, end - begin), .path = found->first, .parent = module, .leaf = {}});
      module = found->second;
      begin = end + 1;
    }
    return module;
  }

  std::vector<Node> nodes_ = std::vector<Node>(1);
  std::map<std::string, std::size_t> modules_;
};

}  // namespace

std::vector<std::size_t> WeightedTree::wayTo(std::size_t node) const {
  std::vector<std::size_t> way{node};
  while (way.back() != 0) way.push_back(nodes[way.back()].parent);
  std::ranges::reverse(way);
  return way;
}

std::size_t WeightedTree::moduleAt(const std::string& path) const {
  const auto found = std::ranges::find_if(nodes, [&](const Node& node) { return !node.leaf && node.path == path; });
  return found == nodes.end() ? 0 : static_cast<std::size_t>(found - nodes.begin());
}

std::size_t WeightedTree::nodeOf(std::size_t leaf) const {
  return static_cast<std::size_t>(std::ranges::find(nodes, std::optional(leaf), &Node::leaf) - nodes.begin());
}

WeightedTree weightedTree(const std::vector<WeightedLeaf>& leaves) {
  Builder builder;
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) builder.add(leaf, leaves[leaf]);
  return builder.take();
}

}  // namespace ampprof::gui
