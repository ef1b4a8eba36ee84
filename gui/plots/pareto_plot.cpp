// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/plots/pareto_plot.h"

#include <qcustomplot.h>

#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "gui/plots/plot.h"

namespace ampprof::gui {
namespace {

enum ParetoCategory { Least = 0, Chosen = 1, Uniform = 2 };

constexpr double kPercent = 100.0;
constexpr double kBesideLeast = 4.0;  // a dot without impact is drawn at the smallest impact, divided by this
// Factor from the largest impact to the right end of the axis; leaves space for labels.
constexpr double kRoomRight = 3.0;
constexpr double kRoomAbove = 0.3;  // free space for labels above and below the times, as a fraction of the time range

QCPGraph* addDots(QCustomPlot* plot, int category, const QString& name, QCPScatterStyle::ScatterShape shape,
                  double size) {
  QCPGraph* dots = addLine(plot, category, name);
  dots->setLineStyle(QCPGraph::lsNone);
  dots->setScatterStyle(QCPScatterStyle(shape, size));
  return dots;
}

std::vector<CurveDot> finite(std::vector<CurveDot> dots) {
  std::erase_if(dots, [](const CurveDot& dot) { return !std::isfinite(dot.share) || !std::isfinite(dot.us); });
  return dots;
}

}  // namespace

ParetoPlot::ParetoPlot(QWidget* parent) : QWidget(parent), plot_(makePlot("Time against predicted impact", this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(plot_);
  plot_->xAxis->setLabel("predicted impact, % of the tolerances");
  useLogarithm(plot_->xAxis);
  showLegendAbove(plot_);
}

double ParetoPlot::xOf(const CurveDot& dot) const { return kPercent * std::max(dot.share, least_share_); }

void ParetoPlot::draw(const RecipeCurve& curve) {
  plot_->clearPlottables();
  plot_->clearItems();
  marked_ = nullptr;
  const auto least = finite(curve.curve), uniform = finite(curve.uniform);
  double lowest = 1.0;
  for (const auto* dots : {&least, &uniform}) {
    for (const CurveDot& dot : *dots) lowest = dot.share > 0.0 ? std::min(lowest, dot.share) : lowest;
  }
  least_share_ = lowest / kBesideLeast;
  plot_->yAxis->setLabel("µs per step on " + QString::fromStdString(curve.gpu));
  markTolerance();
  QVector<double> shares, times;
  for (const CurveDot& dot : least) shares << xOf(dot), times << dot.us;
  QCPGraph* line = addLine(plot_, Least, "least time");
  line->setLineStyle(QCPGraph::lsStepLeft);  // a point has the least time for all tolerances up to the next point
  line->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, 5));
  line->setData(shares, times);
  QCPGraph* dots = addDots(plot_, Uniform, "one recipe", QCPScatterStyle::ssSquare, 7);
  for (const CurveDot& dot : uniform) {
    dots->addData(xOf(dot), dot.us);
    label(dot);
  }
  marked_ = addDots(plot_, Chosen, "as marked", QCPScatterStyle::ssDiamond, 11);
  plot_->rescaleAxes();
  const QCPRange time = plot_->yAxis->range();
  plot_->yAxis->setRange(std::max(0.0, time.lower - kRoomAbove * time.size()), time.upper + kRoomAbove * time.size());
  plot_->xAxis->setRange(plot_->xAxis->range().lower / 2, std::max(kPercent, plot_->xAxis->range().upper) * kRoomRight);
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ParetoPlot::label(const CurveDot& dot) {
  auto* name = new QCPItemText(plot_);
  name->setText(' ' + QString::fromStdString(dot.name));
  name->setColor(palette().color(QPalette::Text));
  name->setFont(font());
  name->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
  name->position->setCoords(xOf(dot), dot.us);
}

/// Draws a dashed line at 100 % of the tolerances.
void ParetoPlot::markTolerance() {
  auto* line = new QCPItemStraightLine(plot_);
  line->setPen(QPen(palette().color(QPalette::Text), 1, Qt::DashLine));
  line->point1->setCoords(kPercent, 0);
  line->point2->setCoords(kPercent, 1);
}

void ParetoPlot::mark(const std::optional<CurveDot>& dot) {
  if (marked_ == nullptr) return;
  marked_->data()->clear();
  if (dot) marked_->addData(xOf(*dot), dot->us);
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace ampprof::gui
