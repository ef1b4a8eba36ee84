// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QWidget>
#include <functional>
#include <memory>
#include <vector>

#include "gui/pages/compare/compare_page.h"
#include "gui/pages/decide/board_page.h"

class QLabel;
class QLayout;
class QScrollArea;

namespace ampprof::gui {

class DiagnosisPage;
class EmptyPage;
class PageStack;
class Sidebar;
struct Findable;
struct PageTitle;

/// The tab of one report: a banner if something is missing from the report, a sidebar, and the pages.
class ReportTab : public QWidget {
  Q_OBJECT

 public:
  explicit ReportTab(std::shared_ptr<const ReportFile> file, QWidget* parent = nullptr);

  const std::shared_ptr<const ReportFile>& file() const { return file_; }
  /// Sets the other open reports, for comparisons.
  void offer(const std::vector<std::shared_ptr<const ReportFile>>& others) { compare_->offer(others); }
  Page* page() const;
  BoardPage* board() const { return board_; }
  struct NamedPage {
    QString view;  ///< name of the page's view in `ampprof show`; name of the page if it has no view
    Page* page;
  };
  /// Returns the pages in the order of the sidebar.
  std::vector<NamedPage> pages() const;
  QString viewInFront() const;
  const QString& selection() const { return selection_; }
  /// Shows the page of a view of `ampprof show`; does nothing if the view has no page.
  void showView(const QString& view);
  /// Shows the page of a view with a run, and with a step of it if given.
  void showPlace(const QString& view, const RunPlace& place);
  /// Shows a page by its index in pages().
  void showPage(int place);
  const Sidebar& sidebar() const { return *sidebar_; }
  /// Moves the keyboard focus to the sidebar.
  void goToSidebar();
  /// Shows the card of a finding, by its index in ReportFile::diagnosis().
  void showFinding(std::size_t place);
  /// Calls `done` with the searchable names once they are read, unless `owner` was destroyed meanwhile.
  void whenFindable(QObject* owner, const std::function<void(const Findable&)>& done);
  /// Selects a call site in all pages; "" clears the selection.
  void select(const QString& call_site);
  /// Restricts the pages to some steps, where possible; empty for all steps.
  void showSteps(const std::optional<queries::StepSpan>& steps);
  const std::optional<queries::StepSpan>& steps() const { return steps_; }
  /// Clears the selection; if nothing is selected, shows all steps again.
  void clear();
  /// Returns an action for each page, which shows the page. The tab owns the actions.
  QList<QAction*> pageActions() const { return page_actions_; }

 signals:
  void commandChanged(const QString& command);
  void failed(const QString& sentence);
  void reportMade(const QString& path);
  /// Emitted when a reloaded report has another number of runs. The receiver must open the report again.
  void runsChanged();

 private:
  /// Replaces the report by its reloaded version.
  void renew(std::shared_ptr<const ReportFile> file);
  void add(Page* page, const PageTitle& title);
  void addPages();
  /// Creates the row above the pages: title_ and chip_.
  QLayout* makeHead();
  QWidget* makeChip();
  /// Determines which pages have no data.
  void lookForRows();
  void sayOfSteps();
  void pageChosen(int place);
  /// Shows the current page, or EmptyPage if it has no data.
  void showPageOrReason();

  std::shared_ptr<const ReportFile> file_;
  QLabel* banner_;
  QWidget* chip_;  ///< shown while pages are restricted to some steps
  QLabel* said_;   ///< text of chip_
  BoardPage* board_;
  ComparePage* compare_;
  DiagnosisPage* diagnosis_;
  std::shared_ptr<const Findable> findable_;  ///< null until it is read
  QString selection_;                         ///< call site, "" for none
  std::optional<queries::StepSpan> steps_;
  Sidebar* sidebar_;
  QLabel* title_;     ///< title of the current page
  EmptyPage* empty_;  ///< shown instead of area_ if the current page has no data
  PageStack* pages_;
  QScrollArea* area_;  ///< scrolls pages_
  QList<QAction*> page_actions_;
};

}  // namespace ampprof::gui
