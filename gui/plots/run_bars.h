// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <vector>

class QCustomPlot;

namespace ampprof::gui {

/// One part of the stacked bars of all runs.
struct BarPart {
  QString name;            ///< name in the legend
  QVector<double> values;  ///< length of the part for each run; NaN if a run lacks it
};

/// Tells whether a run has a longer name than a level, for example "O1 rank 12".
bool hasLongNames(const QStringList& runs);

/// Draws a stacked bar for each run, with the first part at the bottom. Clears the plot first.
void drawRunBars(QCustomPlot* plot, const QStringList& runs, const std::vector<BarPart>& parts);

}  // namespace ampprof::gui
