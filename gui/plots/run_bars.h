// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <vector>

class QCustomPlot;

namespace ampprof::gui {

/// A stacked part of the bars of all runs.
struct BarPart {
  QString name;            ///< in the legend
  QVector<double> values;  ///< in the order of the runs; NaN if a run lacks it
};

/// Tells whether names of runs ("O1 rank 12") need more space than names of levels.
bool hasLongNames(const QStringList& runs);

/// Draws a stacked bar for each run, with the first part at the bottom. Clears the plot first.
void drawRunBars(QCustomPlot* plot, const QStringList& runs, const std::vector<BarPart>& parts);

}  // namespace ampprof::gui
