// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>
#include <QStyledItemDelegate>
#include <optional>

#include "reports/text/terminal.h"

namespace ampprof::gui {

/// Returns the colour of a tone on a light or dark palette; empty for tones of plain text. Okabe and Ito's colours, so
/// nobody has to tell red from green.
std::optional<QColor> colour_of(text::Tone tone, const QPalette& palette);

/// Paints cells in the tones that the terminal uses for them.
class ToneDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

}  // namespace ampprof::gui
