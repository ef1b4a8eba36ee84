// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

#include "gui/delegates/exponent_painting.h"

namespace ampprof::gui {

/// Header of a table with a heat map. One section shows the axis with the ranges of formats.
class ExponentHeader : public QHeaderView {
  Q_OBJECT

 public:
  explicit ExponentHeader(QWidget* parent = nullptr);

  /// Sets the section that shows the axis; if empty, no section shows it.
  void setAxisSection(std::optional<int> section);
  void setFormats(Formats formats);

  QSize sizeHint() const override;

 protected:
  void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override;
  void paintSection(QPainter* painter, const QRect& rect, int section) const override;

 private:
  void fit();

  std::optional<int> axis_;
  Formats formats_;
};

}  // namespace ampprof::gui
