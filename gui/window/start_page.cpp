// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/start_page.h"

#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "gui/data/background.h"
#include "gui/data/confirming_run.h"
#include "gui/data/samples.h"
#include "gui/look/look.h"
#include "gui/pages/shared/command_row.h"
#include "gui/pages/shared/labels.h"
#include "gui/window/recent_reports.h"
#include "reports/text/shell_text.h"

namespace ampprof::gui {
namespace {

constexpr int kRowsShown = 5;  // number of recent reports that are visible without scrolling
constexpr int kPathRole = Qt::UserRole;

struct Recording {
  const char* what;
  const char* command;
};

constexpr Recording kRecordings[] = {
    {"Python script", "ampprof run --levels O0,O1 -- python train.py"},
    {"C++ program", "ampprof run --levels O0,O1 -- ./train --epochs 1"},
    {"TorchScript model", "ampprof run model.pt --input f32[8,3,224,224] --train"},
};

void addHeading(QVBoxLayout* column, const QString& words) {
  QLabel* label = wrappedLabel(words);
  label->setFont(scaled(label->font(), TextSize::Heading));
  column->addSpacing(Space::kSection);
  column->addWidget(label);
}

}  // namespace

StartPage::StartPage(QWidget* parent) : QWidget(parent) {
  auto* inside = new QWidget;
  inside->setMaximumWidth(Space::kWidestText);
  auto* column = new QVBoxLayout(inside);
  QLabel* title = wrappedLabel("What does each op of your training lose in reduced precision?");
  title->setFont(scaled(title->font(), TextSize::Title));
  column->addWidget(title);
  column->addSpacing(Space::kSection);
  auto* open = new QPushButton("&Open reports…");
  connect(open, &QPushButton::clicked, this, &StartPage::filesWanted);
  auto* row = new QHBoxLayout;
  row->addWidget(open);
  row->addWidget(new QLabel("or drop *.ampprof files on this window."));
  row->addStretch();
  column->addLayout(row);
  addRecent(column);
  addCommands(column);
  addSamples(column);
  column->addStretch();
  auto* area = new QScrollArea(this);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setAlignment(Qt::AlignHCenter);
  area->setWidget(inside);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins({});
  layout->addWidget(area);
  refresh();
  inBackground(
      this, installedSamples, [this](const std::vector<Sample>& samples) { showSamples(samples); },
      [](const QString&) {});  // without samples, the page offers none
}

void StartPage::addRecent(QVBoxLayout* column) {
  addHeading(column, "Recent reports");
  recent_ = new QTreeWidget;
  recent_->setAccessibleName("Recent reports");
  recent_->setHeaderLabels({"Report", "Folder", "Size", "Changed"});
  recent_->setRootIsDecorated(false);
  recent_->setUniformRowHeights(true);
  recent_->setTextElideMode(Qt::ElideMiddle);
  recent_->setFixedHeight((kRowsShown + 2) * (fontMetrics().height() + 6));
  connect(recent_, &QTreeWidget::itemActivated, this,
          [this](const QTreeWidgetItem* item) { emit reportWanted(item->data(0, kPathRole).toString()); });
  column->addWidget(recent_);
}

void StartPage::addCommands(QVBoxLayout* column) {
  addHeading(column, "Record your program");
  column->addWidget(
      wrappedLabel("Type a command like these in the folder of your program. Your program needs no change, and its "
                   "results stay the same."));
  for (const Recording& recording : kRecordings) {
    auto* command = new CommandRow(recording.what);
    command->showCommand(recording.command);
    column->addWidget(command);
  }
}

void StartPage::addSamples(QVBoxLayout* column) {
  of_samples_ = new QWidget;
  auto* samples = new QVBoxLayout(of_samples_);
  samples->setContentsMargins({});
  addHeading(samples, "Or try a sample");
  sample_ = new QComboBox;
  sample_->setAccessibleName("Sample");
  command_ = new CommandRow("Sample");
  samples->addWidget(sample_);
  samples->addWidget(command_);
  connect(sample_, &QComboBox::currentIndexChanged, this, [this] {
    const QString name = sample_->currentData().toString();
    const QString made = reportBeside(QDir::current().filePath(name + ".ampprof"), "sample");
    command_->showCommand(
        QString::fromStdString(text::shell_text(
            {ampprofProgram(), "run", "--levels", "O0,O1", "-o", made.toStdString(), "sample:" + name.toStdString()})),
        made);
  });
  connect(command_, &CommandRow::reportMade, this, &StartPage::reportWanted);
  of_samples_->hide();
  column->addWidget(of_samples_);
}

void StartPage::refresh() {
  inBackground(
      this, [paths = recentReports()] { return lookedAt(paths); },
      [this](const std::vector<RecentReport>& reports) { showReports(reports); }, [](const QString&) {});
}

void StartPage::showReports(const std::vector<RecentReport>& reports) {
  recent_->clear();
  for (const RecentReport& report : reports) {
    const QFileInfo file(report.path);
    auto* item = new QTreeWidgetItem(recent_, {file.fileName(), file.path()});
    item->setData(0, kPathRole, report.path);
    item->setDisabled(!report.is_there);
    item->setText(2, report.is_there ? QLocale().formattedDataSize(report.bytes, 2, QLocale::DataSizeSIFormat) : "–");
    item->setText(3, report.is_there ? QLocale().toString(report.changed, QLocale::ShortFormat) : "the file is gone");
    item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
  }
  if (reports.empty()) (new QTreeWidgetItem(recent_, {"None yet."}))->setDisabled(true);
  for (int column = 0; column < recent_->columnCount(); ++column) recent_->resizeColumnToContents(column);
  emit refreshed();
}

void StartPage::showSamples(const std::vector<Sample>& samples) {
  for (const Sample& sample : samples) sample_->addItem(sample.name + " – " + sample.about, sample.name);
  of_samples_->setVisible(sample_->count() > 0);
}

}  // namespace ampprof::gui
