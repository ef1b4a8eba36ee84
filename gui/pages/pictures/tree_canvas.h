// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "gui/data/tree_layout.h"
#include "gui/data/weighted_tree.h"
#include "gui/delegates/box_colours.h"

namespace ampprof::gui {

/// How a node is drawn, and what is said of it.
struct BoxLook {
  QString label;
  QString figure;  ///< below the label where there is room
  QString tip;     ///< plain text, in lines
  BoxTone tone;
};

/// A drawing of a weighted tree as an icicle or a treemap, and the keys and the mouse in it. One module is the root of
/// what is visible; one node is current, which keys move.
class TreeCanvas : public QWidget {
  Q_OBJECT

 public:
  enum class Shape { Icicle, Treemap };

  explicit TreeCanvas(QWidget* parent = nullptr);

  /// Draws another tree with the look of each node; the same module is visible as before, where it is still there.
  void draw(WeightedTree tree, std::vector<BoxLook> looks);
  void setShape(Shape shape);
  /// Makes a module the root of what is visible.
  void zoom(std::size_t module);
  std::size_t root() const { return root_; }
  /// Outlines a leaf; none where it is empty.
  void select(std::optional<std::size_t> node);
  std::size_t current() const { return current_; }
  /// Returns where a node is; empty where it is not visible.
  QRectF rectOf(std::size_t node) const;

 signals:
  /// The user chose a leaf.
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
  /// Returns the children that have a box.
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
