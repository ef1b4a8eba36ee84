// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/raw/table_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/data/view_request.h"
#include "gui/delegates/bar_delegate.h"
#include "gui/delegates/offending_delegate.h"
#include "gui/pages/raw/record_details.h"
#include "gui/pages/raw/view_table.h"
#include "gui/pages/shared/run_box.h"
#include "gui/pages/shared/text.h"
#include "reports/text/shell_text.h"
#include "reports/text/usage_error.h"
#include "views/all_views.h"
#include "views/ops/group_by.h"

namespace ampprof::gui {
namespace {

std::optional<std::string> pattern_in(const QLineEdit& field) {
  return field.text().isEmpty() ? std::nullopt : std::optional(field.text().toStdString());
}

constexpr int kTypingRest = 200;  // ms after the last key before rows are read again

bool has(const std::string& view, bool views::NamedView::*property) {
  const auto named = std::ranges::find(views::all_views(), view, &views::NamedView::name);
  return named != views::all_views().end() && (*named).*property;
}

/// Tells whether a view has only a few rows per run, so that it can show all runs at first. Other views would have a
/// million rows for a thousand ranks.
bool comparesRuns(const std::string& view) { return view == "ranks" || view == "missing"; }

bool is_of_call_sites(const std::string& view) { return has(view, &views::NamedView::takes_grouping); }

/// Returns the sentences to show above the table. The first one is about the order, if the view has one.
QString sentencesOf(const views::View& view, const ViewFilter& seen) {
  QStringList sentences;
  const std::string key = seen.sortKey();
  const bool is_reversed = seen.sortOrder() == Qt::DescendingOrder;
  if (!view.order.empty()) sentences << text(key.empty() ? view.order : views::order_by(view, key, is_reversed));
  for (const views::Sentence& sentence : view.said) sentences << text(sentence.text);
  return sentences.join('\n');
}

}  // namespace

TablePage::TablePage(std::shared_ptr<const ReportFile> file, std::string view, QWidget* parent)
    : Page(std::move(file), parent), name_(std::move(view)), filter_(model_) {
  auto* layout = new QVBoxLayout(this);
  bar_ = makeBar();
  layout->addWidget(bar_);
  note_ = new QLabel(this);
  note_->setTextFormat(Qt::PlainText);
  note_->setWordWrap(true);
  layout->addWidget(note_);
  rows_ = makeTable();
  rows_->hide();
  layout->addWidget(rows_, 1);
  layout->addStretch();  // takes the space if there are no rows
}

QWidget* TablePage::makeBar() {
  auto* bar = new QWidget(this);
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(0, 0, 0, 0);
  run_ = makeRunBox(*report(), bar);
  run_->insertItem(0, "all runs");
  if (comparesRuns(name_) || !holdsManyRanks(*report())) run_->setCurrentIndex(0);
  group_ = new QComboBox(bar);
  group_->setAccessibleName("Group by");
  group_->addItem("call sites");
  for (const std::string& word : views::group_names()) group_->addItem("by " + text(word), text(word));
  op_ = makePatternField("op", bar);
  module_ = makePatternField("module", bar);
  for (QWidget* field : std::initializer_list<QWidget*>{run_, group_, op_, module_}) layout->addWidget(field);
  for (QWidget* field : std::initializer_list<QWidget*>{group_, op_, module_}) {
    field->setVisible(is_of_call_sites(name_));
  }
  layout->addStretch();
  connect(run_, &QComboBox::currentIndexChanged, this, &TablePage::read);
  connect(group_, &QComboBox::currentIndexChanged, this, &TablePage::read);
  connect(op_, &QLineEdit::textChanged, this, &TablePage::patternChanged);
  connect(module_, &QLineEdit::textChanged, this, &TablePage::patternChanged);
  typed_.setSingleShot(true);
  typed_.setInterval(kTypingRest);
  connect(&typed_, &QTimer::timeout, this, &TablePage::read);
  return bar;
}

QWidget* TablePage::makeTable() {
  table_ = makeViewTable(&filter_, text(name_), this);
  if (name_ == "tensor-cores") table_->setItemDelegate(new OffendingDelegate(table_));
  table_->verticalHeader()->hide();
  setHeader(table_->horizontalHeader());
  details_ = new RecordDetails(this);
  details_->hide();
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &TablePage::rowChosen);
  auto* side_by_side = new QSplitter(this);
  side_by_side->addWidget(table_);
  side_by_side->addWidget(details_);
  side_by_side->setStretchFactor(0, 3);
  side_by_side->setStretchFactor(1, 1);
  return side_by_side;
}

void TablePage::setHeader(QHeaderView* header) {
  if (header != table_->horizontalHeader()) table_->setHorizontalHeader(header);
  header->setSortIndicator(-1, Qt::AscendingOrder);
  header->setSortIndicatorClearable(true);
  table_->setSortingEnabled(true);
  connect(header, &QHeaderView::sortIndicatorChanged, this, [this] {
    if (model_.columnCount() > 0) return filter();  // updates the sentence on the order
    emit commandChanged();
  });
}

void TablePage::setBars(std::vector<std::string> keys) {
  model_.setBars(std::move(keys));
  table_->setItemDelegate(new BarDelegate(table_));
}

void TablePage::setDetailed(bool is_on) {
  is_detailed_ = is_on;
  details_->setVisible(is_on && table_->currentIndex().isValid());
}

void TablePage::rowChosen(const QModelIndex& current) {
  details_->setVisible(is_detailed_ && current.isValid());
  if (!current.isValid()) return;
  const int row = filter_.mapToSource(current).row();
  details_->show(model_.record(row));
  if (const QString call_site = model_.callSite(row); !call_site.isEmpty()) choose(call_site);
}

void TablePage::showSelection() { selectCallSite(table_, filter_, model_, selection()); }

void TablePage::renewed() {
  keeps_place_ = keeps_place_ || is_open_;  // a hidden page can be reloaded twice before it reads
  if (readsAgain(is_open_)) read();
}

void TablePage::open() {
  if (std::exchange(is_open_, true)) return;
  read();
}

QWidget* TablePage::filterField() { return is_of_call_sites(name_) ? op_ : nullptr; }

ViewRequest TablePage::request() const {
  ViewRequest request{.name = name_};
  if (const QVariant run = run_->currentData(); run.isValid()) request.run = run.toLongLong();
  request.steps = steps_;
  if (const QVariant by = group_->currentData(); by.isValid()) {
    request.group = views::group_by_from(by.toString().toStdString());
  }
  if (isFilteredWhileRead()) {
    request.op = patterns().op;
    request.module = patterns().module;
  }
  return request;
}

bool TablePage::takesSteps() const { return has(name_, &views::NamedView::takes_steps); }

void TablePage::showSteps(const std::optional<queries::StepSpan>& steps) {
  if (!takesSteps() || steps == steps_) return;
  steps_ = steps;
  stepsChanged();
  if (!is_open_) return;
  ++asked_;
  note_->setText(kReading);  // the visible rows are of the old steps
  note_->show();
  if (readsAgain(is_open_)) read();
}

views::Selection TablePage::patterns() const { return {.op = pattern_in(*op_), .module = pattern_in(*module_)}; }

bool TablePage::isFilteredWhileRead() const {
  return group_->currentIndex() > 0 || has(name_, &views::NamedView::filters_sites);
}

void TablePage::patternChanged() {
  if (!isFilteredWhileRead()) return filter();
  typed_.start();
  emit commandChanged();
}

void TablePage::read() {
  if (!is_open_) return;
  emit commandChanged();
  if (model_.columnCount() == 0) {  // otherwise the old rows stay until the new ones arrive
    note_->setText(kReading);
    note_->show();
  }
  const int asked = ++asked_;
  readInBackground([file = report(), wanted = request()] { return file->view(wanted); },
                   [this, asked](views::View&& view) {
                     if (asked == asked_) show(std::move(view));
                   },
                   [this, asked](const QString& sentence) {
                     if (asked != asked_) return;
                     note_->setText(sentence);
                     note_->show();
                     emit failed(sentence);
                   });
}

void TablePage::show(views::View view) {
  const bool is_first = model_.columnCount() == 0;
  const bool keeps_place = std::exchange(keeps_place_, false);
  const int place = table_->verticalScrollBar()->value();
  arrange(view);
  model_.show(std::move(view));
  if (is_first) fitColumns(table_);
  if (model_.view().wraps) wrapSentences(table_, model_.view());
  rows_->setVisible(model_.rowCount() > 0);
  bar_->setVisible(model_.rowCount() > 0 || request() != ViewRequest{.name = name_});
  filter();
  rowsCame();
  showSelection();
  if (keeps_place) table_->verticalScrollBar()->setValue(place);
  emit shown();
}

void TablePage::filter() {
  try {
    filter_.filter(isFilteredWhileRead() ? views::Selection() : patterns());
    saySomething();
  } catch (const text::UsageError& error) {
    note_->setText(QString::fromUtf8(error.what()));
    note_->show();
  }
  emit commandChanged();
}

QString TablePage::note() const {
  const bool has_pattern = !op_->text().isEmpty() || !module_->text().isEmpty();
  if (model_.rowCount() == 0 && has_pattern) return "No row matches the filters for op and module.";
  if (report()->runs().empty()) return "This report holds no run. Record one: ampprof run -- PROGRAM";
  if (model_.rowCount() == 0) return text(views::in_place_of_rows(model_.view()));
  if (filter_.rowCount() == model_.rowCount()) return sentencesOf(model_.view(), filter_);
  return QString("%1 of %2 rows").arg(filter_.rowCount()).arg(model_.rowCount());
}

void TablePage::saySomething() {
  const QString said = note();
  note_->setText(said);
  note_->setVisible(!said.isEmpty());
}

QString TablePage::command() const {
  std::vector<std::string> words{"ampprof", "show", report()->path().string(), name_};
  const auto add = [&](const char* flag, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {flag, value});
  };
  if (const auto run = request().run) add("--run", std::to_string(*run));
  add("--group-by", group_->currentData().toString().toStdString());
  if (const auto steps = request().steps) add("--steps", stepsArgument(*steps));
  add("--op", op_->text().toStdString());
  add("--module", module_->text().toStdString());
  if (filter_.sortOrder() == Qt::AscendingOrder) add("--sort", filter_.sortKey());
  return text(text::shell_text(words));
}

std::optional<std::string> TablePage::csv() const { return csvOf(filter_, model_); }

}  // namespace ampprof::gui
