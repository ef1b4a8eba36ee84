// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/diagnosis/loss_strip.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gui/pages/shared/text.h"
#include "gui/plots/plot.h"
#include "reports/text/numbers.h"

namespace ampprof::gui {
namespace {

constexpr int kStripHeight = 56;  // height of the widget, in pixels
constexpr int kPadding = 4;
constexpr int kNotFiniteTick = 6;    // height of the mark of a step whose loss is not finite, in pixels
constexpr int kLossColour = 0;       // category of the loss, for categoryColour()
constexpr int kNotFiniteColour = 1;  // category of the marks, for categoryColour()

}  // namespace

LossStrip::LossStrip(std::vector<queries::StepValue> losses, QWidget* parent)
    : QWidget(parent), losses_(std::move(losses)) {
  least_ = std::numeric_limits<double>::infinity();
  largest_ = -least_;
  for (const queries::StepValue& loss : losses_) {
    if (!std::isfinite(loss.value)) continue;
    least_ = std::min(least_, loss.value);
    largest_ = std::max(largest_, loss.value);
  }
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setMinimumWidth(240);
  setMaximumWidth(720);
  setAccessibleName("Loss over the steps");
  setToolTip("The loss over the steps; marks below the curve show steps whose loss is NaN or inf");
}

QSize LossStrip::sizeHint() const { return {480, kStripHeight}; }

void LossStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const bool has_finite = largest_ >= least_;
  const QString top = has_finite ? text("loss " + text::number(largest_)) : QStringLiteral("loss");
  const QString bottom = has_finite ? text(text::number(least_)) : QStringLiteral("NaN or inf");
  const int left =
      kPadding + std::max(fontMetrics().horizontalAdvance(top), fontMetrics().horizontalAdvance(bottom)) + 8;
  painter.setPen(palette().color(QPalette::PlaceholderText));
  painter.drawText(QRect(kPadding, 0, left, height() / 2), Qt::AlignLeft | Qt::AlignTop, top);
  painter.drawText(QRect(kPadding, height() / 2, left, height() / 2), Qt::AlignLeft | Qt::AlignBottom, bottom);

  const QRectF area(left, kPadding, width() - left - kPadding, height() - 2 * kPadding - kNotFiniteTick);
  const double steps = std::max(1.0, static_cast<double>(losses_.back().step - losses_.front().step));
  const double range = has_finite && largest_ > least_ ? largest_ - least_ : 1.0;
  const auto x = [&](const queries::StepValue& loss) {
    return area.left() + area.width() * static_cast<double>(loss.step - losses_.front().step) / steps;
  };
  QPolygonF line;
  const auto draw = [&] {
    painter.setPen(QPen(categoryColour(kLossColour, palette()), 1.5));
    painter.drawPolyline(std::exchange(line, {}));
  };
  for (const queries::StepValue& loss : losses_) {
    if (std::isfinite(loss.value)) {
      line << QPointF(x(loss), area.bottom() - area.height() * (loss.value - least_) / range);
      continue;
    }
    draw();
    painter.setPen(QPen(categoryColour(kNotFiniteColour, palette()), 2));
    painter.drawLine(QPointF(x(loss), area.bottom() + 1), QPointF(x(loss), area.bottom() + kNotFiniteTick));
  }
  draw();
}

}  // namespace ampprof::gui
