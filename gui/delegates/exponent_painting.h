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

/// Formats, by their place in kFormats, whose windows are drawn.
using Formats = std::bitset<kFormats.size()>;

QColor colourOf(std::size_t format);

/// Returns the colour that a heat map is painted on: darker than the colour of the smallest share.
QColor emptyHeatColour();

/// Powers of two, and below them a bracket for each window: solid where numbers are normal, dotted where subnormal.
void paintAxis(QPainter& painter, const QRect& rect, const ExponentAxis& axis, Formats formats,
               const QPalette& palette);
/// Returns the height that paintAxis() needs.
int axisHeight(const QFontMetrics& metrics, Formats formats);

/// The ends of windows as vertical lines: solid those of normal numbers, dotted where subnormal ones begin.
void paintLimits(QPainter& painter, const QRect& rect, const ExponentAxis& axis, Formats formats);

/// The colours of a heat map from the smallest share to the largest.
QPixmap heatScale(const QSize& size);

/// A row of a heat map: a cell for each power of two, as bright as its share of all values.
void paintHeat(QPainter& painter, const QRect& rect, const ExponentAxis& axis, const ExponentAxis::Shares& shares);

}  // namespace ampprof::gui
