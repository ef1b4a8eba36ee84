// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/diagnosis/step_plot.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/delegates/tone_delegate.h"
#include "gui/look/look.h"
#include "reports/queries/site_steps.h"
#include "reports/text/numbers.h"

namespace ampprof::gui {
namespace {

constexpr Shade kShadowCurve{"#9c4a78", "#cc79a7"};

constexpr int kPlotGap = 4;
constexpr int kMark = 4;
constexpr int kMostDecades = 5;  // maximum number of decades that are all labelled

// Okabe and Ito's colours, dark for light palettes and light for dark ones.
QColor colour_of_local(const QPalette& palette) { return colourOn(palette, kCategories[0]); }
QColor colour_of_inherited(const QPalette& palette) { return colourOn(palette, kShadowCurve); }
QColor colour_of_overflow(const QPalette& palette) { return *colour_of(text::Tone::Bad, palette); }

QString text_of(const queries::SiteStepRow& row) {
  QStringList lines{QString("step %1").arg(row.step)};
  const auto say = [&](const char* what, const std::optional<ErrorStats>& error) {
    if (error) lines << QString("%1 %2").arg(what, QString::fromStdString(text::scientific(error->relative_l2())));
  };
  say("local error", row.local);
  say("accumulated error", row.inherited);
  if (row.scale) lines << "loss scale " + QString::fromStdString(text::plain(*row.scale));
  if (row.nonfinite_calls > 0) lines << "NaN or inf in its output";
  return lines.join('\n');
}

QString description_of(const std::vector<queries::SiteStepRow>& rows) {
  const auto error_of = [](const queries::SiteStepRow& row) { return row.local ? row.local->relative_l2() : -1.0; };
  const auto worst = std::ranges::max_element(rows, {}, error_of);
  if (worst == rows.end()) return {};
  return QString("%1 steps; largest local error: ").arg(rows.size()) + text_of(*worst).replace('\n', ", ");
}

}  // namespace

StepPlot::StepPlot(QWidget* parent) : QWidget(parent) {
  setAccessibleName("Error over steps");
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void StepPlot::showRows(std::vector<queries::SiteStepRow> rows) {
  rows_ = std::move(rows);
  sentence_ = StepCurve(rows_, area()).isEmpty() ? "No error was measured: the op computes in FP32." : QString();
  setAccessibleDescription(sentence_.isEmpty() ? description_of(rows_) : sentence_);
  update();
}

void StepPlot::say(const QString& sentence) {
  rows_.clear();
  sentence_ = sentence;
  setAccessibleDescription(sentence);
  update();
}

QSize StepPlot::minimumSizeHint() const { return {200, 6 * fontMetrics().height()}; }

QRectF StepPlot::area() const {
  const int line = fontMetrics().height();
  const int left = fontMetrics().horizontalAdvance("1e-00") + 2 * kPlotGap;
  return QRectF(rect()).adjusted(left, line + kPlotGap + kMark, -kPlotGap, -line - kPlotGap);
}

void StepPlot::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(palette().color(QPalette::WindowText));
  if (!sentence_.isEmpty()) {
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, sentence_);
    return;
  }
  if (rows_.empty()) return;
  const StepCurve curve(rows_, area());
  painter.fillRect(area().adjusted(0, -kMark, 0, 0), palette().base());
  paintAxes(painter, curve);
  painter.setRenderHint(QPainter::Antialiasing);
  paintCurve(painter, curve);
  paintLegend(painter, curve);
}

void StepPlot::paintAxes(QPainter& painter, const StepCurve& curve) const {
  const int line = fontMetrics().height();
  const int every = 1 + (curve.highestDecade() - curve.lowestDecade()) / kMostDecades;
  for (int decade = curve.lowestDecade(); decade <= curve.highestDecade(); decade += every) {
    const double y = curve.y(std::pow(10.0, decade));
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(QPointF(area().left(), y), QPointF(area().right(), y));
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QRectF(0, y - line / 2.0, area().left() - kPlotGap, line), Qt::AlignRight | Qt::AlignVCenter,
                     QString("1e%1").arg(decade));
  }
  const QRectF below(area().left(), area().bottom() + kPlotGap, area().width(), line);
  painter.drawText(below, Qt::AlignLeft, QString("step %1").arg(rows_.front().step));
  if (rows_.size() > 1) painter.drawText(below, Qt::AlignRight, QString("step %1").arg(rows_.back().step));
}

void StepPlot::paintCurve(QPainter& painter, const StepCurve& curve) const {
  const auto paint = [&](const std::vector<StepCurve::Line>& lines, const QPen& pen) {
    for (const StepCurve::Line& line : lines) {
      painter.setPen(pen);
      painter.setBrush(pen.color());
      painter.drawPolyline(line.data(), static_cast<int>(line.size()));
      if (line.size() == 1) painter.drawEllipse(line.front(), 2, 2);
    }
  };
  paint(curve.inherited(), QPen(colour_of_inherited(palette()), 1.5, Qt::DashLine));
  paint(curve.local(), QPen(colour_of_local(palette()), 1.5));
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour_of_overflow(palette()));
  const double top = area().top() - kMark;
  for (const double x : curve.overflows()) {
    painter.drawPolygon(QPolygonF({{x - kMark, top - kMark}, {x + kMark, top - kMark}, {x, top + kMark}}));
  }
}

void StepPlot::paintLegend(QPainter& painter, const StepCurve& curve) const {
  double x = area().left();
  const auto word = [&](bool is_there, const QString& text, const QColor& colour) {
    if (!is_there) return;
    painter.setPen(colour);
    painter.drawText(QPointF(x, fontMetrics().ascent()), text);
    x += fontMetrics().horizontalAdvance(text) + 4 * kPlotGap;
  };
  word(!curve.local().empty(), "── local error", colour_of_local(palette()));
  word(!curve.inherited().empty(), "- - accumulated error", colour_of_inherited(palette()));
  word(!curve.overflows().empty(), "▼ NaN or inf", colour_of_overflow(palette()));
}

bool StepPlot::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || rows_.empty() || !sentence_.isEmpty()) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QToolTip::showText(help->globalPos(), text_of(StepCurve::nearest(rows_, area(), help->pos().x())), this);
  return true;
}

}  // namespace ampprof::gui
