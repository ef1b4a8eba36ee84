// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>
#include <QVector>

class QCPAbstractPlottable;
class QCPAxis;
class QCPGraph;
class QCustomPlot;
class QWidget;

namespace ampprof::gui {

/// Category (an index into kCategories) for the least important lines. The colour of this category is grey.
inline constexpr int kFaintCategory = 7;

/// Returns the colour of a category for a light or dark palette, from kCategories. Colours repeat after the last one.
QColor categoryColour(int category, const QPalette& palette);

/// Creates a plot with the colours and font of the window. The wheel zooms and dragging moves along x; a double click
/// shows everything. Owned by `parent`.
QCustomPlot* makePlot(const QString& accessible_name, QWidget* parent);

/// Fills a plottable (such as bars) with a category's colour.
void fillInCategory(QCPAbstractPlottable* drawn, int category);

/// Adds a line in a category's colour, with a legend entry. A NaN interrupts the line.
QCPGraph* addLine(QCustomPlot* plot, int category, const QString& name);

/// Adds a band in a category's colour between two lines, with a legend entry. Both lines have the same `x`. A NaN
/// interrupts the band.
void addBand(QCustomPlot* plot, int category, const QString& name, const QVector<double>& x,
             const QVector<double>& lower, const QVector<double>& upper);

/// Shows the legend in a row above the plot, where it does not hide lines.
void showLegendAbove(QCustomPlot* plot);

/// Makes an axis logarithmic, with ticks at powers of ten.
void useLogarithm(QCPAxis* axis);
/// Places ticks at powers of two, for loss scales: "65536", "2^-20".
void usePowersOfTwo(QCPAxis* axis);

}  // namespace ampprof::gui
