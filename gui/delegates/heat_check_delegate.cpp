// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/heat_check_delegate.h"

#include <cmath>

#include "gui/delegates/heat_delegate.h"
#include "gui/models/marked_tree.h"

namespace ampprof::gui {

void HeatCheckDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  CheckDelegate::initStyleOption(option, index);
  const QVariant heat = index.data(MarkedTree::HeatRole);
  if (!heat.isValid()) return;
  option->font.setStrikeOut(index.data(Qt::CheckStateRole) == Qt::Checked);
  const bool is_selected = option->state & QStyle::State_Selected;
  const QColor base = option->palette.color(is_selected ? QPalette::Highlight : QPalette::Base);
  const auto text_role = is_selected ? QPalette::HighlightedText : QPalette::Text;
  const QColor text = option->palette.color(text_role);
  if (std::isnan(heat.toDouble())) {
    option->palette.setColor(text_role, faintColour(base, text));
  } else if (!is_selected) {
    option->backgroundBrush = heatColour(heat.toDouble(), base, text);
  }
}

}  // namespace ampprof::gui
