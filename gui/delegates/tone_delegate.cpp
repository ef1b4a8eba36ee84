// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/delegates/tone_delegate.h"

#include <QFontDatabase>

#include "gui/look/look.h"
#include "gui/models/view_model.h"

namespace ampprof::gui {

std::optional<QColor> colour_of(text::Tone tone, const QPalette& palette) {
  switch (tone) {
    case text::Tone::Good:
      return colourOn(palette, kGood);
    case text::Tone::Bad:
      return colourOn(palette, kBad);
    case text::Tone::Attention:
      return colourOn(palette, kAttention);
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
