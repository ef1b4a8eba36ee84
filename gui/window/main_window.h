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

/// The window: a tab for each report, or the start page. The line below has the command that prints the same content.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  MainWindow();

  /// Opens a report in the background; a sentence says why where it cannot be read.
  void openReport(const QString& path);
  /// The tab in front; null where no report is open.
  ReportTab* tab() const;

 signals:
  /// A report was read; tab() is its tab.
  void opened();
  /// A sentence was shown: what is wrong, and what to do.
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
  /// Tells each report which others are open.
  void offerReports();
  void tell(const QString& sentence);
  void showCommand(const QString& command);
  void tabChosen();
  void exportCsv();
  void exportPicture();
  void showKeys();
  void showPalette();
  void fillRecent();

  QStackedWidget* whole_;  ///< start_, or tabs_ while a report is open
  StartPage* start_;
  QTabWidget* tabs_;
  QLabel* command_;
  QToolButton* copy_;      ///< copies the command
  QString whole_command_;  ///< of which command_ shows the beginning
  ReadingProgress* reading_;
  PageProgress* page_progress_;
  QMenu* recent_ = nullptr;
  QList<QAction*> picture_actions_;  ///< which every page has in its context menu
};

}  // namespace ampprof::gui
