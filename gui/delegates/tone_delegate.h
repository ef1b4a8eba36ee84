// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>
#include <QStyledItemDelegate>
#include <optional>

#include "reports/text/terminal.h"

namespace ampprof::gui {

/// Returns the colour of a tone on a light or dark palette; empty for tones of plain text. Uses Okabe and Ito's
/// colours, which do not require telling red from green.
std::optional<QColor> colour_of(text::Tone tone, const QPalette& palette);

/// Paints each cell in the tone that the terminal uses for it.
class ToneDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

}  // namespace ampprof::gui
