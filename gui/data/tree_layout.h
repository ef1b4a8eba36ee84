// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <cstddef>
#include <optional>
#include <vector>

namespace ampprof::gui {

struct WeightedTree;

/// A node of a WeightedTree with its rectangle in pixels.
struct TreeBox {
  std::size_t node = 0;
  QRectF rect;
};

/// Boxes of a root and of its descendants with a weight above 0. Parents precede their children.
using TreeBoxes = std::vector<TreeBox>;

/// Lays out a tree as an icicle: the root at the top with the height `header`, and a row for each level below it. A
/// child lies between its parent's left and right edges; its width is proportional to its share of the parent's weight.
TreeBoxes icicle(const WeightedTree& tree, std::size_t root, const QRectF& area, double header, double row_height);
/// Returns the number of rows of an icicle, including the root's.
int icicleRows(const WeightedTree& tree, std::size_t root);

/// Lays out a tree as a treemap: children fill their parent, with areas in proportion to their weights, and are as
/// close to squares as their order allows (Bruls, Huizing and van Wijk, "Squarified Treemaps", 2000). A module that is
/// large enough reserves a strip of height `header` at the top for its name, and a thin frame. With a `header` of 0,
/// areas are comparable across all leaves.
TreeBoxes squarified(const WeightedTree& tree, std::size_t root, const QRectF& area, double header = 0.0);

/// Returns the index of the innermost box at a point; empty if there is none.
std::optional<std::size_t> nodeAt(const TreeBoxes& boxes, const QPointF& place);

}  // namespace ampprof::gui
