// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/recipes/recipes_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/models/board_csv.h"
#include "gui/models/recipe_cell_text.h"
#include "gui/pages/recipes/recipe_table.h"
#include "gui/pages/search/search_button.h"
#include "gui/pages/shared/labels.h"
#include "gui/pages/shared/page_stack.h"
#include "gui/plots/pareto_plot.h"
#include "reports/text/shell_text.h"
#include "reports/text/usage_error.h"
#include "reports/text/write_file.h"

namespace ampprof::gui {
namespace {

enum Shown { Layers, Nothing };

constexpr int kMargin = 40;        // pixels around the sentence that replaces the table
constexpr int kTableHeight = 300;  // initial height of the table; only its ratio to kCurveHeight matters
constexpr int kCurveHeight = 240;

constexpr const char* kNoRecipe =
    "No recipe was tried in this run. Try one with ampprof run --what-if mxfp8 …, or several with --what-if "
    "mxfp8,nvfp4 …";
constexpr const char* kLegend =
    "Predicted impact of rounding each matmul's operands: fprop changes the loss; dgrad and wgrad change how far a "
    "step decreases the loss. These two changes are never added. A number with = is a tie; a grey number is within "
    "noise. Space keeps a matmul in BF16.";
constexpr const char* kNoCell = "Select a matmul to see the rounding errors of its operands.";

}  // namespace

RecipesPage::RecipesPage(std::shared_ptr<const ReportFile> file, QWidget* parent)
    : Page(std::move(file), parent), order_(model_), stack_(new PageStack(this)) {
  auto* layers = new QWidget;
  auto* rows = new QVBoxLayout(layers);
  rows->setContentsMargins({});
  rows->addWidget(makeTop());
  rows->addWidget(wrappedLabel(QString::fromUtf8(kLegend)));
  rows->addWidget(makeMiddle(), 1);
  rows->addWidget(makeBottom());
  auto* nothing = wrappedLabel(QString::fromUtf8(kNoRecipe));
  nothing->setAlignment(Qt::AlignCenter);
  nothing->setMargin(kMargin);
  stack_->addWidget(layers);
  stack_->addWidget(nothing);
  auto* whole = new QVBoxLayout(this);
  whole->addWidget(stack_);
  connect(&model_, &RecipeModel::keptChanged, this, &RecipesPage::predict);
}

void RecipesPage::open() {
  if (report() && !std::exchange(is_open_, true)) read();
}

void RecipesPage::cancelled() {
  if (!no_curve_->isHidden()) no_curve_->setText("The least time is unknown: its computation was cancelled.");
}

void RecipesPage::read() {
  readInBackground([path = report()->path()] { return readRecipes(path); },
                   [this](std::shared_ptr<const RecipeBoard>&& board) {
                     showBoard(std::move(board));
                     offerFocus(table_);  // arrow keys and Space work at once
                   },
                   [this](const QString& sentence) { emit failed(sentence); });
}

QWidget* RecipesPage::filterField() { return filter_; }

QString RecipesPage::command() const {
  if (!report()) return {};
  return QString::fromStdString(text::shell_text({"ampprof", "show", report()->path().string(), "recipes"}));
}

std::optional<std::string> RecipesPage::csv() const { return board_ ? std::optional(csvOf(order_)) : std::nullopt; }

QComboBox* RecipesPage::makeRecipeBox(const QString& name) {
  auto* box = new QComboBox;
  box->setAccessibleName(name);
  box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  connect(box, &QComboBox::currentIndexChanged, this, [this] {
    arrange();
    predict();
    chooseSearch();
    table_->fitColumns();
  });
  return box;
}

QWidget* RecipesPage::makeTop() {
  auto* top = new QWidget;
  auto* row = new QHBoxLayout(top);
  row->setContentsMargins({});
  const auto add = [row](const QString& text, QWidget* field, int stretch = 0) {
    auto* label = new QLabel(text);
    label->setBuddy(field);
    row->addWidget(label);
    row->addWidget(field, stretch);
    row->addSpacing(20);
  };
  recipe_ = makeRecipeBox("Recipe");
  other_ = makeRecipeBox("Compare with");
  alike_ = new QCheckBox("Group similar &layers");
  alike_->setChecked(true);
  alike_->setToolTip("Shows layers whose names differ only in numbers, such as layers.*.attn, in one row");
  connect(alike_, &QCheckBox::toggled, this, &RecipesPage::arrange);
  filter_ = new QLineEdit;
  filter_->setAccessibleName("Filter by module or op");
  filter_->setPlaceholderText("Regular expression");
  filter_->setClearButtonEnabled(true);
  connect(filter_, &QLineEdit::textChanged, this, &RecipesPage::arrange);
  problem_ = new QLabel;
  problem_->hide();
  add("&Recipe", recipe_);
  add("&Compare with", other_);
  row->addWidget(alike_);
  row->addSpacing(20);
  add("&Filter by module or op", filter_, 1);
  row->addWidget(problem_, 1);
  return top;
}

QWidget* RecipesPage::makeMiddle() {
  table_ = new RecipeTable(model_, order_);
  connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this, &RecipesPage::showCurrent);
  details_ = wrappedLabel(kNoCell);
  details_->setAccessibleName("Details of the matmul");
  details_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  details_->setMargin(6);
  plot_ = new ParetoPlot;
  no_curve_ = wrappedLabel("Computing the least time…");
  no_curve_->setAlignment(Qt::AlignCenter);
  auto* curve = new QWidget;
  auto* column = new QVBoxLayout(curve);
  column->setContentsMargins({});
  column->addWidget(plot_, 1);
  column->addWidget(no_curve_);
  plot_->hide();
  auto* below = new QSplitter;
  below->addWidget(details_);
  below->addWidget(curve);
  below->setStretchFactor(0, 2);
  below->setStretchFactor(1, 3);
  auto* halves = new QSplitter(Qt::Vertical);
  halves->addWidget(table_);
  halves->addWidget(below);
  halves->setStretchFactor(0, 3);
  halves->setStretchFactor(1, 2);
  halves->setSizes({kTableHeight, kCurveHeight});
  return halves;
}

QWidget* RecipesPage::makeBottom() {
  auto* bottom = new QWidget;
  auto* row = new QHBoxLayout(bottom);
  row->setContentsMargins({});
  loss_ = wrappedLabel();
  loss_->setAccessibleName("Expected loss impact of fprop");
  gradient_ = wrappedLabel();
  gradient_->setAccessibleName("Expected change of the loss decrease per step due to dgrad and wgrad");
  advise_ = new QPushButton("&Advise");
  advise_->setToolTip(
      "Marks the matmuls to keep in BF16 for the shortest time within the tolerances of ampprof advise");
  advise_->setEnabled(false);
  connect(advise_, &QPushButton::clicked, this, &RecipesPage::markAdvised);
  clear_ = new QPushButton("Clear &marks");
  connect(clear_, &QPushButton::clicked, this, [this] { model_.keep({}); });
  save_ = new QPushButton("&Save policy…");
  save_->setToolTip("Saves a policy for ampprof run --policy: the recipe for all matmuls except the marked ones");
  connect(save_, &QPushButton::clicked, this, &RecipesPage::savePolicy);
  search_ = new SearchButton(report(), {});
  connect(search_, &SearchButton::taken, this, &RecipesPage::takeSet);
  connect(search_, &SearchButton::failed, this, &Page::failed);
  row->addWidget(loss_, 1);
  row->addWidget(gradient_, 1);
  row->addWidget(advise_);
  row->addWidget(clear_);
  row->addWidget(save_);
  row->addWidget(search_);
  return bottom;
}

void RecipesPage::showBoard(std::shared_ptr<const RecipeBoard> board) {
  board_ = std::move(board);
  curve_ = {};
  fillBoxes();
  model_.show(board_);
  const bool is_empty = !board_ || board_->recipes().empty();
  stack_->setCurrentIndex(is_empty ? Nothing : Layers);
  if (is_empty) return;
  arrange();
  predict();
  chooseSearch();
  table_->fitColumns();
  readCurve();
}

void RecipesPage::fillBoxes() {
  const QSignalBlocker quiet(recipe_), quiet_too(other_);
  recipe_->clear();
  other_->clear();
  other_->addItem("none");
  if (!board_) return;
  for (std::size_t place = 0; place < board_->recipes().size(); ++place) {
    const QString label = QString::fromStdString(board_->recipes()[place].label);
    recipe_->addItem(label, static_cast<uint>(place));
    other_->addItem(label, static_cast<uint>(place));
  }
}

std::optional<TriedRecipe> RecipesPage::chosenIn(const QComboBox* box) const {
  const QVariant place = box->currentData();
  return board_ && place.isValid() ? std::optional(board_->recipes()[place.toUInt()]) : std::nullopt;
}

void RecipesPage::arrange() {
  const auto recipe = chosenIn(recipe_);
  if (!recipe) return;
  const int before = table_->currentIndex().column();
  auto other = chosenIn(other_);
  if (other == recipe) other.reset();
  try {
    model_.arrange({*recipe, other}, alike_->isChecked(), filter_->text().toStdString());
    problem_->hide();
  } catch (const text::UsageError& error) {
    problem_->setText(QString::fromUtf8(error.what()));
    problem_->show();
    return;
  }
  if (!filter_->text().isEmpty()) table_->expandAll();
  showSelection();
  if (before < 0 || !table_->currentIndex().isValid()) return;
  table_->setCurrentIndex(table_->currentIndex().siblingAtColumn(std::min<int>(before, RecipeModel::FirstCell + 2)));
}

void RecipesPage::readCurve() {
  plot_->hide();
  no_curve_->setText("Computing the least time…");
  no_curve_->show();
  readInBackground([board = board_] { return curveOf(*board); },
                   [this, board = board_](RecipeCurve&& curve) {
                     if (board != board_) return;
                     curve_ = std::move(curve);
                     plot_->setVisible(!curve_.curve.empty());
                     advise_->setEnabled(!curve_.curve.empty());
                     no_curve_->setVisible(curve_.curve.empty());
                     no_curve_->setText(QString::fromStdString(curve_.why_none));
                     plot_->draw(curve_);
                     markDot();
                     emit curveShown();
                   },
                   [this](const QString& sentence) { no_curve_->setText(sentence); });
}

void RecipesPage::predict() {
  const auto recipe = chosenIn(recipe_);
  if (!recipe) return;
  const RecipePrediction prediction = predictionOf(*board_, *recipe, model_.kept());
  loss_->setText(lossText(prediction));
  gradient_->setText(gradientText(prediction));
  for (QLabel* label : {loss_, gradient_}) {
    label->setToolTip(errorCostTip(prediction));
    italicize(label, prediction.kept > 0);  // italic: predicted, not measured
  }
  clear_->setEnabled(!model_.kept().empty());
  markDot();
}

void RecipesPage::markAdvised() {
  const auto recipe = chosenIn(recipe_);
  if (!recipe) return;
  readInBackground([curve = curve_, board = board_, wanted = *recipe] { return advisedFor(curve, *board, wanted); },
                   [this, board = board_](KeptPlaces&& places) {
                     if (board == board_) model_.keep(places);
                   },
                   [this](const QString& sentence) { emit failed(sentence); });
}

void RecipesPage::takeSet(const QStringList& lines) {
  const auto recipe = chosenIn(recipe_);
  if (!recipe) return;
  std::vector<std::string> kept;
  for (const QString& line : lines) kept.push_back(line.toStdString());
  model_.keep(placesOf(kept, *board_, *recipe));
}

void RecipesPage::chooseSearch() {
  const auto recipe = chosenIn(recipe_);
  if (!recipe) return;
  search_->setSubject([board = board_, wanted = *recipe] { return std::optional(subjectOf(*board, wanted)); });
}

void RecipesPage::markDot() {
  const auto recipe = chosenIn(recipe_);
  if (recipe) plot_->mark(dotOf(curve_, *board_, *recipe, model_.kept()));
}

void RecipesPage::showCurrent(const QModelIndex& current) {
  if (current.isValid()) choose(model_.callSite(order_.mapToSource(current)));
  showDetails();
}

void RecipesPage::showDetails() {
  const QModelIndex current = order_.mapToSource(table_->currentIndex());
  const RecipeCell* cell = current.isValid() ? model_.cell(current) : nullptr;
  if (cell == nullptr) return details_->setText(kNoCell);
  const QString name = QString::fromStdString(model_.line(current).name);
  const QString matmul = model_.headerData(current.column(), Qt::Horizontal).toString();
  const auto place = *model_.cellAt(current.column());
  QStringList lines{name + ", " + matmul, cellTip(*cell)};
  if (const auto& other = model_.choice().other) {
    const TriedRecipe& than = place.side == 0 ? *other : model_.choice().recipe;
    lines << comparedText(*cell, model_.line(current).cells[1 - place.side][place.matmul],
                          QString::fromStdString(than.label));
  }
  lines.removeAll(QString());
  details_->setText(lines.join('\n'));
}

void RecipesPage::showSelection() {
  if (selection().isEmpty()) {
    table_->selectionModel()->clear();
    return showDetails();
  }
  const QModelIndex current = order_.mapToSource(table_->currentIndex());
  if (current.isValid() && model_.callSite(current) == selection()) return;
  const QModelIndex found = order_.mapFromSource(model_.find(selection()));
  if (found.isValid())
    table_->setCurrentIndex(found.siblingAtColumn(std::max<int>(found.column(), RecipeModel::FirstCell)));
}

std::string RecipesPage::policy() const {
  const auto recipe = chosenIn(recipe_);
  return recipe ? policyOf(*board_, *recipe, model_.kept()) : std::string();
}

void RecipesPage::savePolicy() {
  auto* dialog = new QFileDialog(this, "Save policy", {}, "Policies (*.amp);;All files (*)");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix("amp");
  connect(dialog, &QFileDialog::fileSelected, this, &RecipesPage::writePolicy);
  dialog->open();
}

void RecipesPage::writePolicy(const QString& path) {
  try {
    text::write_file(path.toStdString(), policy());
  } catch (const text::UsageError& error) {
    emit failed(QString::fromUtf8(error.what()));
  }
}

}  // namespace ampprof::gui
