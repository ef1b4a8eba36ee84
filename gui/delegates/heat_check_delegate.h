// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/delegates/check_delegate.h"

namespace ampprof::gui {

/// Paints cells that have a number and a check box, on a background in the heat colour (MarkedTree::HeatRole). The
/// number is grey if the heat is NaN, and struck out if the box is checked.
class HeatCheckDelegate : public CheckDelegate {
  Q_OBJECT

 public:
  using CheckDelegate::CheckDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

}  // namespace ampprof::gui
