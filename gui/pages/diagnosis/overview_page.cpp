// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/diagnosis/overview_page.h"

#include <qcustomplot.h>

#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/data/background.h"
#include "gui/data/loss_curves.h"
#include "gui/data/overview.h"
#include "gui/delegates/bar_delegate.h"
#include "gui/pages/raw/view_table.h"
#include "gui/pages/shared/page_titles.h"
#include "gui/pages/shared/sentence_label.h"
#include "gui/plots/plot.h"
#include "reports/queries/losses.h"
#include "reports/text/shell_text.h"
#include "views/diagnosis/missing.h"
#include "views/runs/views.h"
#include "views/table/format.h"

namespace ampprof::gui {
namespace {

constexpr int kNumberPadding = 14;         // pixels, so that numbers keep apart
constexpr std::size_t kMostWidenedBy = 7;  // curves above one, each of which makes it wider

struct Points {
  QVector<double> steps;
  QVector<double> losses;
};

Points pointsOf(const std::vector<queries::StepValue>& curve) {
  Points points;
  for (const queries::StepValue& loss : curve) {
    points.steps << static_cast<double>(loss.step);
    points.losses << loss.value;
  }
  return points;
}

void drawBand(const LossBand& band, int category, QCustomPlot* plot) {
  if (band.median.empty()) return;
  const Points median = pointsOf(band.median);
  addBand(plot, category, "least to largest", median.steps, pointsOf(band.least).losses, pointsOf(band.largest).losses);
  addLine(plot, category, QString::fromStdString(band.name))->setData(median.steps, median.losses, true);
}

}  // namespace

OverviewPage::OverviewPage(std::shared_ptr<const ReportFile> file, QWidget* parent)
    : Page(parent), file_(std::move(file)) {
  auto* layout = new QVBoxLayout(this);
  auto* answer = new QWidget(this);
  answer->setMaximumWidth(fontMetrics().averageCharWidth() * 160);  // a line that an eye can follow
  sentences_ = new QGridLayout(answer);
  sentences_->setContentsMargins(0, 0, 0, 0);
  sentences_->setVerticalSpacing(0);
  sentences_->setColumnStretch(0, 1);
  sentences_->addWidget(new QLabel("Reading …", this), 0, 0);
  layout->addWidget(answer);

  table_ = makeViewTable(&runs_, "Runs side by side", this);
  table_->setItemDelegate(new BarDelegate(table_));
  table_->setFrameShape(QFrame::NoFrame);
  table_->horizontalHeader()->setStretchLastSection(false);
  table_->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
  curves_ = makePlot("Loss of each step", this);
  curves_->xAxis->setLabel("step");
  curves_->yAxis->setLabel("loss");
  showLegendAbove(curves_);
  curves_->hide();  // until there is a loss
  auto* evidence = new QHBoxLayout;
  evidence->addWidget(table_, 0, Qt::AlignTop | Qt::AlignLeft);
  evidence->addWidget(curves_, 1);
  layout->addLayout(evidence, 1);
  layout->addStretch();  // takes the room of evidence that is hidden
}

void OverviewPage::open() {
  if (std::exchange(is_open_, true)) return;
  inBackground(
      this, [file = file_] { return file->overview(); }, [this](Overview&& overview) { show(std::move(overview)); },
      [this](const QString& sentence) { emit failed(sentence); });
}

void OverviewPage::show(Overview overview) {
  while (QLayoutItem* item = sentences_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  for (const views::Sentence& sentence : overview.answer) say(sentence);
  QStringList labels;
  for (const std::string& run : overview.runs) labels << QString::fromStdString(run);
  runs_.show(std::move(overview.figures), labels);
  table_->setVisible(!labels.isEmpty());
  table_->resizeColumnsToContents();
  for (int run = 0; run < runs_.columnCount(); ++run)
    table_->setColumnWidth(run, table_->columnWidth(run) + kNumberPadding);
  // Its size hint would have room for scroll bars that are not there.
  table_->setMaximumSize(table_->verticalHeader()->sizeHint().width() + table_->horizontalHeader()->length(),
                         table_->horizontalHeader()->sizeHint().height() + table_->verticalHeader()->length());
  inBackground(
      this, [file = file_, representatives = overview.representatives] { return file->losses(representatives.get()); },
      [this](LossCurves&& losses) { showLosses(losses); }, [this](const QString& sentence) { emit failed(sentence); });
  const std::string note = views::note_of_missing(overview.missing, file_->path().string());
  emit shown(QString::fromStdString(note));
}

void OverviewPage::showLosses(const LossCurves& losses) {
  int category = 0;
  for (const LossBand& band : losses.bands) drawBand(band, category++, curves_);
  const std::vector<LossCurve>& curves = losses.curves;
  for (std::size_t run = 0; run < curves.size(); ++run, ++category) {
    if (curves[run].losses.empty()) continue;
    const auto [steps, values] = pointsOf(curves[run].losses);
    QCPGraph* line = addLine(curves_, category, QString::fromStdString(curves[run].name));
    line->setData(steps, values, true);
    // Levels often have the same losses: those below are to be seen beside those above.
    const std::size_t above = std::min(curves.size() - 1 - run, kMostWidenedBy);
    line->setPen(QPen(line->pen().color(), 1.5 + 1.5 * static_cast<double>(above)));
  }
  curves_->setVisible(curves_->graphCount() > 0);
  curves_->rescaleAxes();
  curves_->replot(QCustomPlot::rpQueuedReplot);
}

void OverviewPage::say(const views::Sentence& sentence) {
  const int row = sentences_->rowCount();
  sentences_->setRowMinimumHeight(row, fontMetrics().height() + 8);
  sentences_->addWidget(makeSentence(sentence, this), row, 0);
  if (sentence.view.empty() || sentence.view == "runs") return;  // the runs are just below
  const QString view = QString::fromUtf8(sentence.view.data(), static_cast<int>(sentence.view.size()));
  auto* link = new QPushButton("→ " + pageTitle(view), this);
  link->setFlat(true);
  link->setStyleSheet("text-align: left");  // below each other
  link->setAccessibleName("Evidence in " + pageTitle(view));
  connect(link, &QPushButton::clicked, this, [this, view] { emit viewWanted(view); });
  sentences_->addWidget(link, row, 1, Qt::AlignLeft);
}

std::optional<std::string> OverviewPage::csv() const {
  return formatted(views::runs_view(file_->runs()), views::Format::Csv, {});
}

QString OverviewPage::command() const {
  return QString::fromStdString(text::shell_text({"ampprof", "show", file_->path().string()}));
}

}  // namespace ampprof::gui
