// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/compare/compare_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "analysis/compare/pairing.h"
#include "gui/data/compared_runs.h"
#include "gui/pages/compare/first_difference_box.h"
#include "gui/pages/raw/view_table.h"
#include "gui/pages/shared/run_box.h"
#include "reports/queries/run_names.h"
#include "reports/text/shell_text.h"
#include "reports/text/usage_error.h"
#include "views/runs/run_choice.h"

namespace ampprof::gui {
namespace {

std::vector<std::int64_t> idsOf(const std::vector<queries::RunRow>& runs) {
  std::vector<std::int64_t> ids;
  for (const queries::RunRow& run : runs) ids.push_back(run.run);
  return ids;
}

}  // namespace

ComparePage::ComparePage(std::shared_ptr<const ReportFile> file, QWidget* parent)
    : Page(std::move(file), parent), filter_(sites_) {
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(makeBar());
  note_ = new QLabel(this);
  note_->setWordWrap(true);
  note_->setTextFormat(Qt::PlainText);
  layout->addWidget(note_);
  figure_table_ = makeViewTable(&figures_, "Runs compared", this);
  site_table_ = makeViewTable(&filter_, "Call sites compared", this);
  halves_ = new QSplitter(Qt::Vertical, this);
  first_ = new FirstDifferenceBox(this);
  for (QTableView* table : {figure_table_, site_table_}) table->verticalHeader()->hide();
  for (QWidget* part :
       {static_cast<QWidget*>(figure_table_), static_cast<QWidget*>(first_), static_cast<QWidget*>(site_table_)}) {
    halves_->addWidget(part);
  }
  connect(first_, &FirstDifferenceBox::chosen, this, [this](const QString& site) {
    choose(site);
    showSelection();
  });
  connect(site_table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& current) {
            if (current.isValid()) choose(sites_.callSite(filter_.mapToSource(current).row()));
          });
  halves_->setStretchFactor(0, 1);
  halves_->setStretchFactor(1, 1);
  halves_->setStretchFactor(2, 2);
  halves_->hide();
  layout->addWidget(halves_, 1);
  layout->addStretch();  // takes the space of the hidden splitter
}

QWidget* ComparePage::makeBar() {
  auto* bar = new QWidget(this);
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(0, 0, 0, 0);
  a_ = new QComboBox(bar);
  a_->setAccessibleName("Compare");
  b_ = new QComboBox(bar);
  b_->setAccessibleName("with");
  addSides(report());
  own_ = a_->count();
  chooseFarthest();
  for (QComboBox* box : {a_, b_}) letTypeWhereMany(box);
  op_ = makePatternField("op", bar);
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

void ComparePage::addSides(const std::shared_ptr<const ReportFile>& file) {
  const auto add = [&](const std::string& name, const std::string& runs, const std::vector<queries::RunRow>& meant) {
    sides_.push_back({file, runs, idsOf(meant)});
    const QString text = QString::fromStdString(name);
    for (QComboBox* box : {a_, b_}) box->addItem(file == report() ? text : text + " of " + nameOf(*file));
  };
  for (const auto& repeats : analysis::by_level(file->runs())) {
    const bool has_level = !repeats.front().level.empty();
    const std::string name = views::name_of(repeats);
    if (has_level) add(name, name, repeats);
    if (has_level && repeats.size() == 1) continue;
    for (const queries::RunRow& run : repeats) {  // each repeat of a level, and each run without a level
      const std::string id = std::to_string(run.run);
      const bool is_repeat = has_level && !queries::is_one_of_many(run);
      add(is_repeat ? name + ", run " + id : file->label(run), id, {run});
    }
  }
}

void ComparePage::chooseFarthest() {
  const auto farthest = analysis::farthest_pairing(report()->runs());
  if (!farthest) return;
  const auto choose_in = [this](QComboBox* box, const std::vector<queries::RunRow>& runs) {
    const auto found = std::ranges::find(sides_, idsOf(runs), &Side::ids);
    if (found != sides_.end()) box->setCurrentIndex(static_cast<int>(found - sides_.begin()));
  };
  choose_in(a_, farthest->a);
  choose_in(b_, farthest->b);
}

void ComparePage::chooseAnother() {
  if (hasTwoSides() || b_->count() < 2) return;
  const int first = own_ < b_->count() ? own_ : 0;  // the first side of another report, if one is open
  b_->setCurrentIndex(first != a_->currentIndex() ? first : 1);
}

bool ComparePage::hasTwoSides() const {
  return b_->currentIndex() >= 0 && a_->currentIndex() >= 0 && a_->currentIndex() != b_->currentIndex();
}

void ComparePage::offer(const std::vector<std::shared_ptr<const ReportFile>>& others) {
  const bool is_own = a_->currentIndex() < own_ && b_->currentIndex() < own_;
  for (QComboBox* box : {a_, b_}) {
    const QSignalBlocker blocker(box);
    if (box->currentIndex() >= own_) box->setCurrentIndex(0);
    while (box->count() > own_) box->removeItem(box->count() - 1);
  }
  sides_.resize(static_cast<std::size_t>(own_));
  for (const auto& other : others) addSides(other);
  chooseAnother();
  if (!is_own) read();  // a side was reset without a signal
}

const ComparePage::Side& ComparePage::side(const QComboBox* box) const {
  return sides_.at(static_cast<std::size_t>(box->currentIndex()));
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
  if (!hasTwoSides()) {
    note_->setText(whyNothing());
    note_->show();
    figures_.show({});
    sites_.show({});
    halves_->hide();
    return;
  }
  note_->setText(kReading);
  note_->show();
  readInBackground([a = side(a_), b = side(b_)] { return compared(*a.file, a.runs, *b.file, b.runs); },
                   [this, asked](ComparedRuns&& comparison) {
                     if (asked == asked_) show(std::move(comparison));
                   },
                   [this](const QString& sentence) { emit failed(sentence); });
}

QString ComparePage::whyNothing() const {
  if (a_->count() > 1) return QString("Both sides are %1. Choose two different runs.").arg(a_->currentText());
  return QString(
             "A comparison needs two runs, and this report has %1. Open a second report, whose runs can then be chosen "
             "here, or record two levels: ampprof run --levels O0,O1 -- PROGRAM")
      .arg(a_->count() == 0 ? "none" : "one");
}

void ComparePage::show(ComparedRuns comparison) {
  QStringList said;
  for (const views::Sentence& sentence : comparison.said) said << QString::fromStdString(sentence.text);
  said_ = said.join('\n');
  figures_.show(std::move(comparison.figures));
  sites_.show(std::move(comparison.sites));
  first_->show(comparison.first);
  halves_->show();
  fitColumns(figure_table_);
  fitColumns(site_table_);
  filter();
  showSelection();
  emit shown();
}

void ComparePage::showSelection() { selectCallSite(site_table_, filter_, sites_, selection()); }

void ComparePage::filter() {
  emit commandChanged();
  if (halves_->isHidden()) return;  // there are no rows, and the note says why
  QString note = said_;
  try {
    const std::string op = op_->text().toStdString();
    filter_.filter({.op = op.empty() ? std::nullopt : std::optional(op)});
  } catch (const text::UsageError& error) {
    note = QString::fromUtf8(error.what());
  }
  note_->setText(note);
  note_->setVisible(!note.isEmpty());
}

std::optional<std::string> ComparePage::csv() const { return csvOf(filter_, sites_); }

QString ComparePage::command() const {
  std::vector<std::string> words{"ampprof", "diff"};
  if (b_->count() > 0) {
    const Side& a = side(a_);
    const Side& b = side(b_);
    words.push_back(a.file->path().string());
    if (b.file != a.file) words.push_back(b.file->path().string());
    if (hasTwoSides()) words.insert(words.end(), {"--run", a.runs, "--run", b.runs});
  }
  if (!op_->text().isEmpty()) words.insert(words.end(), {"--op", op_->text().toStdString()});
  return QString::fromStdString(text::shell_text(words));
}

}  // namespace ampprof::gui
