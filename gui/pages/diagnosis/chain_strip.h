// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <vector>

#include "gui/models/overflow_chain.h"

class QHBoxLayout;
class QToolButton;

namespace ampprof::gui {

/// Shows an overflow from cause to effect as boxes with arrows between them. Boxes of ops are buttons. In a long chain,
/// a button replaces the ops in the middle until it is clicked.
class ChainStrip : public QScrollArea {
  Q_OBJECT

 public:
  explicit ChainStrip(QWidget* parent = nullptr);

  void show(std::vector<ChainLink> chain);
  /// Checks the buttons of a call site and unchecks the others; "" unchecks all.
  void select(const QString& call_site);

  QSize sizeHint() const override;

 signals:
  /// Emitted when the user selects an op; `call_site` is an OpRow::call_site.
  void opChosen(const QString& call_site);

 private:
  void fill();
  void add(QWidget* box);
  QToolButton* makeOp(const ChainLink& link);

  std::vector<ChainLink> chain_;
  bool is_whole_ = false;  ///< all links are shown
  QString selected_;
  QHBoxLayout* boxes_;
};

}  // namespace ampprof::gui
