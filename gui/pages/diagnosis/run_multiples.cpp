// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/diagnosis/run_multiples.h"

#include <qcustomplot.h>

#include <QGridLayout>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gui/data/loss_curves.h"
#include "gui/data/overview.h"
#include "gui/plots/plot.h"
#include "gui/plots/run_bars.h"

namespace ampprof::gui {
namespace {

constexpr std::size_t kMostWidenedBy = 7;  // a line is widened for each curve drawn over it, at most for this many
constexpr double kThinnest = 1.5;          // width of the line on top, in pixels
constexpr double kWidening = 0.5;          // pixels by which a line is wider for each curve drawn over it
constexpr std::size_t kPatterns = 4;       // number of dash patterns; further runs repeat them
constexpr double kPeriod = 12;             // length of a dash and its gap, in pixels
constexpr qsizetype kMostBars = 12;        // maximum number of bars whose names fit
constexpr int kNamesInARow = 2;            // legend entries per row if names are long
constexpr int kNarrowest = 200;            // minimum width of a plot, in pixels
constexpr int kLowest = 150;               // minimum height of a plot, in pixels
constexpr int kIcon = 8;                   // size of a legend icon, in pixels
constexpr int kLineIcon = 18;              // width of a line's icon, in pixels; wide enough to show the dashes
constexpr int kPlots = 4;

struct Points {
  QVector<double> steps;
  QVector<double> values;
};

Points pointsOf(const std::vector<queries::StepValue>& curve) {
  Points points;
  for (const queries::StepValue& value : curve) {
    points.steps << static_cast<double>(value.step);
    points.values << value.value;
  }
  return points;
}

void drawBand(const LossBand& band, int category, QCustomPlot* plot) {
  if (band.median.empty()) return;
  const Points median = pointsOf(band.median);
  addBand(plot, category, "smallest to largest", median.steps, pointsOf(band.least).values,
          pointsOf(band.largest).values);
  addLine(plot, category, QString::fromStdString(band.name))->setData(median.steps, median.values, true);
}

/// Returns the pen of one of several runs. Runs often have the same values, for example at different levels, so that
/// their lines coincide. To keep all lines visible, each later line is thinner and has shorter dashes, and earlier
/// lines show in the gaps. All dash patterns have the same period.
QPen penOf(std::size_t run, std::size_t runs, const QColor& colour) {
  const std::size_t above = std::min(runs - 1 - run, kMostWidenedBy);
  QPen pen(colour, kThinnest + kWidening * static_cast<double>(above));
  const std::size_t patterns = std::min(runs, kPatterns);
  if (run % patterns == 0) return pen;
  const double gap = kPeriod * static_cast<double>(run % patterns) / static_cast<double>(patterns);
  pen.setCapStyle(Qt::FlatCap);  // other caps would fill the gaps
  pen.setDashPattern({(kPeriod - gap) / pen.widthF(), gap / pen.widthF()});
  return pen;
}

/// Returns the legend entry of a curve, with the number of values that cannot be drawn.
QString legendOf(const std::string& name, const QVector<double>& values) {
  const auto missing = std::ranges::count_if(values, [](double value) { return !std::isfinite(value); });
  const QString text = QString::fromStdString(name);
  return missing == 0 ? text : text + QString(" (%1 NaN or inf)").arg(missing);
}

void drawCurves(const std::vector<LossCurve>& curves, int first_category, QCustomPlot* plot) {
  for (std::size_t run = 0; run < curves.size(); ++run) {
    if (curves[run].losses.empty()) continue;
    const auto [steps, values] = pointsOf(curves[run].losses);
    QCPGraph* line = addLine(plot, first_category + static_cast<int>(run), legendOf(curves[run].name, values));
    line->setData(steps, values, true);
    line->setPen(penOf(run, curves.size(), line->pen().color()));
  }
  plot->setVisible(plot->graphCount() > 0);
  plot->rescaleAxes();
  for (const LossCurve& curve : curves) {
    if (curve.losses.empty()) continue;
    const QCPRange steps(static_cast<double>(curve.losses.front().step), static_cast<double>(curve.losses.back().step));
    plot->xAxis->setRange(plot->xAxis->range().expanded(steps));  // also steps whose loss cannot be drawn
  }
  plot->replot(QCustomPlot::rpQueuedReplot);
}

QCustomPlot* makeSmallPlot(const QString& name, const QString& title, QWidget* parent) {
  QCustomPlot* plot = makePlot(name, parent);
  plot->yAxis->setLabel(title);
  plot->setMinimumHeight(kLowest);
  plot->hide();  // hidden until there is data
  return plot;
}

/// Shows a legend of runs above a plot, with icons so small that the names of four levels fit.
void showSmallLegend(QCustomPlot* plot, int icon_width) {
  showLegendAbove(plot);
  plot->legend->setIconSize(icon_width, kIcon);
  plot->legend->setIconTextPadding(kIcon / 2);
  plot->legend->setColumnSpacing(kIcon);
}

/// Rearranges a legend for names of runs, since few long ones fit in a row.
void wrapLegend(QCustomPlot* plot, const QStringList& names) {
  plot->legend->setWrap(hasLongNames(names) ? kNamesInARow : 0);
  plot->legend->setFillOrder(QCPLegend::foColumnsFirst);  // rearranges the names for the new wrap
}

/// Draws the bars if their names fit and at least one run has a value; else hides the plot.
void showBars(QCustomPlot* plot, const QStringList& runs, const std::vector<BarPart>& parts) {
  const bool is_known = std::ranges::any_of(parts.front().values, [](double value) { return std::isfinite(value); });
  plot->setVisible(is_known && runs.size() <= kMostBars);
  if (plot->isVisibleTo(plot->parentWidget())) drawRunBars(plot, runs, parts);
}

}  // namespace

RunMultiples::RunMultiples(QWidget* parent)
    : QWidget(parent),
      losses_(makeSmallPlot("Loss of each step", "loss", this)),
      scales_(makeSmallPlot("Loss scale of each step", "loss scale", this)),
      times_(makeSmallPlot("Time per step", "ms/step", this)),
      memory_(makeSmallPlot("Peak memory", "peak memory, GB", this)) {
  for (QCustomPlot* over_steps : {losses_, scales_}) over_steps->xAxis->setLabel("step");
  for (QCustomPlot* over_steps : {losses_, scales_}) showSmallLegend(over_steps, kLineIcon);
  showSmallLegend(times_, kIcon);
  usePowersOfTwo(scales_->yAxis);
  places_ = new QGridLayout(this);
  places_->setContentsMargins({});
}

QSize RunMultiples::minimumSizeHint() const { return {2 * kNarrowest, places_->minimumSize().height()}; }

void RunMultiples::resizeEvent(QResizeEvent*) { arrange(); }

void RunMultiples::arrange() {
  std::vector<QCustomPlot*> shown;
  for (QCustomPlot* plot : {losses_, scales_, times_, memory_}) {
    if (!plot->isHidden()) shown.push_back(plot);
  }
  const int count = static_cast<int>(shown.size());
  const int columns = width() >= count * kNarrowest ? count : 2;
  if (shown == std::exchange(shown_, shown) && columns == columns_) return;
  columns_ = columns;
  for (QCustomPlot* plot : {losses_, scales_, times_, memory_}) places_->removeWidget(plot);
  for (int place = 0; place < count; ++place) {
    places_->addWidget(shown[static_cast<std::size_t>(place)], place / columns, place % columns);
  }
  for (int column = 0; column < kPlots; ++column) places_->setColumnStretch(column, column < columns ? 1 : 0);
}

void RunMultiples::showRuns(const Overview& overview) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  QStringList names;
  BarPart program{"program", {}}, own{"ampprof", {}}, memory{"memory", {}};
  for (std::size_t place = 0; place < overview.shown.size(); ++place) {
    const queries::RunRow& run = overview.shown[place];
    names << QString::fromStdString(overview.runs[place]);
    const double overhead = run.overhead_ms_per_step.value_or(0);
    program.values << (run.ms_per_step ? *run.ms_per_step - overhead : kUnknown);
    own.values << (run.ms_per_step ? overhead : kUnknown);
    memory.values << (run.peak_bytes ? static_cast<double>(*run.peak_bytes) / 1e9 : kUnknown);
  }
  showBars(times_, names, {program, own});
  showBars(memory_, names, {memory});
  arrange();
}

void RunMultiples::showCurves(const LossCurves& curves) {
  for (QCustomPlot* plot : {losses_, scales_}) plot->clearPlottables();
  int category = 0;
  for (const LossBand& band : curves.bands) drawBand(band, category++, losses_);
  drawCurves(curves.curves, category, losses_);
  QStringList names;
  for (const LossCurve& curve : curves.curves) names << QString::fromStdString(curve.name);
  drawCurves(curves.scales, category, scales_);
  for (QCustomPlot* plot : {losses_, scales_}) wrapLegend(plot, names);
  for (int i = 0; i < scales_->graphCount(); ++i) scales_->graph(i)->setLineStyle(QCPGraph::lsStepLeft);
  scales_->yAxis->setRange(scales_->yAxis->range().lower / 2, scales_->yAxis->range().upper * 2);
  arrange();
}

}  // namespace ampprof::gui
