// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/pictures/tree_canvas.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/delegates/precision_colours.h"
#include "gui/models/plain_tip.h"

namespace ampprof::gui {
namespace {

constexpr double kLeastBox = 0.5;     // minimum width and height of a box, in pixels; smaller boxes are not drawn
constexpr double kGapFrom = 3.0;      // minimum width and height, in pixels, of a box with a gap to the next one
constexpr int kTextMargin = 4;        // space left and right of a text, in pixels
constexpr double kLeastRow = 1.6;     // minimum height of a row, in lines of text
constexpr double kHeader = 1.35;      // height of a header, in lines of text
constexpr int kFewestCharacters = 4;  // minimum space for text in a box, in characters; a smaller box has no text

}  // namespace

TreeCanvas::TreeCanvas(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName("Modules and ops");
  setAccessibleDescription(
      "Left and Right go to the previous and the next box in the same module, Up to the module around it, Down to the "
      "first box inside it. Enter zooms into a module, Backspace zooms out.");
}

void TreeCanvas::draw(WeightedTree tree, std::vector<BoxLook> looks) {
  const std::string visible = tree_.nodes[root_].path;
  tree_ = std::move(tree);
  looks_ = std::move(looks);
  selected_.reset();
  root_ = current_ = tree_.moduleAt(visible);
  layOut();
}

void TreeCanvas::setShape(Shape shape) {
  shape_ = shape;
  layOut();
}

void TreeCanvas::zoom(std::size_t module) {
  root_ = current_ = module;
  layOut();
  emit zoomed(module);
}

void TreeCanvas::select(std::optional<std::size_t> node) {
  selected_ = node;
  if (node && !rectOf(*node).isEmpty()) current_ = *node;
  update();
}

QRectF TreeCanvas::rectOf(std::size_t node) const {
  const auto found = std::ranges::find(boxes_, node, &TreeBox::node);
  return found == boxes_.end() ? QRectF() : found->rect;
}

void TreeCanvas::layOut() {
  const double line = fontMetrics().height();
  const double header = std::round(kHeader * line);
  const int rows = std::max(1, icicleRows(tree_, root_) - 1);  // rows below the root
  setMinimumHeight(shape_ == Shape::Icicle ? static_cast<int>(std::ceil(header + rows * kLeastRow * line)) : 0);
  const double height = std::max((this->height() - header) / rows, kLeastRow * line);
  boxes_ =
      shape_ == Shape::Icicle ? icicle(tree_, root_, rect(), header, height) : squarified(tree_, root_, rect(), header);
  update();
}

void TreeCanvas::resizeEvent(QResizeEvent*) { layOut(); }

void TreeCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  for (const TreeBox& box : boxes_) {
    if (box.rect.width() >= kLeastBox && box.rect.height() >= kLeastBox) paintBox(painter, box);
  }
  if (hasFocus()) paintOutline(painter, current_, Qt::DotLine);
  if (selected_) paintOutline(painter, *selected_, Qt::SolidLine);
}

void TreeCanvas::paintBox(QPainter& painter, const TreeBox& box) const {
  const BoxLook& look = looks_[box.node];
  const bool is_frame = box.node == root_ || (shape_ == Shape::Treemap && !tree_.nodes[box.node].leaf);
  const QColor fill = is_frame ? palette().color(QPalette::Window) : colourOf(look.tone, palette());
  const bool has_gap = std::min(box.rect.width(), box.rect.height()) >= kGapFrom;
  const QRectF rect = has_gap ? box.rect.adjusted(0, 0, -1, -1) : box.rect;
  painter.fillRect(rect, fill);
  painter.setPen(is_frame ? palette().color(QPalette::WindowText) : inkOn(fill));
  const bool is_upright =
      rect.width() < fontMetrics().horizontalAdvance(look.label) && rect.height() > 2 * rect.width();
  if (is_frame) {
    paintText(painter, rect, {look.label + "   " + look.figure});
  } else if (is_upright) {
    painter.save();
    painter.translate(rect.bottomLeft());
    painter.rotate(-90);
    paintText(painter, {0, 0, rect.height(), rect.width()}, {look.label, look.figure});
    painter.restore();
  } else {
    paintText(painter, rect, {look.label, look.figure});
  }
}

/// Elides the first line if necessary. Omits other lines that do not fit, since a truncated number would be misread.
void TreeCanvas::paintText(QPainter& painter, const QRectF& rect, const QStringList& lines) const {
  const QFontMetrics metrics = fontMetrics();
  const QRectF room = rect.adjusted(kTextMargin, 0, -kTextMargin, 0);
  double top = room.top() + std::min(2.0, std::max(0.0, (room.height() - metrics.height()) / 2));
  if (room.width() < kFewestCharacters * metrics.averageCharWidth()) return;
  for (const QString& line : lines) {
    const bool is_first = &line == &lines.front();
    if (top + metrics.height() > room.bottom() + 1) return;
    if (!is_first && metrics.horizontalAdvance(line) > room.width()) return;
    painter.drawText(QRectF(room.left(), top, room.width(), metrics.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(line, Qt::ElideRight, static_cast<int>(room.width())));
    top += metrics.height();
  }
}

void TreeCanvas::paintOutline(QPainter& painter, std::size_t node, Qt::PenStyle style) const {
  const QRectF rect = rectOf(node).adjusted(1, 1, -2, -2);
  if (rect.isEmpty()) return;
  painter.setPen(QPen(palette().color(QPalette::Base), 4));
  painter.drawRect(rect);
  painter.setPen(QPen(palette().color(QPalette::WindowText), 2, style));
  painter.drawRect(rect);
}

void TreeCanvas::setCurrent(std::size_t node) {
  current_ = node;
  if (node < looks_.size()) setAccessibleDescription(looks_[node].tip);
  update();
  if (tree_.nodes[node].leaf) emit chosen(node);
}

void TreeCanvas::zoomInto(std::size_t node) {
  const std::size_t module = tree_.nodes[node].leaf ? tree_.nodes[node].parent : node;
  if (module != root_) zoom(module);
}

std::vector<std::size_t> TreeCanvas::drawnChildren(std::size_t node) const {
  std::vector<std::size_t> drawn = tree_.nodes[node].children;
  std::erase_if(drawn, [&](std::size_t child) { return !(tree_.nodes[child].weight > 0.0); });
  return drawn;
}

void TreeCanvas::moveToSibling(int by) {
  if (current_ == root_) return;
  const std::vector<std::size_t> beside = drawnChildren(tree_.nodes[current_].parent);
  const auto place = std::ranges::find(beside, current_) - beside.begin() + by;
  if (place >= 0 && place < std::ssize(beside)) setCurrent(beside[static_cast<std::size_t>(place)]);
}

void TreeCanvas::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      return moveToSibling(-1);
    case Qt::Key_Right:
      return moveToSibling(1);
    case Qt::Key_Up:
      if (current_ != root_) setCurrent(tree_.nodes[current_].parent);
      return;
    case Qt::Key_Down:
      if (const auto children = drawnChildren(current_); !children.empty()) setCurrent(children.front());
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return zoomInto(current_);
    case Qt::Key_Backspace:
      if (root_ != 0) zoom(tree_.nodes[root_].parent);
      return;
    default:
      return QWidget::keyPressEvent(event);
  }
}

void TreeCanvas::mousePressEvent(QMouseEvent* event) {
  const auto node = event->button() == Qt::LeftButton ? nodeAt(boxes_, event->position()) : std::nullopt;
  if (node) setCurrent(*node);
}

void TreeCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const auto node = nodeAt(boxes_, event->position())) zoomInto(*node);
}

bool TreeCanvas::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto node = nodeAt(boxes_, help->pos());
  QToolTip::showText(help->globalPos(), node ? plainTip(looks_[*node].tip) : QString(), this);
  return true;
}

}  // namespace ampprof::gui
