// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFontMetrics>
#include <QPainter>
#include <QPalette>
#include <QPixmap>
#include <bitset>

#include "gui/data/exponent_axis.h"

namespace ampprof::gui {

/// Set of the formats whose ranges are drawn. Bit i means kFormats[i].
using Formats = std::bitset<kFormats.size()>;

QColor colourOf(std::size_t format);

/// Returns the background colour of a heat map. It is darker than the colour of the smallest share.
QColor emptyHeatColour();

/// Paints powers of two, and below them a bracket for the range of each format: solid for normal, dotted for subnormal
/// numbers.
void paintAxis(QPainter& painter, const QRect& rect, const ExponentAxis& axis, Formats formats,
               const QPalette& palette);
/// Returns the height that paintAxis() needs.
int axisHeight(const QFontMetrics& metrics, Formats formats);

/// Paints the limits of formats as vertical lines: solid for normal numbers, dashed at the smallest subnormal.
void paintLimits(QPainter& painter, const QRect& rect, const ExponentAxis& axis, Formats formats);

/// Returns the colour scale of a heat map from the smallest to the largest share.
QPixmap heatScale(const QSize& size);

/// Paints a row of a heat map: a cell for each power of two, as bright as its share of all values.
void paintHeat(QPainter& painter, const QRect& rect, const ExponentAxis& axis, const ExponentAxis::Shares& shares);

}  // namespace ampprof::gui
