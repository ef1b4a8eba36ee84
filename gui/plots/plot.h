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

/// The category of what matters less than all others: its colour is grey.
inline constexpr int kFaintCategory = 7;

/// Colour of a category: those of Okabe and Ito that stand out from the palette's base, in a fixed order.
QColor categoryColour(int category, const QPalette& palette);

/// A plot in the window's colours and font, which follow when they change. Wheel and drag move along x; a double click
/// shows everything. Its parent owns it.
QCustomPlot* makePlot(const QString& accessible_name, QWidget* parent);

/// Fills bars in a category's colour.
void fillInCategory(QCPAbstractPlottable* drawn, int category);

/// A line in a category's colour, which the legend names. A NaN interrupts it.
QCPGraph* addLine(QCustomPlot* plot, int category, const QString& name);

/// A band in a category's colour between two lines of the same x, which the legend names. A NaN interrupts it.
void addBand(QCustomPlot* plot, int category, const QString& name, const QVector<double>& x,
             const QVector<double>& lower, const QVector<double>& upper);

/// Shows what lines are called in a row above a plot, where it hides none of them.
void showLegendAbove(QCustomPlot* plot);

/// Makes an axis logarithmic, with ticks at powers of ten.
void useLogarithm(QCPAxis* axis);
/// Puts the ticks at powers of two, as loss scales are read: "65536", "2^-20".
void usePowersOfTwo(QCPAxis* axis);

}  // namespace ampprof::gui
