// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/diagnosis/values_strip.h"

#include <QPainter>

#include "gui/delegates/exponent_painting.h"

namespace ampprof::gui {
namespace {

constexpr int kHeat = 18;  // height of the heat map, in pixels
constexpr int kMargin = 4;

const Formats kShown(0b0011);  // bit i: kFormats[i] is shown; here FP16 and BF16

}  // namespace

ValuesStrip::ValuesStrip(const ExponentHistogram& values, QWidget* parent) : QWidget(parent), values_(values) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setMinimumWidth(240);
  setMaximumWidth(720);
  setAccessibleName("Magnitudes of the values");
  setToolTip("Number of values by magnitude, and the ranges of FP16 and BF16");
}

int ValuesStrip::axisPart() const { return axisHeight(fontMetrics(), kShown); }

QSize ValuesStrip::sizeHint() const { return {480, kHeat + axisPart()}; }

void ValuesStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const ExponentAxis axis(kMargin, width() - 2 * kMargin);
  paintAxis(painter, QRect(0, 0, width(), axisPart()), axis, kShown, palette());
  const QRect heat(0, axisPart(), width(), kHeat);
  paintHeat(painter, heat, axis, ExponentAxis::sharesOf(ExponentAxis::countsOf(values_)));
  paintLimits(painter, heat, axis, kShown);
}

}  // namespace ampprof::gui
