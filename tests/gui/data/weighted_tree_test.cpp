// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/weighted_tree.h"

#include <gtest/gtest.h>

#include <limits>

namespace ampprof::gui {
namespace weighted_tree_test {

const std::vector<WeightedLeaf> kNet{{"net.conv1", "conv2d", 3},
                                     {"net.conv1", "relu", 1},
                                     {"net", "add", 2},
                                     {"net.conv2", "conv2d", 6},
                                     {"", "loss", 4}};

const WeightedTree::Node& module(const WeightedTree& tree, const char* path) { return tree.nodes[tree.moduleAt(path)]; }

TEST(WeightedTree, AddsUpTheWeightsOfModules) {
  const WeightedTree tree = weightedTree(kNet);
  EXPECT_EQ(tree.nodes.front().weight, 16);
  EXPECT_EQ(module(tree, "net").weight, 12);
  EXPECT_EQ(module(tree, "net.conv1").weight, 4);
  EXPECT_EQ(module(tree, "net.conv1").name, "conv1");
}

TEST(WeightedTree, OrdersChildrenByWeight) {
  const WeightedTree tree = weightedTree(kNet);
  std::vector<std::string> names;
  for (const std::size_t child : module(tree, "net").children) names.push_back(tree.nodes[child].name);
  EXPECT_EQ(names, (std::vector<std::string>{"conv2", "conv1", "add"}));
}

TEST(WeightedTree, HoldsEachLeafOnce) {
  const WeightedTree tree = weightedTree(kNet);
  for (std::size_t leaf = 0; leaf < kNet.size(); ++leaf) {
    const auto& node = tree.nodes[tree.nodeOf(leaf)];
    EXPECT_EQ(node.name, kNet[leaf].name);
    EXPECT_EQ(tree.nodes[node.parent].path, kNet[leaf].module);
  }
}

TEST(WeightedTree, KnowsTheWayFromTheRoot) {
  const WeightedTree tree = weightedTree(kNet);
  const auto way = tree.wayTo(tree.nodeOf(1));
  EXPECT_EQ(way, (std::vector<std::size_t>{0, tree.moduleAt("net"), tree.moduleAt("net.conv1"), tree.nodeOf(1)}));
  EXPECT_EQ(tree.moduleAt("no such module"), 0u);
}

TEST(WeightedTree, CountsAnInvalidWeightAsZero) {
  const double inf = std::numeric_limits<double>::infinity();
  const WeightedTree tree = weightedTree({{"a", "x", -1}, {"a", "y", inf}, {"a", "z", inf - inf}, {"", "w", 2}});
  EXPECT_EQ(tree.nodes.front().weight, 2);
}

TEST(WeightedTree, StandsAPathOfAnyDepth) {
  const WeightedTree tree = weightedTree({{std::string(100'000, '.'), "op", 1}});
  EXPECT_LT(tree.nodes.size(), 100u);
  EXPECT_EQ(tree.nodes.front().weight, 1);
}

TEST(WeightedTree, IsARootAloneWithoutLeaves) { EXPECT_EQ(weightedTree({}).nodes.size(), 1u); }

}  // namespace weighted_tree_test
}  // namespace ampprof::gui
