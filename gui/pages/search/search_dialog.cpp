// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/search/search_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/data/background.h"
#include "gui/delegates/roomy_style.h"
#include "gui/delegates/tone_delegate.h"
#include "gui/pages/shared/labels.h"
#include "gui/pages/shared/text.h"
#include "reports/text/numbers.h"
#include "views/search/search.h"

namespace ampprof::gui {
namespace {

constexpr int kBetweenReads = 1000;  // ms between two reads of the search's report
constexpr int kPrintedLinesKept = 2000;
constexpr int kLinesOfCommand = 3;
constexpr int kLinesOfLog = 5;
constexpr int kMostMinutes = 7 * 24 * 60;

QPlainTextEdit* makeReadOnly(const QString& name, int lines, QWidget* parent) {
  auto* text = new QPlainTextEdit(parent);
  text->setReadOnly(true);
  text->setAccessibleName(name);
  text->setMaximumHeight(text->fontMetrics().lineSpacing() * lines + 2 * text->frameWidth() + 10);
  return text;
}

QLabel* makeLabel(const QString& text, QWidget* field) {
  auto* label = new QLabel(text, field->parentWidget());
  label->setBuddy(field);
  return label;
}

QSpinBox* makeSpinBox(const QString& name, int value, int most, QWidget* parent) {
  auto* box = new QSpinBox(parent);
  box->setAccessibleName(name);
  box->setRange(1, most);
  box->setValue(value);
  return box;
}

}  // namespace

SearchDialog::SearchDialog(SearchSubject subject, const QString& report, QWidget* parent)
    : QDialog(parent),
      subject_(std::make_shared<const SearchSubject>(std::move(subject))),
      start_report_(QFileInfo(report).absoluteFilePath()),  // absolute, since the command may run in another folder
      report_(searchReport(start_report_, subject_->recipe)),
      reader_(std::make_shared<SearchReader>(report_.toStdString())) {
  setWindowTitle("Search by running the program");
  resize(860, 640);
  command_ = makeReadOnly("Command", kLinesOfCommand, this);
  progress_ = wrappedLabel();
  progress_->setAccessibleName("Progress of the search");
  said_ = wrappedLabel();
  said_->setAccessibleName("What the search found");
  log_ = makeReadOnly("What the search prints", kLinesOfLog, this);
  log_->setMaximumBlockCount(kPrintedLinesKept);
  log_->hide();
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(makeForm());
  layout->addWidget(makeTree(), 1);
  layout->addWidget(said_);
  layout->addWidget(log_);
  layout->addWidget(makeButtons());

  connect(&run_, &ConfirmingRun::said, log_, &QPlainTextEdit::appendPlainText);
  connect(&run_, &ConfirmingRun::failed, this, &SearchDialog::finish);
  connect(&run_, &ConfirmingRun::succeeded, this, [this] { finish({}); });
  soon_.setInterval(kBetweenReads);
  connect(&soon_, &QTimer::timeout, this, &SearchDialog::read);
  settingsChanged();
}

QFormLayout* SearchDialog::makeForm() {
  const SearchSettings usual;
  const auto makeLine = [this](const QString& name, const QString& value) {
    auto* line = new QLineEdit(value, this);
    line->setAccessibleName(name);
    return line;
  };
  program_ = makeLine("Program", text(subject_->program));
  folder_ = makeLine("Folder", QDir::currentPath());
  metric_ = new QComboBox(this);
  metric_->setAccessibleName("Metric");
  metric_->setEditable(true);
  metric_->addItems({usual.metric, "overflows", "accuracy ([0-9.]+)"});
  metric_->setToolTip(
      "loss: the final loss\noverflows: share of the steps that overflow\notherwise a regular expression for the "
      "program's output; its first group is the metric");
  higher_ = new QCheckBox("&higher is better", this);
  within_ = makeLine("Tolerance", {});
  within_->setPlaceholderText("variation between seeds");
  within_->setToolTip(
      "Tolerance relative to the all-FP32 run: a share of the metric, such as 2%, or a number in its unit, such as "
      "0.3. If empty: the variation between seeds, at least 1%.");
  minutes_ = makeSpinBox("Budget", usual.minutes, kMostMinutes, this);
  minutes_->setSuffix(" min");
  parallel_ = makeSpinBox("Runs at the same time", usual.parallel, 64, this);

  auto* what = new QHBoxLayout;
  what->addWidget(metric_, 2);
  what->addWidget(higher_);
  what->addSpacing(12);
  what->addWidget(new QLabel("within", this));
  what->addWidget(within_, 1);
  auto* how = new QHBoxLayout;
  how->addWidget(minutes_);
  how->addSpacing(12);
  how->addWidget(new QLabel("runs at the same time", this));
  how->addWidget(parallel_);
  how->addStretch(1);
  auto* form = new QFormLayout;
  form->addRow("&Program", program_);
  form->addRow("&Folder", folder_);
  form->addRow(makeLabel("&Metric", metric_), what);
  form->addRow(makeLabel("&Budget", minutes_), how);
  form->addRow("Command", command_);
  for (QLineEdit* line : {program_, within_})
    connect(line, &QLineEdit::textChanged, this, &SearchDialog::settingsChanged);
  connect(metric_, &QComboBox::currentTextChanged, this, &SearchDialog::settingsChanged);
  connect(higher_, &QCheckBox::toggled, this, &SearchDialog::settingsChanged);
  for (QSpinBox* box : {minutes_, parallel_})
    connect(box, &QSpinBox::valueChanged, this, &SearchDialog::settingsChanged);
  return form;
}

QWidget* SearchDialog::makeTree() {
  sets_ = new QTreeView(this);
  sets_->setAccessibleName("Sets that were tried");
  sets_->setModel(&tree_);
  sets_->setItemDelegate(new ToneDelegate(sets_));
  sets_->setUniformRowHeights(true);
  sets_->setAllColumnsShowFocus(true);
  sets_->setTextElideMode(Qt::ElideMiddle);
  makeRoomy(sets_, sets_->header());
  sets_->header()->setStretchLastSection(false);
  sets_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  sets_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  return sets_;
}

QWidget* SearchDialog::makeButtons() {
  auto* bottom = new QWidget(this);
  auto* row = new QHBoxLayout(bottom);
  row->setContentsMargins({});
  start_ = new QPushButton("&Start", bottom);
  take_ = new QPushButton("&Take this set", bottom);
  take_->setToolTip("Marks exactly what the best set keeps in high precision");
  close_ = new QPushButton("Close", bottom);
  row->addWidget(progress_, 1);
  for (QPushButton* button : {start_, take_, close_}) row->addWidget(button);
  connect(start_, &QPushButton::clicked, this, &SearchDialog::startOrStop);
  connect(take_, &QPushButton::clicked, this, &SearchDialog::take);
  connect(close_, &QPushButton::clicked, this, &SearchDialog::reject);
  return bottom;
}

SearchSettings SearchDialog::settings() const {
  return {.program = program_->text(),
          .metric = metric_->currentText(),
          .higher = higher_->isChecked(),
          .within = within_->text(),
          .minutes = minutes_->value(),
          .parallel = parallel_->value()};
}

void SearchDialog::settingsChanged() {
  problem_ = faultOf(settings());
  command_->setPlainText(searchCommand(settings(), subject_->recipe, start_report_, report_));
  if (problem_.isEmpty()) question_ = questionOf(settings(), *subject_);
  showState();
  if (problem_.isEmpty()) read();
}

void SearchDialog::reject() { run_.isRunning() ? hide() : QDialog::reject(); }

void SearchDialog::startOrStop() {
  if (run_.isRunning()) {
    is_stopping_ = true;
    run_.cancel();
    return showState();
  }
  is_stopping_ = false;
  problem_.clear();
  log_->clear();
  log_->hide();
  since_start_.start();
  // A new reader, since the command may replace the file.
  reader_ = std::make_shared<SearchReader>(report_.toStdString());
  run_.start(command_->toPlainText(), folder_->text());
  soon_.start();
  showState();
}

void SearchDialog::finish(const QString& sentence) {
  soon_.stop();
  const bool has_time = since_start_.elapsed() < qint64{minutes_->value()} * 60'000;
  stop_ = is_stopping_ || has_time ? search::Stop::Interrupted : search::Stop::OutOfTime;
  // A search that was stopped or ran out of time also exits with an error code, but the findings already explain why it
  // ended.
  problem_ = is_stopping_ || !has_time ? QString() : sentence;
  is_stopping_ = false;
  read();
}

void SearchDialog::read() {
  has_to_read_ = is_reading_;
  if (std::exchange(is_reading_, true)) return;
  const auto most = run_.isRunning() ? static_cast<std::size_t>(parallel_->value()) : std::size_t{0};
  inBackground(
      this,
      [reader = reader_, question = question_, subject = subject_, most] {
        return reader->read(question, *subject, most);
      },
      [this](search::SearchState&& findings) {
        is_reading_ = false;
        showFindings(std::move(findings));
      },
      [this](const QString&) {  // the report is still being created; a later read succeeds
        is_reading_ = false;
        showState();
      });
}

void SearchDialog::showFindings(search::SearchState findings) {
  findings_ = std::move(findings);
  const auto& best = findings_.best.set;
  tree_.show(views::search_view(result()),
             best ? views::Value(views::Json(views::policy_lines(question_, *best))) : views::Value());
  showState();
  emit shown();
  if (has_to_read_) read();
}

bool SearchDialog::isFinished() const { return findings_.wanted.empty() && !findings_.evaluations.empty(); }

search::Result SearchDialog::result() const {
  return {.question = question_, .findings = findings_, .stop = isFinished() ? search::Stop::Finished : stop_};
}

QString SearchDialog::progressText() const {
  const std::size_t all = question_.candidates.all.size();
  if (all == 0 && subject_->recipe.empty())
    return "The run calls no function in reduced precision that a policy could keep in FP32.";
  if (all == 0) return "The report has no loss impacts for this recipe. Record them with ampprof run --what-if.";
  const auto tried = std::ranges::count_if(findings_.evaluations, [](const auto& set) { return set.runs > 0; });
  QStringList parts;
  if (tried > 0) parts << text(text::counted(tried, "set")) + " tried";
  if (findings_.best.set) {
    const auto count = static_cast<std::int64_t>(all);
    parts << QString("best so far: %1 of ").arg(findings_.best.set->size()) +
                 text(text::counted(count, question_.candidates.unit));
  }
  if (run_.isRunning()) {
    const double left = minutes_->value() * 60.0 - static_cast<double>(since_start_.elapsed()) / 1000.0;
    parts << (is_stopping_ ? QString("stopping …") : text(text::clock(std::max(0.0, left))) + " left");
  }
  if (parts.isEmpty()) return "No set was tried yet. Check the command, then start it.";
  return parts.join(" · ");
}

void SearchDialog::showState() {
  const bool is_running = run_.isRunning();
  const bool has_begun = !findings_.evaluations.empty();
  progress_->setText(progressText());
  QStringList said;
  if (!is_running && has_begun && problem_.isEmpty()) {
    for (const std::string& sentence : views::search_sentences(result())) said << text(sentence);
  }
  if (!problem_.isEmpty()) said << problem_;
  said_->setText(said.join('\n'));
  said_->setVisible(!said.isEmpty());
  log_->setVisible(!is_running && !problem_.isEmpty() && !log_->document()->isEmpty());
  start_->setText(is_running ? "&Stop" : has_begun ? "&Resume" : "&Start");
  start_->setEnabled(is_running ? !is_stopping_
                                : faultOf(settings()).isEmpty() && !isFinished() && !question_.candidates.all.empty());
  close_->setText(is_running ? "Hide" : "Close");
  take_->setEnabled(findings_.best.set.has_value());
  take_->setDefault(isFinished() && findings_.best.set.has_value());
  for (QWidget* field :
       std::initializer_list<QWidget*>{program_, folder_, metric_, higher_, within_, minutes_, parallel_})
    field->setEnabled(!is_running);
  emit stateChanged();
}

void SearchDialog::take() {
  QStringList lines;
  for (const std::string& line : views::policy_lines(question_, *findings_.best.set)) lines << text(line);
  const std::vector<std::string> because = views::search_sentences(result());
  emit taken(lines, because.empty() ? QString() : text(because.front()));
}

}  // namespace ampprof::gui
