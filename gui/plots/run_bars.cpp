// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/plots/run_bars.h"

#include <qcustomplot.h>

#include <QSet>
#include <algorithm>

#include "gui/plots/plot.h"

namespace ampprof::gui {
namespace {

constexpr qsizetype kShortName = 4;  // maximum length of a short name ("O1 b"), in characters
constexpr double kSlope = -30;       // rotation of long names below the bars, in degrees
constexpr double kWidthOfBar = 0.6;  // width of a bar, as a fraction of the space for a run
constexpr double kRoomAboveBars = 1.1;

/// Returns the last word of each name if the words differ and none is a number, so that labels leave space for bars:
/// "mxfp8" for "run 1 what-if mxfp8". Otherwise returns the names.
QStringList shortened(const QStringList& runs) {
  QStringList words;
  for (const QString& run : runs) words << run.section(' ', -1);
  const bool are_distinct = QSet<QString>(words.begin(), words.end()).size() == words.size();
  const auto is_number = [](const QString& word) { return word.isEmpty() || word.front().isDigit(); };
  return are_distinct && std::ranges::none_of(words, is_number) ? words : runs;
}

}  // namespace

bool hasLongNames(const QStringList& runs) {
  return std::ranges::any_of(runs, [](const QString& run) { return run.size() > kShortName; });
}

void drawRunBars(QCustomPlot* plot, const QStringList& runs, const std::vector<BarPart>& parts) {
  plot->clearPlottables();
  QVector<double> places;
  const QSharedPointer<QCPAxisTickerText> names(new QCPAxisTickerText);
  const QStringList labels = hasLongNames(runs) ? shortened(runs) : runs;
  for (qsizetype run = 0; run < runs.size(); ++run) {
    places << static_cast<double>(run);
    names->addTick(static_cast<double>(run), labels[run]);
  }
  plot->xAxis->setTicker(names);
  plot->xAxis->setTickLabelRotation(hasLongNames(labels) ? kSlope : 0);
  plot->xAxis->grid()->setVisible(false);
  QCPBars* below = nullptr;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    auto* bars = new QCPBars(plot->xAxis, plot->yAxis);
    bars->setName(parts[part].name);
    bars->setWidth(kWidthOfBar);
    bars->setData(places, parts[part].values, true);
    fillInCategory(bars, static_cast<int>(part));
    if (below != nullptr) bars->moveAbove(below);
    below = bars;
  }
  plot->rescaleAxes();
  plot->xAxis->setRange(-0.5, static_cast<double>(runs.size()) - 0.5);
  plot->yAxis->setRange(0, plot->yAxis->range().upper * kRoomAboveBars);
  plot->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace ampprof::gui
