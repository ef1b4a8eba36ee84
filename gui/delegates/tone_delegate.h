// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>
#include <QStyledItemDelegate>
#include <optional>

#include "reports/text/terminal.h"

namespace ampprof::gui {

/// The colour that a tone has on this palette, light or dark: of Okabe and Ito, so that no one has to tell red from
/// green. Empty for tones that are plain text.
std::optional<QColor> colour_of(text::Tone tone, const QPalette& palette);

/// Paints cells in the tone that the terminal gives them.
class ToneDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

}  // namespace ampprof::gui
