// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/tree_layout.h"

#include <algorithm>
#include <limits>
#include <span>

#include "gui/data/weighted_tree.h"

namespace ampprof::gui {
namespace {

// Minimum width and height of a module that has a header, as a multiple of the header's height.
constexpr double kRoomForHeader = 3.0;
constexpr double kFrame = 1.5;  // pixels; frame around the children of a module with a header

using Nodes = std::span<const std::size_t>;

/// Lays out the children of one node by the squarified algorithm: row by row, each along the shorter side of the free
/// area.
class Rows {
 public:
  Rows(const WeightedTree& tree, const QRectF& area, double weight)
      : tree_(tree), left_(area), area_of_weight_(area.width() * area.height() / weight) {}

  /// Returns the boxes of `children`, which must be in descending order of weight, all above 0.
  TreeBoxes boxes(Nodes children) {
    while (!children.empty()) {
      std::size_t count = 1;
      while (count < children.size() && worstRatio(children.first(count + 1)) <= worstRatio(children.first(count)))
        ++count;
      place(children.first(count));
      children = children.subspan(count);
    }
    return std::move(boxes_);
  }

 private:
  double areaOf(std::size_t node) const { return tree_.nodes[node].weight * area_of_weight_; }

  double areaOf(Nodes row) const {
    double sum = 0.0;
    for (const std::size_t node : row) sum += areaOf(node);
    return sum;
  }

  /// Returns the worst aspect ratio (longer to shorter side) in a row.
  double worstRatio(Nodes row) const {
    const double side = std::min(left_.width(), left_.height());
    const double sum = areaOf(row);
    if (!(side > 0.0 && sum > 0.0)) return std::numeric_limits<double>::infinity();
    const double largest = side * side * areaOf(row.front()) / (sum * sum);
    const double smallest = side * side * areaOf(row.back()) / (sum * sum);
    return std::max(largest, 1.0 / smallest);
  }

  void place(Nodes row) {
    const bool is_column = left_.width() >= left_.height();
    const double side = is_column ? left_.height() : left_.width();
    const double sum = areaOf(row);
    const double thickness = side > 0.0 ? sum / side : 0.0;
    double begin = is_column ? left_.top() : left_.left();
    for (const std::size_t node : row) {
      const double length = sum > 0.0 ? side * areaOf(node) / sum : 0.0;
      boxes_.push_back({node, is_column ? QRectF(left_.left(), begin, thickness, length)
                                        : QRectF(begin, left_.top(), length, thickness)});
      begin += length;
    }
    is_column ? left_.setLeft(left_.left() + thickness) : left_.setTop(left_.top() + thickness);
  }

  const WeightedTree& tree_;
  QRectF left_;
  double area_of_weight_;
  TreeBoxes boxes_;
};

std::vector<std::size_t> weighty(const WeightedTree& tree, const std::vector<std::size_t>& nodes) {
  std::vector<std::size_t> found = nodes;
  std::erase_if(found, [&](std::size_t node) { return !(tree.nodes[node].weight > 0.0); });
  return found;
}

QRectF withoutHeader(const QRectF& rect, double header) {
  const bool has_room = header > 0.0 && std::min(rect.height(), rect.width()) >= kRoomForHeader * header;
  return has_room ? rect.adjusted(kFrame, header, -kFrame, -kFrame) : rect;
}

TreeBoxes childrenInRow(const WeightedTree& tree, const TreeBox& parent, double height) {
  const WeightedTree::Node& node = tree.nodes[parent.node];
  TreeBoxes boxes;
  double begin = 0.0;  // in units of weight, so that rounding errors do not accumulate to a gap
  for (const std::size_t child : weighty(tree, node.children)) {
    const double width = parent.rect.width() * tree.nodes[child].weight / node.weight;
    const double left = parent.rect.left() + parent.rect.width() * begin / node.weight;
    boxes.push_back({child, QRectF(left, parent.rect.bottom(), width, height)});
    begin += tree.nodes[child].weight;
  }
  return boxes;
}

/// Lays out the descendants of `root` level by level; `children_of(box)` returns the boxes of a box's children.
template <class ChildrenOf>
TreeBoxes laidOut(const WeightedTree& tree, const TreeBox& root, const ChildrenOf& children_of) {
  if (!(tree.nodes[root.node].weight > 0.0)) return {};
  TreeBoxes boxes{root};
  for (std::size_t next = 0; next < boxes.size(); ++next) {
    if (tree.nodes[boxes[next].node].children.empty()) continue;
    const TreeBoxes children = children_of(TreeBox(boxes[next]));
    boxes.insert(boxes.end(), children.begin(), children.end());
  }
  return boxes;
}

}  // namespace

TreeBoxes icicle(const WeightedTree& tree, std::size_t root, const QRectF& area, double header, double row_height) {
  const QRectF top(area.left(), area.top(), area.width(), header);
  return laidOut(tree, {root, top}, [&](const TreeBox& box) { return childrenInRow(tree, box, row_height); });
}

int icicleRows(const WeightedTree& tree, std::size_t root) {
  const TreeBoxes boxes = icicle(tree, root, {0, 0, 1, 1}, 1.0, 1.0);
  return boxes.empty() ? 0 : static_cast<int>(boxes.back().rect.bottom());  // the last box is in the lowest row
}

TreeBoxes squarified(const WeightedTree& tree, std::size_t root, const QRectF& area, double header) {
  return laidOut(tree, {root, area}, [&](const TreeBox& box) {
    const WeightedTree::Node& node = tree.nodes[box.node];
    return Rows(tree, withoutHeader(box.rect, header), node.weight).boxes(weighty(tree, node.children));
  });
}

std::optional<std::size_t> nodeAt(const TreeBoxes& boxes, const QPointF& place) {
  const auto holds = [&](const TreeBox& box) {
    return place.x() >= box.rect.left() && place.x() < box.rect.right() && place.y() >= box.rect.top() &&
           place.y() < box.rect.bottom();
  };
  const auto last = std::ranges::find_if(boxes.rbegin(), boxes.rend(), holds);
  return last == boxes.rend() ? std::nullopt : std::optional(last->node);
}

}  // namespace ampprof::gui
