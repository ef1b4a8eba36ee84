// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/tone_delegate.h"

#include <QFontDatabase>

#include "gui/models/view_model.h"

namespace ampprof::gui {

std::optional<QColor> colour_of(text::Tone tone, const QPalette& palette) {
  const bool is_dark = palette.color(QPalette::Base).lightness() < 128;
  switch (tone) {
    case text::Tone::Good:
      return is_dark ? QColor("#4fc3a1") : QColor("#00735c");
    case text::Tone::Bad:
      return is_dark ? QColor("#ff8a4c") : QColor("#b34700");
    case text::Tone::Attention:
      return is_dark ? QColor("#f0c14b") : QColor("#8a5a00");
    case text::Tone::Faint:
      return palette.color(QPalette::PlaceholderText);
    default:
      return std::nullopt;
  }
}

void ToneDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  const auto tone = static_cast<text::Tone>(index.data(ViewModel::ToneRole).toInt());
  if (const auto colour = colour_of(tone, option->palette)) option->palette.setColor(QPalette::Text, *colour);
  if (index.data(ViewModel::DrawingRole).toBool()) option->font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  option->font.setBold(tone == text::Tone::Strong || tone == text::Tone::Bad);
}

}  // namespace ampprof::gui
