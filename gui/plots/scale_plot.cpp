// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/plots/scale_plot.h"

#include <qcustomplot.h>

#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "gui/plots/plot.h"

namespace ampprof::gui {
namespace {

enum Category { Scale = 0, Event = 1, Advised = 2 };

constexpr double kLowestScale = 1.0;
constexpr double kHighestScale = 16'777'216.0;  // 2^24, Apex's default limit for a scaler

constexpr double kLower = 0.98, kUpper = 0.9;  // heights of the texts, different in case the lines are close

void fill(QWidget* widget, QCustomPlot* plot) {
  auto* layout = new QVBoxLayout(widget);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(plot);
}

void clear(QCustomPlot* plot) {
  plot->clearPlottables();
  plot->clearItems();
}

/// Adds a line with the loss scale of one loss in each step.
QCPGraph* addScale(QCustomPlot* plot, const std::vector<const queries::ScaleRow*>& rows, int category,
                   const QString& name) {
  QVector<double> steps, scales;
  for (const queries::ScaleRow* row : rows) {
    steps << static_cast<double>(row->step);
    scales << row->update.scale_before;
  }
  steps << static_cast<double>(rows.back()->step) + 1;
  scales << rows.back()->update.scale_after;
  QCPGraph* line = addLine(plot, category, name);
  line->setLineStyle(QCPGraph::lsStepLeft);
  line->setData(steps, scales);
  return line;
}

void addSkipped(QCustomPlot* plot, const std::vector<queries::ScaleRow>& scales) {
  QVector<double> steps;
  for (const queries::ScaleRow& row : scales) {
    if (row.update.skipped) steps << static_cast<double>(row.step);
  }
  if (steps.isEmpty()) return;
  auto* shaded = new QCPBars(plot->xAxis, plot->yAxis2);
  shaded->setData(steps, QVector<double>(steps.size(), 1.0), true);
  shaded->setWidth(1.0);
  QColor shade = categoryColour(Event, plot->palette());
  shade.setAlphaF(0.15F);
  shaded->setPen(Qt::NoPen);
  shaded->setBrush(shade);
  shaded->setName("step skipped");
}

void addEvents(QCustomPlot* plot, const std::vector<queries::EventRow>& events) {
  QVector<double> steps, scales;
  for (const queries::EventRow& event : events) {
    if (!event.by_scaler) continue;
    steps << static_cast<double>(event.step);
    scales << event.scale_before;
  }
  if (steps.empty()) return;
  QCPGraph* marks = addLine(plot, Event, "overflow");
  marks->setLineStyle(QCPGraph::lsNone);
  marks->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssTriangleInverted, 8));
  marks->setData(steps, scales);
}

/// Returns a share in percent for a logarithmic axis; NaN, which is not drawn, for 0.
double drawn(double share) { return share > 0 ? 100 * share : std::numeric_limits<double>::quiet_NaN(); }

/// Returns the legend entry of a curve. Says so if no point of it is drawn.
QString named(const QString& name, const QVector<double>& shares) {
  const bool is_drawn = std::ranges::any_of(shares, [](double share) { return !std::isnan(share); });
  return is_drawn ? name : name + ": none";
}

}  // namespace

ScalePlot::ScalePlot(QWidget* parent) : QWidget(parent), plot_(makePlot("Loss scale of each step", this)) {
  fill(this, plot_);
  plot_->xAxis->setLabel("step");
  plot_->yAxis->setLabel("loss scale");
  usePowersOfTwo(plot_->yAxis);
  showLegendAbove(plot_);
  connect(plot_, &QCustomPlot::mouseRelease, this, [this](const QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) emit stepChosen(plot_->xAxis->pixelToCoord(event->pos().x()));
  });
}

void ScalePlot::draw(const Overflow& overflow) {
  clear(plot_);
  addSkipped(plot_, overflow.scales);
  std::map<std::int32_t, std::vector<const queries::ScaleRow*>> by_loss;
  for (const queries::ScaleRow& row : overflow.scales) by_loss[row.update.loss_id].push_back(&row);
  for (const auto& [loss_id, rows] : by_loss) {
    const QString name = by_loss.size() == 1 ? "loss scale" : QString("loss scale of loss %1").arg(loss_id);
    addScale(plot_, rows, loss_id == 0 ? Scale : loss_id + 2, name);
  }
  addEvents(plot_, overflow.events);
  marked_ = new QCPItemStraightLine(plot_);
  marked_->setPen(QPen(palette().color(QPalette::Text), 1, Qt::DashLine));
  marked_->setVisible(false);
  plot_->rescaleAxes();
  plot_->yAxis2->setRange(0, 1);
  plot_->yAxis->setRange(plot_->yAxis->range().lower / 2, plot_->yAxis->range().upper * 2);
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void ScalePlot::markStep(std::optional<std::int64_t> step) {
  if (marked_ == nullptr) return;
  marked_->setVisible(step.has_value());
  if (step) {
    marked_->point1->setCoords(static_cast<double>(*step), 1);
    marked_->point2->setCoords(static_cast<double>(*step), 2);
  }
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

SharesPlot::SharesPlot(QWidget* parent) : QWidget(parent), plot_(makePlot("Gradients lost at each loss scale", this)) {
  fill(this, plot_);
  plot_->xAxis->setLabel("loss scale");
  plot_->yAxis->setLabel("% of gradient values");
  usePowersOfTwo(plot_->xAxis);
  useLogarithm(plot_->yAxis);
  plot_->setInteractions({});
  showLegendAbove(plot_);
}

void SharesPlot::draw(const advice::LossScaleAdvice& advice, std::optional<double> in_force) {
  clear(plot_);
  QVector<double> scales, below, above;
  for (const advice::AtScale& at : advice.scales) {
    scales << at.scale;
    below << drawn(at.shares.rounds_to_zero);
    above << drawn(at.shares.rounds_to_inf);
  }
  addLine(plot_, Scale, named(advice.is_bound ? "flushed to zero, at least" : "flushed to zero", below))
      ->setData(scales, below);
  addLine(plot_, Event, named("beyond 65504", above))->setData(scales, above);
  if (advice.init_scale) mark(*advice.init_scale, Advised, "safe", kUpper);
  if (in_force) mark(*in_force, Event, "in force", kLower);
  plot_->xAxis->setRange(std::min(kLowestScale, in_force.value_or(kLowestScale)), kHighestScale);
  plot_->yAxis->setRange(1e-4, 100);
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void SharesPlot::mark(double scale, int category, const QString& text, double height) {
  const QColor colour = categoryColour(category, palette());
  auto* line = new QCPItemStraightLine(plot_);
  line->setPen(QPen(colour, 1, Qt::DashLine));
  line->point1->setCoords(scale, 1e-4);
  line->point2->setCoords(scale, 100);
  auto* label = new QCPItemText(plot_);
  label->setText(text);
  label->setColor(colour);
  label->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
  label->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
  label->position->setCoords(scale, height);
}

}  // namespace ampprof::gui
