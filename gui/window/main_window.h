// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QStringList>
#include <memory>

class QLabel;
class QMenu;
class QStackedWidget;
class QTabWidget;
class QToolButton;

namespace ampprof::gui {

class PageProgress;
class ReadingProgress;
class ReportFile;
class ReportTab;
class StartPage;

/// The main window: a tab for each report, or the start page. The status bar has the command that prints the content of
/// the current page.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  MainWindow();

  /// Opens a report in the background. Shows an error message if the report cannot be read.
  void openReport(const QString& path);
  /// Returns the current tab; null if no report is open.
  ReportTab* tab() const;

 signals:
  /// Emitted after a report was opened in tab().
  void opened();
  /// Emitted with each error message that is shown.
  void refused(const QString& sentence);

 protected:
  void closeEvent(QCloseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void makeTabs();
  void makeMenus();
  void makeStatusBar();
  void askForReports();
  void addTab(std::shared_ptr<const ReportFile> file);
  void closeTab(int place);
  /// Tells each tab which other reports are open.
  void offerReports();
  void tell(const QString& sentence);
  void showCommand(const QString& command);
  void tabChosen();
  void exportCsv();
  void exportPicture();
  void showKeys();
  void showPalette();
  void fillRecent();

  QStackedWidget* whole_;  ///< shows start_, or tabs_ if a report is open
  StartPage* start_;
  QTabWidget* tabs_;
  QLabel* command_;
  QToolButton* copy_;      ///< copies the full command
  QString whole_command_;  ///< the full command; command_ may show only its beginning
  ReadingProgress* reading_;
  PageProgress* page_progress_;
  QMenu* recent_ = nullptr;
  QList<QAction*> picture_actions_;  ///< actions in every page's context menu: save and copy a picture of the page
};

}  // namespace ampprof::gui
