// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "gui/data/tree_layout.h"
#include "gui/data/weighted_tree.h"
#include "gui/delegates/box_colours.h"

namespace ampprof::gui {

/// Appearance and texts of a node.
struct BoxLook {
  QString label;
  QString figure;  ///< shown below the label if there is space
  QString tip;     ///< plain text with line breaks
  BoxTone tone;
};

/// Draws a weighted tree as an icicle or a treemap, which fills the widget, and handles keys and mouse. One module is
/// the visible root. One node is the current one, from which keys move to others.
class TreeCanvas : public QWidget {
  Q_OBJECT

 public:
  enum class Shape { Icicle, Treemap };

  explicit TreeCanvas(QWidget* parent = nullptr);

  /// Draws another tree. `looks` is indexed by node. Keeps the visible root if the new tree has a module with the same
  /// path.
  void draw(WeightedTree tree, std::vector<BoxLook> looks);
  void setShape(Shape shape);
  /// Makes a module the visible root.
  void zoom(std::size_t module);
  std::size_t root() const { return root_; }
  /// Outlines a leaf; an empty `node` removes the outline.
  void select(std::optional<std::size_t> node);
  std::size_t current() const { return current_; }
  /// Returns the rectangle of a node; empty if it is not visible.
  QRectF rectOf(std::size_t node) const;

 signals:
  /// Emitted when the user selects a leaf.
  void chosen(std::size_t node);
  void zoomed(std::size_t module);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;

 private:
  void layOut();
  void paintBox(QPainter& painter, const TreeBox& box) const;
  void paintText(QPainter& painter, const QRectF& rect, const QStringList& lines) const;
  void paintOutline(QPainter& painter, std::size_t node, Qt::PenStyle style) const;
  void setCurrent(std::size_t node);
  void zoomInto(std::size_t node);
  void moveToSibling(int by);
  /// Returns the children of a node that are visible.
  std::vector<std::size_t> drawnChildren(std::size_t node) const;

  WeightedTree tree_ = weightedTree({});
  std::vector<BoxLook> looks_;
  Shape shape_ = Shape::Icicle;
  TreeBoxes boxes_;
  std::size_t root_ = 0;
  std::size_t current_ = 0;
  std::optional<std::size_t> selected_;
};

}  // namespace ampprof::gui
