// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace ampprof::gui {

class BoardModel;
class ImpactPlot;

/// The board as a plot with a dot for each visible call site, and a sentence about call sites without a dot. Redraws
/// when the board or its marks change.
class ImpactView : public QWidget {
  Q_OBJECT

 public:
  /// `board` must outlive the view. `has_times_of_cpu`: FP16 was emulated on a CPU, so times say nothing about a GPU.
  ImpactView(const BoardModel& board, bool has_times_of_cpu, QWidget* parent = nullptr);

  void select(const QString& call_site);

 signals:
  /// Emitted when the user clicks a dot; `call_site` is an OpRow::call_site.
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
