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

namespace ampprof::gui {

class CommandRow;
class DiagnosisPage;
class PageStack;
class Sidebar;
struct Findable;
struct PageTitle;

/// Everything that a window shows of one report: a banner where something is missing, and the pages, which
/// a sidebar lists.
class ReportTab : public QWidget {
  Q_OBJECT

 public:
  explicit ReportTab(std::shared_ptr<const ReportFile> file, QWidget* parent = nullptr);

  const std::shared_ptr<const ReportFile>& file() const { return file_; }
  /// Other open reports, which this one can be compared with.
  void offer(const std::vector<std::shared_ptr<const ReportFile>>& others) { compare_->offer(others); }
  Page* page() const;
  BoardPage* board() const { return board_; }
  struct NamedPage {
    QString view;  ///< of `ampprof show`, or what the page does
    Page* page;
  };
  /// In the order of the sidebar.
  std::vector<NamedPage> pages() const;
  QString viewInFront() const;
  const QString& selection() const { return selection_; }
  /// The page that shows a view of `ampprof show`; nothing happens where none does.
  void showView(const QString& view);
  /// Shows that page with a run, and a step of it where one is named.
  void showPlace(const QString& view, const RunPlace& place);
  /// Shows a page by its place in pages().
  void showPage(int place);
  const Sidebar& sidebar() const { return *sidebar_; }
  /// Gives the sidebar the keys.
  void goToSidebar();
  /// Shows the card of a finding, by its place in ReportFile::diagnosis().
  void showFinding(std::size_t place);
  /// Hands over what can be found by its name once it is read, unless `owner` is gone by then.
  void whenFindable(QObject* owner, const std::function<void(const Findable&)>& done);
  /// In all pages; "" for none.
  void select(const QString& call_site);
  /// In all pages that can show some steps alone; all steps where it is empty.
  void showSteps(const std::optional<queries::StepSpan>& steps);
  const std::optional<queries::StepSpan>& steps() const { return steps_; }
  /// Clears the selection; where nothing is selected, shows all steps.
  void clear();
  /// One for each page: goes there. They live as long as the tab.
  QList<QAction*> pageActions() const { return page_actions_; }

 signals:
  void commandChanged(const QString& command);
  void failed(const QString& sentence);
  void reportMade(const QString& path);
  /// The report has other runs than its pages know.
  void runsChanged();

 private:
  /// The report has grown while it is shown.
  void renew(std::shared_ptr<const ReportFile> file);
  void add(Page* page, const PageTitle& title);
  void addPages();
  QWidget* makeChip();
  /// Looks which pages have nothing to show.
  void lookForRows();
  void sayOfSteps();
  void pageChosen(int place);
  void showHint();

  std::shared_ptr<const ReportFile> file_;
  QLabel* banner_;
  QWidget* chip_;  ///< that steps are shown alone
  QLabel* said_;   ///< on it
  BoardPage* board_;
  ComparePage* compare_;
  DiagnosisPage* diagnosis_;
  std::shared_ptr<const Findable> findable_;  ///< null until it is read
  QString selection_;                         ///< call site, "" for none
  std::optional<queries::StepSpan> steps_;
  Sidebar* sidebar_;
  QLabel* needs_;     ///< which machine or program has what the page has nothing of
  CommandRow* hint_;  ///< that records what the page has nothing of
  PageStack* pages_;
  QList<QAction*> page_actions_;
};

}  // namespace ampprof::gui
