// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/tie_delegate.h"

#include <QPainter>

#include "gui/models/marked_tree.h"

namespace ampprof::gui {
namespace {

constexpr int kTieMargin = 3;  // distance of the bracket from the edges of the cell, in pixels
constexpr int kTieHook = 4;

bool shares_tie(const QModelIndex& index, int rows_below, const QVariant& tie) {
  const QModelIndex other = index.sibling(index.row() + rows_below, index.column());
  return other.isValid() && other.data(MarkedTree::TieRole) == tie;
}

}  // namespace

TiePlace tiePlace(const QModelIndex& index) {
  const QVariant tie = index.data(MarkedTree::TieRole);
  if (!tie.isValid()) return TiePlace::None;
  const bool from_above = shares_tie(index, -1, tie);
  const bool goes_on = shares_tie(index, 1, tie);
  if (from_above) return goes_on ? TiePlace::Within : TiePlace::Last;
  return goes_on ? TiePlace::First : TiePlace::Alone;
}

void TieDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyledItemDelegate::paint(painter, option, index);
  const TiePlace place = tiePlace(index);
  if (place == TiePlace::None || place == TiePlace::Alone) return;
  const QRect& cell = option.rect;
  const int x = cell.left() + kTieMargin;
  const int top = place == TiePlace::First ? cell.top() + kTieMargin : cell.top();
  const int bottom = place == TiePlace::Last ? cell.bottom() - kTieMargin : cell.bottom();
  const bool is_selected = option.state & QStyle::State_Selected;
  painter->save();
  painter->setPen(option.palette.color(is_selected ? QPalette::HighlightedText : QPalette::Text));
  painter->drawLine(x, top, x, bottom);
  if (place == TiePlace::First) painter->drawLine(x, top, x + kTieHook, top);
  if (place == TiePlace::Last) painter->drawLine(x, bottom, x + kTieHook, bottom);
  painter->restore();
}

}  // namespace ampprof::gui
