// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/tree_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "gui/data/weighted_tree.h"

namespace ampprof::gui {
namespace tree_layout_test {

constexpr double kClose = 1e-6;  // in pixels, for sums of doubles up to thousands
const QRectF kArea(10, 20, 1280, 700);

/// Returns a random tree like that of a network: nested modules, with weights over six decades and some of 0.
WeightedTree anyTree(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<WeightedLeaf> leaves;
  for (int leaf = 0; leaf < 200; ++leaf) {
    std::string module = "layer" + std::to_string(random() % 7);
    for (auto level = random() % 4; level > 0; --level) module += '.' + std::to_string(random() % 3);
    const double weight = leaf % 20 == 0 ? 0.0 : std::pow(10.0, static_cast<double>(random() % 600) / 100);
    leaves.push_back({leaf % 10 == 1 ? "" : module, "op" + std::to_string(leaf), weight});
  }
  return weightedTree(leaves);
}

const QRectF& rectOf(const TreeBoxes& boxes, std::size_t node) {
  return std::ranges::find(boxes, node, &TreeBox::node)->rect;
}

double areaOf(const QRectF& rect) { return rect.width() * rect.height(); }

bool isWithin(const QRectF& inner, const QRectF& outer) {
  return inner.left() >= outer.left() - kClose && inner.right() <= outer.right() + kClose &&
         inner.top() >= outer.top() - kClose && inner.bottom() <= outer.bottom() + kClose;
}

bool overlap(const QRectF& a, const QRectF& b) {
  const QRectF common = a.intersected(b);
  return common.width() > kClose && common.height() > kClose;
}

void expectNothingLost(const WeightedTree& tree, const TreeBoxes& boxes) {
  const auto weighty = std::ranges::count_if(tree.nodes, [](const auto& node) { return node.weight > 0.0; });
  EXPECT_EQ(std::ssize(boxes), weighty);
  for (std::size_t node = 0; node < tree.nodes.size(); ++node)
    EXPECT_EQ(std::ranges::count(boxes, node, &TreeBox::node), tree.nodes[node].weight > 0.0 ? 1 : 0) << node;
}

void expectNoSiblingsOverlap(const WeightedTree& tree, const TreeBoxes& boxes) {
  for (std::size_t a = 1; a < boxes.size(); ++a) {
    for (std::size_t b = a + 1; b < boxes.size(); ++b) {
      if (tree.nodes[boxes[a].node].parent != tree.nodes[boxes[b].node].parent) continue;
      EXPECT_FALSE(overlap(boxes[a].rect, boxes[b].rect)) << boxes[a].node << " and " << boxes[b].node;
    }
  }
}

class Layouts : public testing::TestWithParam<unsigned> {
 protected:
  WeightedTree tree_ = anyTree(GetParam());
};

TEST_P(Layouts, OfATreemapGiveEachLeafItsShareOfTheArea) {
  const TreeBoxes boxes = squarified(tree_, 0, kArea);
  expectNothingLost(tree_, boxes);
  expectNoSiblingsOverlap(tree_, boxes);
  for (const TreeBox& box : boxes) {
    const auto& node = tree_.nodes[box.node];
    EXPECT_NEAR(areaOf(box.rect), areaOf(kArea) * node.weight / tree_.nodes.front().weight,
                kClose * areaOf(kArea) / 1000);
    EXPECT_TRUE(isWithin(box.rect, rectOf(boxes, node.parent))) << box.node;
  }
}

TEST_P(Layouts, OfATreemapKeepAStripForNamesOfLargeModules) {
  constexpr double kHeader = 18;
  const TreeBoxes boxes = squarified(tree_, 0, kArea, kHeader);
  expectNothingLost(tree_, boxes);
  expectNoSiblingsOverlap(tree_, boxes);
  for (const TreeBox& box : boxes) {
    const auto& node = tree_.nodes[box.node];
    const QRectF& parent = rectOf(boxes, node.parent);
    EXPECT_TRUE(isWithin(box.rect, parent)) << box.node;
    const bool has_strip = box.node != 0 && parent.height() > 4 * kHeader && parent.width() > 7 * kHeader;
    EXPECT_GE(box.rect.top(), parent.top() + (has_strip ? kHeader : 0.0) - kClose) << box.node;
  }
}

TEST_P(Layouts, OfAnIcicleGiveEachNodeItsShareOfTheWidth) {
  const TreeBoxes boxes = icicle(tree_, 0, kArea, 20, 20);
  expectNothingLost(tree_, boxes);
  expectNoSiblingsOverlap(tree_, boxes);
  for (const TreeBox& box : boxes) {
    const auto& node = tree_.nodes[box.node];
    EXPECT_NEAR(box.rect.width(), kArea.width() * node.weight / tree_.nodes.front().weight, kClose);
    if (box.node == 0) continue;
    const QRectF& parent = rectOf(boxes, node.parent);
    EXPECT_EQ(box.rect.top(), parent.bottom());
    EXPECT_GE(box.rect.left(), parent.left() - kClose);
    EXPECT_LE(box.rect.right(), parent.right() + kClose);
  }
  EXPECT_EQ(icicleRows(tree_, 0) * 20, boxes.back().rect.bottom() - kArea.top());
  EXPECT_EQ(icicle(tree_, 0, kArea, 7, 20).front().rect.height(), 7);
}

TEST_P(Layouts, FindWhatIsInTheMiddleOfALeaf) {
  const TreeBoxes treemap = squarified(tree_, 0, kArea);
  const TreeBoxes rows = icicle(tree_, 0, kArea, 20, 20);
  for (const TreeBoxes* boxes : {&treemap, &rows}) {
    for (const TreeBox& box : *boxes) {
      if (!tree_.nodes[box.node].leaf || areaOf(box.rect) < 1) continue;
      EXPECT_EQ(nodeAt(*boxes, box.rect.center()), box.node);
    }
    EXPECT_EQ(nodeAt(*boxes, {0, 0}), std::nullopt);
  }
}

TEST_P(Layouts, BeginAtAnyModule) {
  const std::size_t module = tree_.moduleAt("layer1");
  ASSERT_NE(module, 0u);
  EXPECT_EQ(squarified(tree_, module, kArea).front().rect, kArea);
  for (const TreeBox& box : icicle(tree_, module, kArea, 20, 20)) {
    const auto way = tree_.wayTo(box.node);
    EXPECT_NE(std::ranges::find(way, module), way.end()) << box.node;
  }
}

INSTANTIATE_TEST_SUITE_P(OfAnyTree, Layouts, testing::Range(1u, 6u));

TEST(Treemap, IsThatOfThePaper) {
  // The example in the paper on squarified treemaps: weights 6, 6, 4, 3, 2, 2, 1 in a rectangle of 6 by 4.
  std::vector<WeightedLeaf> leaves;
  for (const double weight : {6, 6, 4, 3, 2, 2, 1}) leaves.push_back({"", "op", weight});
  const TreeBoxes boxes = squarified(weightedTree(leaves), 0, {0, 0, 6, 4});
  EXPECT_EQ(boxes[1].rect, QRectF(0, 0, 3, 2));
  EXPECT_EQ(boxes[2].rect, QRectF(0, 2, 3, 2));
  EXPECT_NEAR(boxes[3].rect.width(), 12.0 / 7, 1e-9);
  EXPECT_NEAR(boxes[3].rect.height(), 7.0 / 3, 1e-9);
}

TEST(Treemap, IsEmptyWithoutWeight) {
  const WeightedTree tree = weightedTree({{"a", "op", 0.0}});
  EXPECT_TRUE(squarified(tree, 0, kArea).empty());
  EXPECT_TRUE(icicle(tree, 0, kArea, 20, 20).empty());
  EXPECT_EQ(icicleRows(tree, 0), 0);
}

}  // namespace tree_layout_test
}  // namespace ampprof::gui
