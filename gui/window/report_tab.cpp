// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/report_tab.h"

#include <QComboBox>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QScrollArea>
#include <QSet>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "gui/data/background.h"
#include "gui/data/findable.h"
#include "gui/look/look.h"
#include "gui/pages/diagnosis/diagnosis_page.h"
#include "gui/pages/diagnosis/overflow_page.h"
#include "gui/pages/diagnosis/overview_page.h"
#include "gui/pages/pictures/modules_page.h"
#include "gui/pages/ranks/ranks_page.h"
#include "gui/pages/raw/ranges_page.h"
#include "gui/pages/raw/sql_page.h"
#include "gui/pages/raw/table_page.h"
#include "gui/pages/recipes/recipes_page.h"
#include "gui/pages/shared/empty_page.h"
#include "gui/pages/shared/page_stack.h"
#include "gui/pages/shared/page_titles.h"
#include "gui/pages/shared/text.h"
#include "gui/pages/time/timeline_page.h"
#include "gui/window/renewal.h"
#include "gui/window/sidebar.h"
#include "reports/queries/runs.h"
#include "reports/queries/user_query.h"

namespace ampprof::gui {
namespace {

constexpr const char* kViewProperty = "view";

/// Adds hidden labels to combo boxes that lack one, for screen readers: on Linux, Qt reports the current item as the
/// name of a combo box, never its accessible name.
void labelBoxes(const Page& page) {
  QSet<const QWidget*> labelled;
  for (const QLabel* label : page.findChildren<QLabel*>()) labelled << label->buddy();
  for (QComboBox* box : page.findChildren<QComboBox*>()) {
    if (labelled.contains(box) || box->accessibleName().isEmpty()) continue;
    auto* label = new QLabel(box->accessibleName(), box->parentWidget());
    label->setBuddy(box);
    label->hide();
  }
}

}  // namespace

ReportTab::ReportTab(std::shared_ptr<const ReportFile> file, QWidget* parent)
    : QWidget(parent), file_(std::move(file)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  banner_ = new QLabel(this);
  banner_->setObjectName("missing");
  banner_->setTextFormat(Qt::PlainText);
  banner_->setWordWrap(true);
  banner_->setMargin(6);
  banner_->setAccessibleName("What is missing from the report");
  banner_->hide();
  sidebar_ = new Sidebar(isDistributed(*file_), this);
  empty_ = new EmptyPage(this);
  empty_->hide();
  pages_ = new PageStack;
  area_ = scrolled(pages_, this);
  auto* column = new QVBoxLayout;
  column->setSpacing(0);
  column->addLayout(makeHead());
  column->addWidget(empty_, 1);
  column->addWidget(area_, 1);
  auto* row = new QHBoxLayout;
  row->setSpacing(0);
  row->addWidget(sidebar_);
  row->addLayout(column, 1);
  layout->addWidget(banner_);
  layout->addLayout(row, 1);
  addPages();
  connect(empty_, &EmptyPage::reportMade, this, &ReportTab::reportMade);
  connect(sidebar_, &Sidebar::chosen, this, &ReportTab::pageChosen);
  sidebar_->choosePage(0);
  lookForRows();
  connect(new Renewal(*file_, this), &Renewal::grown, this, &ReportTab::renew);
}

void ReportTab::renew(std::shared_ptr<const ReportFile> file) {
  if (file->runs().size() != file_->runs().size()) return emit runsChanged();
  file_ = std::move(file);
  findable_.reset();
  for (const auto& [view, page] : pages()) page->renew(file_);
  lookForRows();
}

void ReportTab::addPages() {
  auto* overview = new OverviewPage(file_);
  connect(overview, &OverviewPage::shown, banner_, [this](const QString& missing) {
    banner_->setText("⚠ " + missing);
    banner_->setVisible(!missing.isEmpty());
  });
  connect(overview, &OverviewPage::findingWanted, this, &ReportTab::showFinding);
  connect(overview, &OverviewPage::adviceWanted, this, [this] {
    showView("decide");
    board_->markProposed();
  });
  board_ = new BoardPage(file_);
  compare_ = new ComparePage(file_);
  diagnosis_ = new DiagnosisPage(file_);
  const std::map<std::string_view, Page*> own{{"runs", overview},
                                              {"decide", board_},
                                              {"timeline", new TimelinePage(file_)},
                                              {"events", new OverflowPage(file_)},
                                              {"findings", diagnosis_},
                                              {"modules", new ModulesPage(file_)},
                                              {"ranks", new RanksPage(file_)},
                                              {"ranges", new RangesPage(file_)},
                                              {"recipes", new RecipesPage(file_)},
                                              {"diff", compare_},
                                              {"sql", new SqlPage(file_)}};
  for (const PageTitle& title : kPageTitles) {
    const auto found = own.find(title.view);
    add(found == own.end() ? new TablePage(file_, title.view) : found->second, title);
  }
  overview->open();  // now, since it also fills the banner above all pages
}

void ReportTab::lookForRows() {
  inBackground(
      this, [path = file_->path()] { return queries::tables_with_rows(path); },
      [this](std::vector<std::string>&& tables) {
        sidebar_->showFilled(tables);
        showPageOrReason();
        if (isVisible()) page()->open();  // a hidden page does not read after a reload
      },
      [](const QString&) {});  // the pages show the error
}

QLayout* ReportTab::makeHead() {
  title_ = new QLabel(this);
  title_->setObjectName("title");
  title_->setFont(scaled(font(), TextSize::Heading));
  auto* row = new QHBoxLayout;
  row->setContentsMargins(style()->pixelMetric(QStyle::PM_LayoutLeftMargin), Space::kGap, 0, 0);
  row->addWidget(title_);
  row->addWidget(makeChip(), 1);
  return row;
}

QWidget* ReportTab::makeChip() {
  auto* frame = new QFrame;
  frame->setFrameShape(QFrame::StyledPanel);
  auto* layout = new QHBoxLayout(frame);
  layout->setContentsMargins(6, 2, 2, 2);
  said_ = new QLabel(frame);
  said_->setTextFormat(Qt::PlainText);
  said_->setAccessibleName("Steps by which pages are filtered");
  auto* close = new QToolButton(frame);
  close->setText("✕");
  close->setAutoRaise(true);
  close->setAccessibleName("Show all steps");
  close->setToolTip("Shows all steps again (Esc)");
  connect(close, &QToolButton::clicked, this, [this] { showSteps({}); });
  layout->addWidget(said_);
  layout->addWidget(close);
  chip_ = new QWidget(this);
  auto* row = new QHBoxLayout(chip_);
  row->setContentsMargins(6, 0, 6, 0);
  row->addWidget(frame);
  row->addStretch();
  chip_->hide();
  return chip_;
}

void ReportTab::add(Page* page, const PageTitle& title) {
  labelBoxes(*page);
  page->setProperty(kViewProperty, QString(title.view));
  const int place = pages_->addWidget(page);
  page_actions_ << new QAction(QString("Go to ") + title.title, this);
  connect(page_actions_.back(), &QAction::triggered, this, [this, place] { showPage(place); });
  connect(page, &Page::failed, this, &ReportTab::failed);
  connect(page, &Page::reportMade, this, &ReportTab::reportMade);
  connect(page, &Page::selected, this, &ReportTab::select);
  connect(page, &Page::viewWanted, this, &ReportTab::showView);
  connect(page, &Page::placeWanted, this, &ReportTab::showPlace);
  connect(page, &Page::stepsWanted, this, [this](const queries::StepSpan& steps) { showSteps(steps); });
  connect(page, &Page::commandChanged, this, [this, page] {
    if (page != this->page()) return;
    sayOfSteps();
    emit commandChanged(page->command());
  });
}

Page* ReportTab::page() const { return static_cast<Page*>(pages_->currentWidget()); }

void ReportTab::showView(const QString& view) {
  const auto all = pages();
  const auto wanted = std::ranges::find(all, view, &NamedPage::view);
  if (wanted != all.end()) showPage(static_cast<int>(wanted - all.begin()));
}

void ReportTab::showPlace(const QString& view, const RunPlace& place) {
  for (const NamedPage& named : pages()) {
    if (named.view == view) named.page->showPlace(place);  // before the page opens, which would read another run
  }
  showView(view);
}

void ReportTab::showFinding(std::size_t place) {
  showView("findings");
  diagnosis_->showFinding(place);
}

void ReportTab::whenFindable(QObject* owner, const std::function<void(const Findable&)>& done) {
  if (findable_) return done(*findable_);
  inBackground(
      owner, [file = file_] { return std::make_shared<const Findable>(findableIn(*file)); },
      [tab = QPointer(this), done](const std::shared_ptr<const Findable>& found) {
        if (tab == nullptr) return;
        tab->findable_ = found;
        done(*found);
      },
      [](const QString&) {});  // the pages show the error
}

void ReportTab::showPage(int place) {
  sidebar_->choosePage(place);
  page()->setFocus();
}

void ReportTab::goToSidebar() { sidebar_->setFocus(); }

std::vector<ReportTab::NamedPage> ReportTab::pages() const {
  std::vector<NamedPage> pages;
  for (int place = 0; place < pages_->count(); ++place) {
    auto* page = static_cast<Page*>(pages_->widget(place));
    pages.push_back({page->property(kViewProperty).toString(), page});
  }
  return pages;
}

QString ReportTab::viewInFront() const { return page()->property(kViewProperty).toString(); }

void ReportTab::select(const QString& call_site) {
  selection_ = call_site;
  for (const auto& [view, page] : pages()) page->select(call_site);
}

void ReportTab::showSteps(const std::optional<queries::StepSpan>& steps) {
  steps_ = steps;
  for (const auto& [view, page] : pages()) page->showSteps(steps);
  sayOfSteps();
}

void ReportTab::clear() { selection_.isEmpty() ? showSteps({}) : select({}); }

void ReportTab::sayOfSteps() {
  chip_->setVisible(steps_.has_value());
  if (!steps_) return;
  const QString alone = stepsText(*steps_) + " only";
  if (page()->takesSteps()) return said_->setText("Shown: " + alone);
  QStringList others;
  for (const auto& [view, page] : pages()) {
    if (page->takesSteps()) others << pageTitle(view);
  }
  said_->setText(others.join(", ") + " show " + alone + "; this page shows all steps");
}

void ReportTab::showPageOrReason() {
  const int place = pages_->currentIndex();
  const bool is_empty = sidebar_->isEmpty(place);
  area_->setVisible(!is_empty);
  empty_->setVisible(is_empty);
  if (is_empty) empty_->explain(file_, kPageTitles[static_cast<std::size_t>(place)]);
}

void ReportTab::pageChosen(int place) {
  pages_->setCurrentIndex(place);
  title_->setText(kPageTitles[static_cast<std::size_t>(place)].title);
  showPageOrReason();
  sayOfSteps();
  page()->open();
  emit commandChanged(page()->command());
}

}  // namespace ampprof::gui
