// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/compare_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <utility>

#include "cli/errors.h"
#include "cli/text/shell_text.h"
#include "cli/views/pairing.h"
#include "gui/data/background.h"
#include "gui/pages/view_table.h"

namespace ampprof::gui {

ComparePage::ComparePage(std::shared_ptr<const ReportFile> file, QWidget* parent)
    : Page(parent), file_(std::move(file)), filter_(sites_) {
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(makeBar());
  note_ = new QLabel(this);
  note_->setWordWrap(true);
  note_->setTextFormat(Qt::PlainText);
  layout->addWidget(note_);
  figure_table_ = makeViewTable(&figures_, "Runs compared", this);
  site_table_ = makeViewTable(&filter_, "Call sites compared", this);
  auto* halves = new QSplitter(Qt::Vertical, this);
  for (QTableView* table : {figure_table_, site_table_}) {
    table->verticalHeader()->hide();
    halves->addWidget(table);
  }
  halves->setStretchFactor(0, 1);
  halves->setStretchFactor(1, 2);
  layout->addWidget(halves, 1);
}

QWidget* ComparePage::makeBar() {
  auto* bar = new QWidget(this);
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(0, 0, 0, 0);
  a_ = new QComboBox(bar);
  a_->setAccessibleName("Compare");
  b_ = new QComboBox(bar);
  b_->setAccessibleName("with");
  for (const auto& repeats : cli::by_level(file_->runs())) {
    for (QComboBox* side : {a_, b_}) side->addItem(QString::fromStdString(cli::name_of(repeats)));
  }
  if (const auto run = cli::run_of_interest(file_->runs())) {
    b_->setCurrentText(QString::fromStdString(cli::name_of({*run})));
  }
  op_ = new QLineEdit(bar);
  op_->setPlaceholderText("op (regular expression)");
  op_->setAccessibleName("Filter by op");
  op_->setClearButtonEnabled(true);
  layout->addWidget(a_);
  layout->addWidget(new QLabel("against", bar));
  layout->addWidget(b_);
  layout->addWidget(op_);
  layout->addStretch();
  connect(a_, &QComboBox::currentIndexChanged, this, &ComparePage::read);
  connect(b_, &QComboBox::currentIndexChanged, this, &ComparePage::read);
  connect(op_, &QLineEdit::textChanged, this, &ComparePage::filter);
  return bar;
}

void ComparePage::open() {
  if (std::exchange(is_open_, true)) return;
  read();
}

QWidget* ComparePage::filterField() { return op_; }

void ComparePage::read() {
  if (!is_open_) return;
  emit commandChanged();
  const int asked = ++asked_;
  if (a_->currentText() == b_->currentText()) {
    note_->setText("Choose two levels. A report with several comes of ampprof run --levels O0,O1.");
    note_->show();
    return;
  }
  note_->setText("Reading …");
  note_->show();
  inBackground(
      this,
      [file = file_, a = a_->currentText().toStdString(), b = b_->currentText().toStdString()] {
        return file->comparison(a, b);
      },
      [this, asked](Comparison&& comparison) {
        if (asked == asked_) show(std::move(comparison));
      },
      [this](const QString& sentence) { emit failed(sentence); });
}

void ComparePage::show(Comparison comparison) {
  figures_.show(std::move(comparison.figures));
  sites_.show(std::move(comparison.sites));
  fitColumns(figure_table_);
  fitColumns(site_table_);
  filter();
  emit shown();
}

void ComparePage::filter() {
  try {
    const std::string op = op_->text().toStdString();
    filter_.filter({.op = op.empty() ? std::nullopt : std::optional(op)});
    note_->hide();
  } catch (const cli::UsageError& error) {
    note_->setText(QString::fromUtf8(error.what()));
    note_->show();
  }
  emit commandChanged();
}

QString ComparePage::command() const {
  std::vector<std::string> words{"ampprof", "diff", file_->path().string()};
  for (const QComboBox* side : {a_, b_}) words.insert(words.end(), {"--run", side->currentText().toStdString()});
  if (!op_->text().isEmpty()) words.insert(words.end(), {"--op", op_->text().toStdString()});
  return QString::fromStdString(cli::shell_text(words));
}

}  // namespace ampprof::gui
