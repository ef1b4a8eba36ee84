// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/compare/first_difference_box.h"

#include <qcustomplot.h>

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/plots/plot.h"

namespace ampprof::gui {

FirstDifferenceBox::FirstDifferenceBox(QWidget* parent) : QWidget(parent) {
  sentences_ = new QLabel(this);
  sentences_->setAccessibleName("First difference");
  sentences_->setTextFormat(Qt::PlainText);  // text from a report is untrusted
  sentences_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  sentences_->setWordWrap(true);
  choose_ = new QPushButton("Show this call site", this);
  connect(choose_, &QPushButton::clicked, this, [this] { emit chosen(call_site_); });
  plot_ = makePlot("Growth of the difference", this);
  line_ = addLine(plot_, 0, "");
  useLogarithm(plot_->yAxis);
  plot_->xAxis->setLabel("calls that differ, in program order");
  plot_->yAxis->setLabel("relative distance");

  auto* left = new QVBoxLayout;
  left->addWidget(sentences_);
  left->addWidget(choose_, 0, Qt::AlignLeft);
  left->addStretch();
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addLayout(left, 1);
  row->addWidget(plot_, 2);
}

void FirstDifferenceBox::show(const std::optional<FirstDifference>& first) {
  setVisible(first.has_value());
  if (!first) return;
  QStringList sentences;
  for (const views::Sentence& sentence : first->sentences) sentences << QString::fromStdString(sentence.text);
  sentences_->setText(sentences.join('\n'));
  call_site_ = QString::fromStdString(first->call_site);
  choose_->setVisible(!call_site_.isEmpty());
  draw(first->growth);
}

/// Skips calls with a distance of 0, which a logarithmic axis cannot show. Their values differ only in bits.
void FirstDifferenceBox::draw(const std::vector<double>& growth) {
  QVector<double> places, distances;
  for (std::size_t i = 0; i < growth.size(); ++i) {
    if (growth[i] <= 0) continue;
    places << static_cast<double>(i + 1);
    distances << growth[i];
  }
  line_->setData(places, distances, true);
  line_->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, places.size() == 1 ? 6 : 3));
  plot_->setVisible(!places.isEmpty());
  plot_->rescaleAxes();
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace ampprof::gui
