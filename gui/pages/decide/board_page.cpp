// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/decide/board_page.h"

#include <QButtonGroup>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRadioButton>
#include <QShortcut>
#include <QSplitter>
#include <QTabWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "amp_core/levels/level.h"
#include "analysis/diagnosis/advised_run.h"
#include "analysis/diagnosis/highlights.h"
#include "analysis/ops/group.h"
#include "analysis/search/candidates.h"
#include "gui/data/board.h"
#include "gui/data/prediction.h"
#include "gui/models/board_csv.h"
#include "gui/pages/decide/board_table.h"
#include "gui/pages/decide/confirm_dialog.h"
#include "gui/pages/decide/impact_view.h"
#include "gui/pages/decide/site_details.h"
#include "gui/pages/search/search_button.h"
#include "gui/pages/shared/column_choice.h"
#include "gui/pages/shared/labels.h"
#include "gui/pages/shared/page_stack.h"
#include "gui/pages/shared/run_box.h"
#include "precision/advice/code.h"
#include "reports/queries/runs.h"
#include "reports/text/shell_text.h"
#include "reports/text/usage_error.h"
#include "reports/text/write_file.h"
#include "views/diagnosis/advice.h"

namespace ampprof::gui {
namespace {

constexpr int kShownNotes = 2;

struct Language {
  const char* name;
  std::string (*print)(const advice::Advice&);
};

constexpr Language kLanguages[] = {
    {"&C++", advice::cpp_code}, {"&Apex", advice::apex_code}, {"&torch", advice::torch_code}};

}  // namespace

BoardPage::BoardPage(std::shared_ptr<const ReportFile> file, QWidget* parent)
    : Page(std::move(file), parent), order_(model_), stack_(new PageStack(this)) {
  auto* board = new QWidget;
  auto* rows = new QVBoxLayout(board);
  rows->setContentsMargins({});
  QWidget* tree = makeTree();  // before makeTop(), whose menu lists the tree's columns
  rows->addWidget(makeTop());
  rows->addWidget(order_said_);
  auto* halves = new QSplitter(Qt::Vertical);
  halves->addWidget(tree);
  halves->addWidget(details_);
  halves->setStretchFactor(0, 1);
  rows->addWidget(halves, 1);
  rows->addWidget(makeBottom());

  auto* nothing = wrappedLabel(
      QString::fromUtf8(views::no_run_to_advise(report() ? report()->runs() : std::vector<queries::RunRow>())) + '.');
  nothing->setAlignment(Qt::AlignCenter);
  nothing->setMargin(40);
  stack_->addWidget(board);
  stack_->addWidget(nothing);
  auto* whole = new QVBoxLayout(this);
  whole->addWidget(stack_);
  connect(&model_, &BoardModel::keptChanged, this, &BoardPage::predict);
}

void BoardPage::open() {
  if (report() && !std::exchange(is_open_, true)) read();
}

void BoardPage::read() {
  if (!is_open_) return;
  emit commandChanged();
  to_mark_ = marked();  // marks carry over to the next run
  const int asked = ++asked_;
  const auto board_of = [file = report(), place = run_->currentData()] {
    return place.isValid() ? file->board(file->runs()[place.toUInt()]) : nullptr;
  };
  readInBackground(
      board_of,
      [this, asked](std::shared_ptr<const Board>&& board) {
        if (asked != asked_) return;
        showBoard(std::move(board));
        mark(to_mark_);
        if (proposes_) markProposed();
        offerFocus(tree_);  // arrow keys and Space work at once
      },
      [this](const QString& sentence) { emit failed(sentence); });
}

QComboBox* BoardPage::makeRuns() {
  run_ = new QComboBox;
  run_->setAccessibleName("Run");
  if (!report()) return run_;
  const std::vector<queries::RunRow>& runs = report()->runs();
  const auto advised = analysis::run_to_advise(runs);
  for (std::size_t place = 0; place < runs.size(); ++place) {
    if (amp::is_fp32_level(runs[place].level) && runs[place].what_if.empty()) continue;  // no reduced precision
    run_->addItem(QString::fromStdString(report()->label(runs[place])), static_cast<uint>(place));
    if (advised && runs[place].run == advised->run) run_->setCurrentIndex(run_->count() - 1);
  }
  letTypeWhereMany(run_);
  connect(run_, &QComboBox::currentIndexChanged, this, &BoardPage::read);
  return run_;
}

QWidget* BoardPage::filterField() { return filter_; }

std::optional<std::string> BoardPage::csv() const {
  return board_ ? std::optional(csvOf(order_, BoardModel::KeepFp32)) : std::nullopt;
}

QString BoardPage::command() const {
  if (!report()) return {};
  std::vector<std::string> words{"ampprof", "advise", report()->path().string()};
  const auto advised = analysis::run_to_advise(report()->runs());
  const QVariant place = run_->currentData();
  if (place.isValid()) {
    const queries::RunRow& run = report()->runs()[place.toUInt()];
    if (!advised || run.run != advised->run) words.insert(words.end(), {"--run", std::to_string(run.run)});
  }
  return QString::fromStdString(text::shell_text(words));
}

QWidget* BoardPage::makeTop() {
  auto* top = new QWidget;
  auto* row = new QHBoxLayout(top);
  row->setContentsMargins({});
  row->addWidget(new QLabel("Run"));
  row->addWidget(makeRuns());
  row->addSpacing(20);
  row->addWidget(new QLabel("Group by"));
  group_by_ = new QButtonGroup(this);
  for (const char* word : {"&module", "&op", "c&lass"}) {
    auto* button = new QRadioButton(word);
    button->setAccessibleName(QString("Group by %1").arg(QString(word).remove('&')));
    group_by_->addButton(button, static_cast<int>(group_by_->buttons().size()));
    row->addWidget(button);
  }
  group_by_->button(0)->setChecked(true);
  group_by_->button(2)->setToolTip("Groups layers whose names differ only in numbers, such as layers.*.attn");
  connect(group_by_, &QButtonGroup::idToggled, this, [this](int, bool checked) {
    if (checked) arrange();
  });

  filter_ = new QLineEdit;
  filter_->setAccessibleName("Filter by module or op");
  filter_->setPlaceholderText("Regular expression");
  filter_->setClearButtonEnabled(true);
  auto* label = new QLabel("&Filter by module or op");
  label->setBuddy(filter_);
  problem_ = new QLabel;
  connect(filter_, &QLineEdit::textChanged, this, &BoardPage::arrange);
  row->addSpacing(20);
  row->addWidget(label);
  row->addWidget(filter_, 1);
  row->addWidget(problem_, 1);
  problem_->hide();
  auto* columns = new QPushButton("Col&umns");
  auto* choice = new ColumnChoice(tree_->header());
  choice->setObjectName("Columns");
  columns->setMenu(choice->menu());
  row->addWidget(columns);
  return top;
}

QWidget* BoardPage::makeTree() {
  tree_ = new BoardTable(model_, order_);
  const bool saw_gpu = report() && std::ranges::any_of(report()->runs(), [](const queries::RunRow& run) {
                         return run.gpu_ms_per_step.has_value();
                       });
  tree_->setColumnHidden(BoardModel::GpuTime, !saw_gpu);
  order_said_ = wrappedLabel();
  order_said_->setAccessibleName("Order of the rows");
  connect(tree_, &BoardTable::orderSaid, order_said_, &QLabel::setText);
  connect(tree_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &BoardPage::showCurrent);
  details_ = new SiteDetails(report());
  connect(details_, &SiteDetails::failed, this, &Page::failed);
  auto* space = new QShortcut(Qt::Key_Space, tree_);
  space->setContext(Qt::WidgetShortcut);
  connect(space, &QShortcut::activated, this, &BoardPage::toggleCurrent);
  plot_ = new ImpactView(model_, report() && analysis::includes_emulated_times(report()->runs()));
  connect(plot_, &ImpactView::siteChosen, this, [this](const QString& call_site) {
    choose(call_site);
    showSelection();
  });
  auto* looks = new QTabWidget;
  looks->setAccessibleName("Board as a table or a plot");
  looks->setDocumentMode(true);
  looks->addTab(tree_, "Table");
  looks->addTab(plot_, "Impact against time");
  return looks;
}

QWidget* BoardPage::makeBottom() {
  auto* bottom = new QWidget;
  auto* rows = new QVBoxLayout(bottom);
  rows->setContentsMargins({});
  auto* row = new QHBoxLayout;
  loss_change_ = wrappedLabel();
  loss_change_->setAccessibleName("Expected loss impact");
  loss_change_->setToolTip(
      "Expected loss impact (E) per step: now, and with the marked functions in FP32. The mean over steps is smaller.");
  step_time_ = wrappedLabel();
  step_time_->setAccessibleName("Predicted time per step");
  auto* advise = new QPushButton("&Advise");
  advise->setToolTip("Marks the fewest functions to keep in FP32, as ampprof advise does");
  connect(advise, &QPushButton::clicked, this, &BoardPage::markProposed);
  save_ = new QPushButton("&Save policy…");
  connect(save_, &QPushButton::clicked, this, &BoardPage::savePolicy);
  copy_ = makeCopyButton();
  confirm_ = new QPushButton("&Run to confirm…");
  connect(confirm_, &QPushButton::clicked, this, &BoardPage::confirm);
  search_ = new SearchButton(report(), [file = report()]() -> std::optional<SearchSubject> {
    const auto board = advisedBoard(*file);
    return board ? std::optional(subjectOf(*board)) : std::nullopt;
  });
  connect(search_, &SearchButton::taken, this, &BoardPage::takeSet);
  connect(search_, &SearchButton::failed, this, &Page::failed);
  row->addWidget(loss_change_, 1);
  row->addWidget(step_time_, 1);
  for (QPushButton* button : std::initializer_list<QPushButton*>{advise, save_, copy_, confirm_, search_})
    row->addWidget(button);
  for (QPushButton* button : {save_, copy_, confirm_}) button->setEnabled(false);  // nothing is marked yet
  rows->addWidget(notes_ = wrappedLabel());
  rows->addLayout(row);
  return bottom;
}

QPushButton* BoardPage::makeCopyButton() {
  auto* button = new QPushButton("&Copy code");
  auto* menu = new QMenu(button);
  for (const Language& language : kLanguages) {
    menu->addAction(QString::fromUtf8(language.name), this, [this, print = language.print] {
      QGuiApplication::clipboard()->setText(QString::fromStdString(print(advice_)));
    });
  }
  button->setMenu(menu);
  return button;
}

void BoardPage::showBoard(std::shared_ptr<const Board> board) {
  board_ = std::move(board);
  tree_->showColumnsFor(board_.get());  // before show(), whose reset restores the user's choice of columns
  model_.show(board_);
  found_because_.clear();
  arrange();
  tree_->orderAsUsual();
  const bool is_empty = !board_ || !board_->hasSites();
  stack_->setCurrentIndex(is_empty && run_->count() < 2 ? 1 : 0);  // another run may have call sites
  tree_->fitColumns();
}

QStringList BoardPage::marked() const {
  if (!board_) return to_mark_;
  QStringList functions;
  for (const std::size_t candidate : model_.kept()) {
    functions << QString::fromStdString(board_->evaluation().candidates()[candidate].name());
  }
  return functions;
}

void BoardPage::mark(const QStringList& functions) {
  to_mark_ = functions;
  if (!board_) return;
  advice::PolicyEvaluation::Places candidates;
  for (std::size_t candidate = 0; candidate < board_->evaluation().candidates().size(); ++candidate) {
    if (to_mark_.contains(QString::fromStdString(board_->evaluation().candidates()[candidate].name())))
      candidates.push_back(candidate);
  }
  model_.keep(candidates);
}

void BoardPage::arrange() {
  try {
    model_.arrange(static_cast<analysis::GroupBy>(group_by_->checkedId()), filter_->text().toStdString());
    problem_->hide();
  } catch (const text::UsageError& error) {
    problem_->setText(QString::fromUtf8(error.what()));
    problem_->show();
    return;
  }
  filter_->text().isEmpty() ? tree_->expand(order_.index(0, 0)) : tree_->expandAll();
  showSelection();
}

void BoardPage::predict() {
  advice_ = board_ ? board_->evaluation().advice(model_.kept()) : advice::Advice();
  const bool is_changed = !advice_.policy.empty();
  loss_change_->setText(lossText(advice_));
  step_time_->setText(board_ ? stepText(advice_, board_->run()) : QString());
  for (QLabel* label : {loss_change_, step_time_}) italicize(label, is_changed);  // italic: predicted, not measured
  save_->setEnabled(is_changed);
  copy_->setEnabled(is_changed);
  confirm_->setEnabled(is_changed && report() != nullptr);
  QStringList notes;
  if (!found_because_.isEmpty() && model_.kept() == found_) notes << found_because_;
  for (const std::string& note : advice::all_notes(advice_)) notes << QString::fromStdString(note);
  notes_->setText(notes.mid(0, kShownNotes).join('\n'));
  notes_->setToolTip(notes.join('\n'));
  notes_->setVisible(!notes.isEmpty());
}

void BoardPage::showCurrent(const QModelIndex& current) {
  if (current.isValid()) choose(model_.callSite(order_.mapToSource(current)));
  plot_->select(selection());
  showDetails();
}

void BoardPage::showDetails() {
  const QModelIndex current = order_.mapToSource(tree_->currentIndex());
  if (!board_ || !current.isValid()) return details_->showSites({});
  const BoardLine& line = model_.line(current);
  details_->showSites(sites_named(*board_, model_.callSites(current)), line, board_->lossScale());
  QTimer::singleShot(0, this, [this] { tree_->scrollTo(tree_->currentIndex()); });  // the details may cover the row
}

void BoardPage::showSelection() {
  plot_->select(selection());
  if (selection().isEmpty()) {
    tree_->selectionModel()->clear();
    return showDetails();
  }
  const QModelIndex found = order_.mapFromSource(model_.find(selection()));
  if (found.isValid()) tree_->setCurrentIndex(found);
}

void BoardPage::markProposed() {
  proposes_ = !board_;
  if (board_) model_.keep(board_->proposed());
}

void BoardPage::toggleCurrent() {
  if (tree_->currentIndex().isValid()) model_.toggle(order_.mapToSource(tree_->currentIndex()));
}

void BoardPage::savePolicy() {
  auto* dialog = new QFileDialog(this, "Save policy", {}, "Policies (*.amp);;All files (*)");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix("amp");
  connect(dialog, &QFileDialog::fileSelected, this, &BoardPage::writePolicy);
  dialog->open();
}

void BoardPage::confirm() {
  auto* dialog = new ConfirmDialog(board_, advice_, QString::fromStdString(report()->path().string()), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &ConfirmDialog::confirmed, this, &Page::reportMade);
  connect(dialog, &ConfirmDialog::searchWanted, search_, &SearchButton::search);
  dialog->open();
}

void BoardPage::takeSet(const QStringList& lines, const QString& because) {
  if (!board_) return;
  std::vector<std::string> wanted;
  for (const QString& line : lines) wanted.push_back(line.toStdString());
  found_ = search::places_of(board_->evaluation(), wanted);
  found_because_ = because;
  model_.keep(found_);
}

void BoardPage::writePolicy(const QString& path) {
  try {
    text::write_file(path.toStdString(), policy_file(advice_));
  } catch (const text::UsageError& error) {
    emit failed(QString::fromUtf8(error.what()));
  }
}

}  // namespace ampprof::gui
