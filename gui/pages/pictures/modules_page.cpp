// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/pictures/modules_page.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QRadioButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>
#include <utility>

#include "analysis/diagnosis/highlights.h"
#include "gui/data/board.h"
#include "gui/data/site_measure.h"
#include "gui/delegates/heat_delegate.h"
#include "gui/delegates/roomy_style.h"
#include "gui/models/module_text.h"
#include "gui/pages/pictures/box_legend.h"
#include "gui/pages/pictures/box_tones.h"
#include "gui/pages/pictures/tree_canvas.h"
#include "gui/pages/shared/clear_layout.h"
#include "gui/pages/shared/labels.h"
#include "gui/pages/shared/run_box.h"
#include "gui/pages/shared/text.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "reports/text/numbers.h"
#include "reports/text/shell_text.h"
#include "views/diagnosis/answer.h"

namespace ampprof::gui {
namespace {

constexpr int kBarLetters = 24;  // width of a column with bars, in characters

enum class ModuleShape { Icicle, Treemap, Tree };
enum StackPlace { NothingPlace, CanvasPlace, TreePlace };

QComboBox* measureBox(const char* name, std::size_t chosen) {
  auto* box = new QComboBox;
  box->setAccessibleName(name);
  for (const SiteMeasure& measure : siteMeasures()) box->addItem(measure.name);
  box->setCurrentIndex(static_cast<int>(chosen));
  return box;
}

std::size_t measureOf(const QComboBox* box) { return static_cast<std::size_t>(box->currentIndex()); }

const queries::RunRow& runNamed(const ReportFile& file, std::int64_t run) {
  return *std::ranges::find(file.runs(), run, &queries::RunRow::run);
}

}  // namespace

ModulesPage::ModulesPage(std::shared_ptr<const ReportFile> file, QWidget* parent) : Page(std::move(file), parent) {
  canvas_ = new TreeCanvas;
  connect(canvas_, &TreeCanvas::zoomed, this, &ModulesPage::showWay);
  connect(canvas_, &TreeCanvas::chosen, this,
          [this](std::size_t node) { choose(callSiteOf(model_.picture(), node)), showSelection(); });
  auto* scrolled = new QScrollArea;
  scrolled->setWidgetResizable(true);
  scrolled->setFrameShape(QFrame::NoFrame);
  scrolled->setFocusPolicy(Qt::NoFocus);
  scrolled->setWidget(canvas_);
  nothing_ = wrappedLabel(kReading);
  nothing_->setAlignment(Qt::AlignCenter);
  tree_ = makeTree();
  stack_ = new QStackedWidget;
  for (QWidget* part : std::initializer_list<QWidget*>{nothing_, scrolled, tree_}) stack_->addWidget(part);
  legend_ = new BoxLegend;
  note_ = wrappedLabel();
  note_->setAccessibleName("What the picture shows");
  auto* way = new QWidget;
  way_ = new QHBoxLayout(way);
  way_->setContentsMargins({});
  way_->setSpacing(0);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(makeBar());
  layout->addWidget(way);
  layout->addWidget(stack_, 1);
  layout->addWidget(legend_);
  layout->addWidget(note_);
}

QWidget* ModulesPage::makeBar() {
  auto* bar = new QWidget;
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins({});
  run_ = makeRunBox(*report(), bar);
  before_ = new QComboBox;
  before_->setAccessibleName("Compared with");
  before_->addItem("no other run");
  for (int run = 0; run < run_->count(); ++run) before_->addItem(run_->itemText(run), run_->itemData(run));
  letTypeWhereMany(before_);
  phase_ = new QComboBox;
  phase_->setAccessibleName("Phase");
  phase_->addItem("all phases");
  for (const Phase phase : kPhases) phase_->addItem(QString::fromUtf8(name_of(phase)), static_cast<int>(phase));
  areas_ = measureBox("Areas", kTimeMeasure);
  colours_ = measureBox("Colours", kLossMeasure);
  for (const auto& [label, box] :
       {std::pair("", run_), {"against", before_}, {"", phase_}, {"areas", areas_}, {"colours", colours_}}) {
    if (*label != '\0') layout->addWidget(new QLabel(label));
    layout->addWidget(box);
    connect(box, &QComboBox::currentIndexChanged, this,
            box == run_ || box == before_ ? &ModulesPage::read : &ModulesPage::draw);
  }
  layout->addStretch();
  layout->addWidget(makeShapes());
  return bar;
}

QWidget* ModulesPage::makeShapes() {
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins({});
  shapes_ = new QButtonGroup(this);
  for (const char* name : {"&Icicle", "&Treemap", "Model t&ree"}) {
    auto* button = new QRadioButton(name);
    button->setAccessibleName(QString(name).remove('&'));
    shapes_->addButton(button, static_cast<int>(shapes_->buttons().size()));
    layout->addWidget(button);
  }
  shapes_->button(0)->setChecked(true);
  connect(shapes_, &QButtonGroup::idToggled, this, [this](int, bool is_on) {
    if (is_on) showShape();
  });
  return row;
}

QTreeView* ModulesPage::makeTree() {
  auto* tree = new QTreeView;
  tree->setAccessibleName("Modules and their ops");
  tree->setModel(&model_);
  tree->setUniformRowHeights(true);
  tree->setAllColumnsShowFocus(true);
  tree->setAlternatingRowColors(true);
  makeRoomy(tree, tree->header());
  QHeaderView* header = tree->header();
  header->setStretchLastSection(false);
  header->setSectionResizeMode(QHeaderView::ResizeToContents);
  header->setSectionResizeMode(ModuleTreeModel::NameColumn, QHeaderView::Stretch);
  header->setSectionResizeMode(ModuleTreeModel::ShareColumn, QHeaderView::Interactive);
  header->resizeSection(ModuleTreeModel::ShareColumn, kBarLetters * fontMetrics().averageCharWidth());
  tree->setItemDelegateForColumn(ModuleTreeModel::ShareColumn, new HeatDelegate(tree));
  connect(tree->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
    const QString site = callSiteOf(model_.picture(), ModuleTreeModel::nodeOf(current));
    if (!site.isEmpty()) choose(site);
  });
  return tree;
}

std::optional<std::int64_t> ModulesPage::before() const {
  const QVariant run = before_->currentData();
  const bool is_other = run.isValid() && run != run_->currentData();
  return is_other ? std::optional<std::int64_t>(run.toLongLong()) : std::nullopt;
}

void ModulesPage::open() {
  if (!std::exchange(is_open_, true)) read();
}

void ModulesPage::showPlace(const RunPlace& place) {
  if (const int item = run_->findData(static_cast<qlonglong>(place.run)); item >= 0) run_->setCurrentIndex(item);
}

void ModulesPage::showSteps(const std::optional<queries::StepSpan>& steps) {
  if (steps == steps_) return;
  steps_ = steps;
  if (is_open_ && !isVisible()) ++asked_;  // ignores a pending answer, which is for the old steps
  if (readsAgain(is_open_)) read();
}

void ModulesPage::read() {
  if (!is_open_) return;
  emit commandChanged();
  if (run_->count() == 0) return nothing_->setText("This report holds no run. Record one: ampprof run -- PROGRAM");
  const int asked = ++asked_;
  readInBackground(
      [file = report(), run = run_->currentData().toLongLong(), before = before(), steps = stepsAlone()] {
        return steps ? picturedSteps(*file, run, *steps) : picturedSites(*file, run, before);
      },
      [this, asked](PicturedSites&& sites) {
        if (asked != asked_) return;
        model_.show({.tree = weightedTree({}), .figures = {{}}}, 0);  // drops pointers into sites_, which changes next
        const bool is_first = !sites_.owner;
        sites_ = std::move(sites);
        if (is_first) beginWithColours();
        draw();
        emit shown();
      },
      [this](const QString& sentence) { emit failed(sentence); });
}

/// Selects local errors as colours if the run has no loss impacts, so that the picture is not all grey.
void ModulesPage::beginWithColours() {
  const SiteMeasure& chosen = siteMeasures()[measureOf(colours_)];
  const auto has_it = [&](const PicturedSite& site) { return chosen.of(*site.row, site.steps).value_or(0.0) > 0.0; };
  if (std::ranges::any_of(sites_.sites, has_it)) return;
  const QSignalBlocker silent(colours_);
  colours_->setCurrentIndex(kLocalErrorMeasure);
}

void ModulesPage::draw() {
  if (!sites_.owner) return;
  const QVariant phase = phase_->currentData();
  const std::size_t areas = measureOf(areas_);
  model_.show(
      modulePicture(sites_, phase.isValid() ? std::optional(static_cast<Phase>(phase.toInt())) : std::nullopt, areas),
      areas);
  const ModulePicture& picture = model_.picture();
  const std::size_t colours = measureOf(colours_);
  const double noise =
      colours == kLossMeasure ? loss_noise(runNamed(*report(), run_->currentData().toLongLong())) : 0.0;
  const std::vector<BoxTone> tones =
      sites_.is_compared ? changeTones(picture, areas, sites_.has_noise) : heatTones(picture, colours, noise);
  std::vector<BoxLook> looks;
  for (std::size_t node = 0; node < tones.size(); ++node) {
    looks.push_back({.label = labelOf(picture, node),
                     .figure = figureOf(picture, node, areas),
                     .tip = tipOf(picture, node, areas),
                     .tone = tones[node]});
  }
  canvas_->draw(picture.tree, std::move(looks));
  explain();
  showShape();
  showWay();
  showSelection();
}

QString ModulesPage::nothingOf(std::size_t measure) const {
  if (stepsAlone() && measure == kLossMeasure) return "Loss impacts are known only for all steps together.";
  return siteMeasures()[measure].nothing;
}

QString ModulesPage::whyNothing() const {
  if (!sites_.owner) return kReading;
  if (model_.picture().sites.empty() && stepsAlone())
    return QString("No op call of this phase was recorded in %1 of this run.").arg(stepsText(*stepsAlone()));
  if (model_.picture().sites.empty()) return "No op call of this phase was recorded in this run.";
  return model_.picture().tree.nodes.front().weight > 0.0 ? QString() : nothingOf(measureOf(areas_));
}

void ModulesPage::showShape() {
  const auto shape = static_cast<ModuleShape>(shapes_->checkedId());
  const QString why = whyNothing();
  nothing_->setText(why);
  canvas_->setShape(shape == ModuleShape::Treemap ? TreeCanvas::Shape::Treemap : TreeCanvas::Shape::Icicle);
  stack_->setCurrentIndex(!why.isEmpty() ? NothingPlace : shape == ModuleShape::Tree ? TreePlace : CanvasPlace);
  const bool is_drawn = stack_->currentIndex() == CanvasPlace;
  legend_->setVisible(is_drawn);
  colours_->setEnabled(is_drawn && !sites_.is_compared);
}

/// Shows a button for each module from the root to the visible root. A click zooms out to the module.
void ModulesPage::showWay() {
  clearLayout(way_);
  for (const std::size_t node : model_.picture().tree.wayTo(canvas_->root())) {
    if (way_->count() > 0) way_->addWidget(new QLabel("›"));
    auto* button = new QToolButton;
    button->setAutoRaise(true);
    button->setText(labelOf(model_.picture(), node).replace('&', "&&"));
    button->setAccessibleName("Zoom out to " + labelOf(model_.picture(), node));
    button->setEnabled(node != canvas_->root());
    connect(button, &QToolButton::clicked, canvas_, [this, node] { canvas_->zoom(node); });
    way_->addWidget(button);
  }
  way_->addStretch();
}

void ModulesPage::explain() {
  const SiteMeasure& areas = siteMeasures()[measureOf(areas_)];
  const std::size_t colours = measureOf(colours_);
  QStringList said;
  if (areas.total != Total::Sum)
    said << "Areas are proportional to squares of the values, because independent errors add up as squares.";
  std::vector<queries::RunRow> runs{runNamed(*report(), run_->currentData().toLongLong())};
  if (before()) runs.push_back(runNamed(*report(), *before()));
  if (areas.total == Total::Sum && analysis::includes_emulated_times(runs)) said << views::kTimesOfCpu;
  if (sites_.is_compared) {
    if (!sites_.has_noise)
      said << "With only one run on a side, changes cannot be told apart from noise, so colours are pale. Record "
              "repeats: ampprof run --repeat 4.";
    if (sites_.gone > 0)
      said << QString("%1 of %2 are not in %3.")
                  .arg(QString::fromStdString(text::counted(static_cast<std::int64_t>(sites_.gone), "call site")),
                       before_->currentText(), run_->currentText());
    legend_->show({BoxTone::Kind::Change, QString(areas.name) + " became", "a quarter", "four times as large, or new",
                   strengthOf(sites_.has_noise)},
                  {{{}, "unchanged, or unclear"}});
  } else {
    const double largest = largestOf(model_.picture(), colours);
    const SiteMeasure& of = siteMeasures()[colours];
    const bool is_measured = largest > 0.0;
    if (!is_measured) said << nothingOf(colours);
    const auto shown = [&](double figure) { return QString::fromStdString(of.show(figure)); };
    legend_->show(
        is_measured ? BoxLegend::Scale{BoxTone::Kind::Heat, of.name, "≤ " + shown(largest / 1000), shown(largest)}
                    : BoxLegend::Scale(),
        {{{BoxTone::Kind::NonFinite}, "an error that is not finite"}, {{}, "zero, within noise, or not measured"}});
  }
  note_->setText(said.join(' '));
  note_->setVisible(!said.isEmpty() && whyNothing().isEmpty());
}

void ModulesPage::showSelection() {
  const auto& sites = model_.picture().sites;
  const std::string wanted = selection().toStdString();
  const auto found =
      std::ranges::find_if(sites, [&](const PicturedSite* site) { return site->row->call_site == wanted; });
  if (found == sites.end()) {
    canvas_->select({});
    return tree_->selectionModel()->clear();
  }
  const std::size_t node = model_.picture().tree.nodeOf(static_cast<std::size_t>(found - sites.begin()));
  canvas_->select(node);
  const QModelIndex row = model_.indexOf(node);
  if (tree_->currentIndex().siblingAtColumn(0) != row) tree_->setCurrentIndex(row);
}

QString ModulesPage::command() const {
  std::vector<std::string> words{"ampprof", "show", report()->path().string(), "ops"};
  if (run_->count() > 0) words.insert(words.end(), {"--run", run_->currentData().toString().toStdString()});
  if (stepsAlone()) words.insert(words.end(), {"--steps", stepsArgument(*stepsAlone())});
  return QString::fromStdString(text::shell_text(words));
}

}  // namespace ampprof::gui
