// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <vector>

class QCustomPlot;

namespace ampprof::gui {

/// A part of the bar of each run.
struct BarPart {
  QString name;            ///< in the legend
  QVector<double> values;  ///< in the order of the runs; NaN where there is none
};

/// Tells whether names of runs, "O1 rank 12", need more room than those of levels.
bool hasLongNames(const QStringList& runs);

/// Draws a bar for each run, whose parts stand on each other: the first at the bottom. Clears the plot first.
void drawRunBars(QCustomPlot* plot, const QStringList& runs, const std::vector<BarPart>& parts);

}  // namespace ampprof::gui
