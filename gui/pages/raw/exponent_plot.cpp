// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/raw/exponent_plot.h"

#include <QHelpEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

namespace ampprof::gui {
namespace {

constexpr int kNameGap = 8;
constexpr int kShortestRow = 24;
constexpr double kShortestBar = 0.04;
const Formats kAll = Formats().set();

}  // namespace

ExponentPlot::ExponentPlot(QWidget* parent) : QWidget(parent) {
  setAccessibleName("Exponents against the limits of formats");
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void ExponentPlot::showRows(std::vector<NamedExponents> rows) {
  rows_ = std::move(rows);
  QStringList names;
  for (const NamedExponents& row : rows_) names << row.name;
  setAccessibleDescription(names.join(", "));
  update();
}

// Returns the height of two rows even for one row, so that widgets above do not move.
QSize ExponentPlot::minimumSizeHint() const {
  return {nameWidth() + 3 * ExponentAxis::kCells, axisHeight(fontMetrics(), kAll) + 2 * kShortestRow};
}

QSize ExponentPlot::sizeHint() const { return {nameWidth() + 6 * ExponentAxis::kCells, minimumSizeHint().height()}; }

int ExponentPlot::nameWidth() const {
  int widest = 0;
  for (const NamedExponents& row : rows_) widest = std::max(widest, fontMetrics().horizontalAdvance(row.name));
  return widest + kNameGap;
}

ExponentAxis ExponentPlot::axis() const {
  return {static_cast<double>(nameWidth()), static_cast<double>(width() - nameWidth())};
}

QRect ExponentPlot::row(std::size_t place) const {
  const int top = axisHeight(fontMetrics(), kAll);
  const int count = std::max(1, static_cast<int>(rows_.size()));
  const int height = (this->height() - top) / count;
  return {nameWidth(), top + static_cast<int>(place) * height, width() - nameWidth(), height - 2};
}

void ExponentPlot::paintEvent(QPaintEvent*) {
  if (rows_.empty()) return;
  QPainter painter(this);
  const int top = axisHeight(fontMetrics(), kAll);
  paintAxis(painter, {nameWidth(), 0, width() - nameWidth(), top}, axis(), kAll, palette());
  for (std::size_t place = 0; place < rows_.size(); ++place) {
    const QRect area = row(place);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRect(0, area.top(), nameWidth() - kNameGap, area.height()), Qt::AlignRight | Qt::AlignVCenter,
                     rows_[place].name);
    painter.fillRect(area, palette().base());
    paintBars(painter, area, rows_[place].histogram);
    paintLimits(painter, area, axis(), kAll);
  }
}

void ExponentPlot::paintBars(QPainter& painter, const QRect& rect, const ExponentHistogram& histogram) const {
  const ExponentAxis::Shares shares = ExponentAxis::sharesOf(ExponentAxis::countsOf(histogram));
  const ExponentAxis on = axis();
  for (int place = 0; place < ExponentAxis::kCells; ++place) {
    const double heat = heatOfShare(shares[static_cast<std::size_t>(place)]);
    if (std::isnan(heat)) continue;
    const auto [left, right] = on.cell(place);
    const double height = rect.height() * std::max(kShortestBar, heat);
    painter.fillRect(QRectF(left + 0.5, rect.bottom() + 1 - height, right - left - 1, height), palette().highlight());
  }
}

QString ExponentPlot::toolTipAt(const QPoint& place) const {
  const auto cell = axis().cellAt(place.x());
  for (std::size_t i = 0; cell && i < rows_.size(); ++i) {
    if (!row(i).contains(place)) continue;
    const ExponentAxis::Counts counts = ExponentAxis::countsOf(rows_[i].histogram);
    return rows_[i].name + '\n' + ExponentAxis::textOf(*cell, counts);
  }
  return {};
}

bool ExponentPlot::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), this);
  return true;
}

}  // namespace ampprof::gui
