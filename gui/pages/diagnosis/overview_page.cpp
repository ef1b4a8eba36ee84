// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/diagnosis/overview_page.h"

#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "analysis/diagnosis/advised_run.h"
#include "gui/data/loss_curves.h"
#include "gui/data/overview.h"
#include "gui/data/worst_sites.h"
#include "gui/delegates/bar_delegate.h"
#include "gui/look/look.h"
#include "gui/pages/diagnosis/error_strip.h"
#include "gui/pages/diagnosis/next_steps.h"
#include "gui/pages/diagnosis/remedy_dialog.h"
#include "gui/pages/diagnosis/run_multiples.h"
#include "gui/pages/raw/view_table.h"
#include "gui/pages/shared/page_titles.h"
#include "gui/pages/shared/sentence_label.h"
#include "reports/text/shell_text.h"
#include "views/diagnosis/missing.h"
#include "views/runs/views.h"
#include "views/table/format.h"

namespace ampprof::gui {
namespace {

constexpr int kNumberPadding = 14;  // pixels between columns of numbers
constexpr int kHighestPlots = 420;
constexpr std::size_t kWorstSites = 6;

}  // namespace

OverviewPage::OverviewPage(std::shared_ptr<const ReportFile> file, QWidget* parent) : Page(std::move(file), parent) {
  auto* answer = new QWidget;
  answer->setMaximumWidth(fontMetrics().averageCharWidth() * 160);  // limits lines to a readable length
  sentences_ = new QGridLayout(answer);
  sentences_->setContentsMargins({});
  sentences_->setVerticalSpacing(0);
  sentences_->setColumnStretch(0, 1);
  sentences_->addWidget(new QLabel(kReading), 0, 0);
  multiples_ = new RunMultiples;
  multiples_->setMaximumHeight(kHighestPlots);

  auto* inside = new QWidget;
  auto* column = new QVBoxLayout(inside);
  column->setSpacing(Space::kSection);
  auto* row = new QHBoxLayout;  // lets the sentences have the height that their maximum width needs
  row->addWidget(answer, 1);
  row->addStretch();
  column->addLayout(row);
  column->addWidget(multiples_, 1);
  auto* reasons = new QHBoxLayout;
  reasons->setSpacing(Space::kSection);
  reasons->addWidget(makeErrors(), 3, Qt::AlignTop);
  reasons->addWidget(makeNextSteps(), 2, Qt::AlignTop);
  column->addLayout(reasons);
  column->addWidget(makeFigures(), 0, Qt::AlignLeft);
  column->addStretch();
  auto* area = new QScrollArea(this);
  area->setAccessibleName("Overview");
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setWidget(inside);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins({});
  layout->addWidget(area);
}

QTableView* OverviewPage::makeFigures() {
  table_ = makeViewTable(&runs_, "Runs side by side", this);
  table_->setItemDelegate(new BarDelegate(table_));
  table_->setFrameShape(QFrame::NoFrame);
  table_->horizontalHeader()->setStretchLastSection(false);
  table_->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
  return table_;
}

NextSteps* OverviewPage::makeNextSteps() {
  next_ = new NextSteps;
  connect(next_, &NextSteps::findingWanted, this, &OverviewPage::findingWanted);
  connect(next_, &NextSteps::adviceWanted, this, &OverviewPage::adviceWanted);
  connect(next_, &NextSteps::recipesWanted, this, [this] { emit viewWanted("recipes"); });
  connect(next_, &NextSteps::confirmWanted, this,
          [this](const QString& remedy) { openRemedyDialog(*report(), remedy, this, [this] { read(); }); });
  return next_;
}

ErrorStrip* OverviewPage::makeErrors() {
  errors_ = new ErrorStrip;
  connect(errors_, &ErrorStrip::siteChosen, this, [this](const QString& call_site) {
    choose(call_site);
    emit viewWanted(analysis::run_to_advise(report()->runs()) ? "decide" : "ops");
  });
  return errors_;
}

void OverviewPage::renewed() {
  if (readsAgain(is_open_)) read();
}

void OverviewPage::open() {
  if (!std::exchange(is_open_, true)) read();
}

void OverviewPage::read() {
  readInBackground([file = report()] { return file->overview(); },
                   [this](Overview&& overview) { show(std::move(overview)); },
                   [this](const QString& sentence) { emit failed(sentence); });
}

void OverviewPage::show(Overview overview) {
  while (QLayoutItem* item = sentences_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  for (const views::Sentence& sentence : overview.answer) say(sentence);
  const bool has_recipes = std::ranges::count(overview.answer, "recipes", &views::Sentence::view) > 0;
  next_->show(overview.findings, analysis::run_to_advise(report()->runs()).has_value(), has_recipes);
  multiples_->showRuns(overview);
  QStringList labels;
  for (const std::string& run : overview.runs) labels << QString::fromStdString(run);
  runs_.show(std::move(overview.figures), labels);
  table_->setVisible(!labels.isEmpty());
  fitTable();
  readInBackground(
      [file = report(), representatives = overview.representatives] { return file->losses(representatives.get()); },
      [this](LossCurves&& curves) { multiples_->showCurves(curves); },
      [this](const QString& sentence) { emit failed(sentence); });
  wants_errors_ = true;
  readErrors();
  const std::string note = views::note_of_missing(overview.missing, report()->path().string());
  emit shown(QString::fromStdString(note));
}

void OverviewPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  readErrors();
}

void OverviewPage::cancelled() { errors_->say("Reading was cancelled."); }

void OverviewPage::readErrors() {
  if (!isVisible() || !std::exchange(wants_errors_, false)) return;
  readInBackground([file = report()] { return worstSites(*file, kWorstSites); },
                   [this](WorstSites&& worst) { errors_->showSites(std::move(worst)); },
                   [this](const QString& sentence) { errors_->say(sentence); });
}

void OverviewPage::fitTable() {
  table_->resizeColumnsToContents();
  for (int run = 0; run < runs_.columnCount(); ++run)
    table_->setColumnWidth(run, table_->columnWidth(run) + kNumberPadding);
  // The size hint includes scroll bars, which the table never needs.
  const int height = table_->horizontalHeader()->sizeHint().height() + table_->verticalHeader()->length();
  table_->setMinimumHeight(height);
  table_->setMaximumSize(table_->verticalHeader()->sizeHint().width() + table_->horizontalHeader()->length(), height);
}

void OverviewPage::say(const views::Sentence& sentence) {
  const int row = sentences_->rowCount();
  sentences_->setRowMinimumHeight(row, fontMetrics().height() + 8);
  sentences_->addWidget(makeSentence(sentence, this), row, 0);
  if (sentence.view.empty() || sentence.view == "runs") return;  // no link: the table of runs is on this page
  const QString view = QString::fromUtf8(sentence.view.data(), static_cast<int>(sentence.view.size()));
  auto* link = new QPushButton("→ " + pageTitle(view), this);
  link->setFlat(true);
  link->setStyleSheet("text-align: left");  // aligns the links
  link->setAccessibleName("Evidence in " + pageTitle(view));
  connect(link, &QPushButton::clicked, this, [this, view] { emit viewWanted(view); });
  sentences_->addWidget(link, row, 1, Qt::AlignLeft);
}

std::optional<std::string> OverviewPage::csv() const {
  return formatted(views::runs_view(report()->runs()), views::Format::Csv, {});
}

QString OverviewPage::command() const {
  return QString::fromStdString(text::shell_text({"ampprof", "show", report()->path().string()}));
}

}  // namespace ampprof::gui
