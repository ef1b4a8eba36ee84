// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace ampprof::gui {

class BoardModel;
class ImpactPlot;

/// The board as a plot: a dot for each call site that it shows, with a sentence on what has none. It follows the board
/// and its marks.
class ImpactView : public QWidget {
  Q_OBJECT

 public:
  /// `board` must outlive it. `has_times_of_cpu`: where no GPU was seen, FP16 was emulated.
  ImpactView(const BoardModel& board, bool has_times_of_cpu, QWidget* parent = nullptr);

  void select(const QString& call_site);

 signals:
  /// The user clicked at a dot: its call site, as in OpRow.
  void siteChosen(const QString& call_site);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void draw();

  const BoardModel& board_;
  bool has_times_of_cpu_;
  QLabel* said_;
  ImpactPlot* plot_;
};

}  // namespace ampprof::gui
