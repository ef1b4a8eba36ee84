// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/plots/plot.h"

#include <qcustomplot.h>

#include <QEvent>
#include <cmath>

#include "gui/look/look.h"

namespace ampprof::gui {
namespace {

constexpr const char* kCategory = "category";
constexpr const char* kIsBand = "band";
constexpr const char* kIsFilled = "filled";
constexpr float kBandOpacity = 0.25F;
constexpr int kMinimumHeight = 120;  // minimum height of a plot, in pixels
constexpr int kMargin = 16;

void paint(QCPAxis* axis, const QColor& text, const QColor& grid) {
  for (const auto set : {&QCPAxis::setBasePen, &QCPAxis::setTickPen, &QCPAxis::setSubTickPen}) (axis->*set)(text);
  axis->setTickLabelColor(text);
  axis->setLabelColor(text);
  axis->grid()->setPen(QPen(grid, 0));
  axis->grid()->setZeroLinePen(QPen(grid, 0));
}

class PowersOfTwo : public QCPAxisTickerLog {
 public:
  PowersOfTwo() { setLogBase(2); }

 protected:
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    const int exponent = static_cast<int>(std::lround(std::log2(tick)));
    return exponent >= 0 && exponent <= 24 ? QString::number(1 << exponent) : QString("2^%1").arg(exponent);
  }
};

QColor bandColour(int category, const QPalette& palette) {
  QColor colour = categoryColour(category, palette);
  colour.setAlphaF(kBandOpacity);
  return colour;
}

void paint(QCPAbstractPlottable* drawn, const QPalette& palette) {
  const QVariant category = drawn->property(kCategory);
  if (!category.isValid()) return;
  if (drawn->property(kIsBand).toBool()) {
    drawn->setBrush(bandColour(category.toInt(), palette));
  } else if (drawn->property(kIsFilled).toBool()) {
    drawn->setBrush(categoryColour(category.toInt(), palette));
  } else {
    QPen pen = drawn->pen();  // the pen's width and dashes stay
    pen.setColor(categoryColour(category.toInt(), palette));
    drawn->setPen(pen);
  }
}

/// Updates the colours and fonts of a plot when its palette or font changes.
class PlotStyle : public QObject {
 public:
  explicit PlotStyle(QCustomPlot* plot) : QObject(plot), plot_(plot) {
    apply();
    plot->installEventFilter(this);
  }

  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) apply();
    return QObject::eventFilter(watched, event);
  }

 private:
  void apply() {
    const QPalette palette = plot_->palette();
    const QColor text = palette.color(QPalette::Text);
    QColor grid = text;
    grid.setAlphaF(0.15F);
    plot_->setBackground(palette.brush(QPalette::Base));
    for (QCPAxis* axis : plot_->axisRect()->axes()) {
      paint(axis, text, grid);
      axis->setTickLabelFont(plot_->font());
      axis->setLabelFont(plot_->font());
    }
    plot_->legend->setBrush(palette.brush(QPalette::Base));
    plot_->legend->setBorderPen(Qt::NoPen);
    plot_->legend->setTextColor(text);
    plot_->legend->setFont(plot_->font());
    for (int i = 0; i < plot_->plottableCount(); ++i) paint(plot_->plottable(i), palette);
    plot_->replot(QCustomPlot::rpQueuedReplot);
  }

  QCustomPlot* plot_;
};

}  // namespace

QColor categoryColour(int category, const QPalette& palette) {
  return colourOn(palette, kCategories[static_cast<std::size_t>(category) % kCategories.size()]);
}

QCustomPlot* makePlot(const QString& accessible_name, QWidget* parent) {
  auto* plot = new QCustomPlot(parent);
  plot->setAccessibleName(accessible_name);
  plot->setMinimumHeight(kMinimumHeight);
  plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
  plot->axisRect()->setRangeDrag(Qt::Horizontal);
  plot->axisRect()->setRangeZoom(Qt::Horizontal);
  new PlotStyle(plot);
  QObject::connect(plot, &QCustomPlot::mouseDoubleClick, plot, [plot] {
    plot->rescaleAxes();
    plot->replot();
  });
  return plot;
}

void fillInCategory(QCPAbstractPlottable* drawn, int category) {
  drawn->setProperty(kCategory, category);
  drawn->setProperty(kIsFilled, true);
  drawn->setPen(Qt::NoPen);
  drawn->setBrush(categoryColour(category, drawn->parentPlot()->palette()));
}

QCPGraph* addLine(QCustomPlot* plot, int category, const QString& name) {
  QCPGraph* line = plot->addGraph();
  line->setProperty(kCategory, category);
  line->setPen(QPen(categoryColour(category, plot->palette()), 1.5));
  line->setName(name);
  return line;
}

void addBand(QCustomPlot* plot, int category, const QString& name, const QVector<double>& x,
             const QVector<double>& lower, const QVector<double>& upper) {
  QCPGraph* edge = plot->addGraph();
  edge->setPen(Qt::NoPen);
  edge->setData(x, lower, true);
  edge->removeFromLegend();
  QCPGraph* band = plot->addGraph();
  band->setProperty(kCategory, category);
  band->setProperty(kIsBand, true);
  band->setPen(Qt::NoPen);
  band->setBrush(bandColour(category, plot->palette()));
  band->setName(name);
  band->setData(x, upper, true);
  band->setChannelFillGraph(edge);
}

void showLegendAbove(QCustomPlot* plot) {
  auto* row = new QCPLayoutGrid;
  plot->plotLayout()->insertRow(0);
  plot->plotLayout()->addElement(0, 0, row);
  plot->plotLayout()->setRowStretchFactor(0, 0.001);  // the row has only its minimum height
  row->addElement(0, 0, new QCPLayoutElement(plot));
  row->addElement(0, 1, plot->legend);
  row->setColumnStretchFactor(1, 0.001);
  plot->plotLayout()->setRowSpacing(0);
  // At the top, half a tick label needs space.
  plot->axisRect()->setMinimumMargins({kMargin, kMargin / 2, kMargin, kMargin});
  plot->legend->setColumnSpacing(kMargin);
  plot->legend->setFillOrder(QCPLegend::foColumnsFirst);
  plot->legend->setVisible(true);
}

void useLogarithm(QCPAxis* axis) {
  axis->setScaleType(QCPAxis::stLogarithmic);
  axis->setTicker(QSharedPointer<QCPAxisTickerLog>(new QCPAxisTickerLog));
  axis->setNumberFormat("gb");
}

void usePowersOfTwo(QCPAxis* axis) {
  axis->setScaleType(QCPAxis::stLogarithmic);
  axis->setTicker(QSharedPointer<PowersOfTwo>(new PowersOfTwo));
}

}  // namespace ampprof::gui
