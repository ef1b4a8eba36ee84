// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/delegates/check_delegate.h"

namespace ampprof::gui {

/// Paints cells of a heat map with a number and a check box. The ground has the colour of the heat of a MarkedTree's
/// cell. The text is grey where the heat is NaN, and struck out where the cell is checked.
class DamageDelegate : public CheckDelegate {
  Q_OBJECT

 public:
  using CheckDelegate::CheckDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

}  // namespace ampprof::gui
