// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "gui/data/first_difference.h"

class QCPGraph;
class QCustomPlot;
class QLabel;
class QPushButton;

namespace ampprof::gui {

/// Shows the first op call that differs between two runs, and how the difference grows from call to call. Hidden unless
/// both runs have sketches.
class FirstDifferenceBox : public QWidget {
  Q_OBJECT

 public:
  explicit FirstDifferenceBox(QWidget* parent = nullptr);

  void show(const std::optional<FirstDifference>& first);

 signals:
  void chosen(const QString& call_site);

 private:
  void draw(const std::vector<double>& growth);

  QLabel* sentences_;
  QPushButton* choose_;
  QCustomPlot* plot_;
  QCPGraph* line_;
  QString call_site_;
};

}  // namespace ampprof::gui
