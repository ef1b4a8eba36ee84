// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/raw/sql_page.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <stdexcept>
#include <utility>

#include "gui/data/background.h"
#include "gui/pages/raw/view_table.h"
#include "gui/pages/shared/labels.h"
#include "reports/text/shell_text.h"
#include "views/table/sql_rows.h"

namespace ampprof::gui {
namespace {

constexpr double kSeconds = 30;  // time limit for a query, in seconds
constexpr std::size_t kMostAnswerRows = 1000;
constexpr int kLinesOfQuery = 4;

using Answer = std::pair<views::View, bool>;  // rows, and whether there are more

Answer answer(const std::filesystem::path& report, const std::string& sql, const std::stop_token& stop) {
  try {
    queries::UserQuery query(report, sql, kSeconds, stop);
    return views::first_rows(query, kMostAnswerRows);
  } catch (const queries::QueryError& error) {
    throw std::runtime_error(views::explained(error, report, sql));
  }
}

}  // namespace

SqlPage::SqlPage(std::shared_ptr<const ReportFile> file, QWidget* parent)
    : Page(std::move(file), parent), filter_(model_) {
  query_ = new QPlainTextEdit(views::kListTables);
  query_->setAccessibleName("Query");
  query_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  query_->setTabChangesFocus(true);
  query_->setMinimumHeight(kLinesOfQuery * fontMetrics().height());
  said_ = wrappedLabel();
  said_->setFont(query_->font());  // monospaced, since error messages mark a column with a caret
  said_->setAccessibleName("Note on the answer");
  table_ = makeViewTable(&filter_, "Answer", this);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  table_->horizontalHeader()->setSortIndicatorClearable(true);
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->setSortingEnabled(true);
  auto* below = new QWidget;
  auto* rows = new QVBoxLayout(below);
  rows->setContentsMargins({});
  rows->addWidget(makeBar());
  rows->addWidget(said_);
  rows->addWidget(table_, 1);
  auto* halves = new QSplitter(Qt::Vertical);
  halves->addWidget(query_);
  halves->addWidget(below);
  halves->setStretchFactor(1, 1);
  halves->setSizes({query_->minimumHeight(), 10 * query_->minimumHeight()});
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(halves);
}

SqlPage::~SqlPage() { stop_.request_stop(); }

QWidget* SqlPage::makeBar() {
  auto* bar = new QWidget;
  run_ = new QPushButton("&Run");
  run_->setToolTip("Ctrl+Enter");
  cancel_ = new QPushButton("Cancel");
  cancel_->setEnabled(false);
  auto* keys = new QShortcut(QKeySequence("Ctrl+Return"), this);
  keys->setContext(Qt::WidgetWithChildrenShortcut);
  connect(keys, &QShortcut::activated, run_, &QPushButton::click);
  connect(run_, &QPushButton::clicked, this, &SqlPage::ask);
  connect(cancel_, &QPushButton::clicked, this, [this] { stop_.request_stop(); });
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins({});
  layout->addWidget(run_);
  layout->addWidget(cancel_);
  layout->addWidget(
      new QLabel("Enter one SQLite SELECT statement, which cannot change the report. Tables join on (run, id)."));
  layout->addStretch();
  return bar;
}

void SqlPage::open() {
  if (!std::exchange(is_open_, true)) ask();
}

QWidget* SqlPage::filterField() { return query_; }

void SqlPage::ask() {
  stop_ = std::stop_source();
  asked_ = query_->toPlainText().toStdString();
  run_->setEnabled(false);
  cancel_->setEnabled(true);
  said_->setText("Reading …");
  emit commandChanged();
  inBackground(
      this, [path = report()->path(), sql = asked_, stop = stop_.get_token()] { return answer(path, sql, stop); },
      [this](Answer&& answer) { showAnswer(std::move(answer.first), answer.second); },
      [this](const QString& sentence) {
        showAnswer({.name = "sql"}, false);
        say(sentence);
      });
}

void SqlPage::showAnswer(views::View view, bool has_more) {
  run_->setEnabled(true);
  cancel_->setEnabled(false);
  const QString none = QString::fromStdString(view.none);
  model_.show(std::move(view));
  fitColumns(table_);
  say(has_more ? QString("Only the first %1 rows are shown. The command below prints all rows with --format csv.")
                     .arg(kMostAnswerRows)
      : model_.rowCount() == 0 ? none
                               : QString());
  emit answered();
}

void SqlPage::say(const QString& sentence) {
  said_->setText(sentence);
  said_->setVisible(!sentence.isEmpty());
}

QString SqlPage::command() const {
  return QString::fromStdString(text::shell_text({"ampprof", "sql", report()->path().string(), asked_}));
}

std::optional<std::string> SqlPage::csv() const {
  return model_.columnCount() == 0 ? std::nullopt : std::optional(csvOf(filter_, model_));
}

}  // namespace ampprof::gui
