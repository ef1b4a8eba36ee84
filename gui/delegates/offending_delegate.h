// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/delegates/tone_delegate.h"

namespace ampprof::gui {

/// Paints the cells of the view tensor-cores, with the sizes that prevent the use of Tensor Cores in bold.
class OffendingDelegate : public ToneDelegate {
  Q_OBJECT

 public:
  using ToneDelegate::ToneDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace ampprof::gui
