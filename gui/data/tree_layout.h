// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <cstddef>
#include <optional>
#include <vector>

namespace ampprof::gui {

struct WeightedTree;

/// A node of a WeightedTree and where it is drawn. Lengths are pixels.
struct TreeBox {
  std::size_t node = 0;
  QRectF rect;
};

/// Boxes of `root` and of all below it that have a weight. Parents come before their children.
using TreeBoxes = std::vector<TreeBox>;

/// Lays a tree out as an icicle: the root on top, as high as `header`, and a row for each level below. A child is
/// within the left and right edges of its parent, and its width is its share of the parent's weight.
TreeBoxes icicle(const WeightedTree& tree, std::size_t root, const QRectF& area, double header, double row_height);
/// Returns how many rows an icicle has, that of its root included.
int icicleRows(const WeightedTree& tree, std::size_t root);

/// Lays a tree out as a treemap: children fill their parent, in areas that are their shares of its weight. Sides are as
/// equal as the order of children allows (Bruls, Huizing and van Wijk, "Squarified Treemaps", 2000). A module that is
/// large enough keeps a strip of the height `header` on top for its name, and a thin frame. Areas of all leaves compare
/// where `header` is 0.
TreeBoxes squarified(const WeightedTree& tree, std::size_t root, const QRectF& area, double header = 0.0);

/// Returns the innermost box that holds a place; empty where none does.
std::optional<std::size_t> nodeAt(const TreeBoxes& boxes, const QPointF& place);

}  // namespace ampprof::gui
