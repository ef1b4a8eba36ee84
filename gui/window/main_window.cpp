// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/window/main_window.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QSaveFile>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "gui/data/background.h"
#include "gui/data/findable.h"
#include "gui/data/report_file.h"
#include "gui/models/plain_tip.h"
#include "gui/window/command_palette.h"
#include "gui/window/page_progress.h"
#include "gui/window/picture.h"
#include "gui/window/reading_progress.h"
#include "gui/window/recent_reports.h"
#include "gui/window/report_offers.h"
#include "gui/window/report_tab.h"
#include "gui/window/start_page.h"
#include "gui/window/theme.h"
#include "gui/window/view_state.h"
#include "reports/store/cancel_scope.h"

namespace ampprof::gui {
namespace {

constexpr const char* kUntouched = "untouched";  // property of a tab: its view state before the user changed anything

constexpr int kMostLetters = 160;       // maximum length of the command in the status bar, in characters
constexpr double kWidestCommand = 0.6;  // maximum width of the command, as a fraction of the window's width

constexpr const char* kReports = "ampprof reports (*.ampprof);;All files (*)";

constexpr const char* kKeys =
    "Ctrl+O\topen a report\n"
    "Ctrl+W\tclose the report\n"
    "Ctrl+Q\tquit\n"
    "Ctrl+Tab\tgo to the next report\n"
    "Alt+1 … Alt+9\tgo to a page of the report\n"
    "Alt+0\tgo to the sidebar, where arrow keys move between pages\n"
    "Ctrl+F\tfilter the table\n"
    "Esc\tclear the selection on all pages; if nothing is selected, show all steps\n"
    "Ctrl+C\tcopy the selected rows\n"
    "Ctrl+Shift+C\tcopy the command that prints the page\n"
    "Ctrl+E\tsave the table as CSV\n"
    "Ctrl+P\tsave a picture of the page\n"
    "Ctrl+Alt+P\tcopy a picture of the page\n"
    "Ctrl+K\tfind a page, a call site, a finding or a command by its name\n"
    "W S A D\ttimeline: zoom in and out, pan left and right\n"
    "← → ↑ ↓\ttimeline: go to the next call, to another thread\n"
    "M\ttimeline: measure what is visible\n"
    "Enter\ttimeline: filter other pages by the measured steps\n"
    "F\ttimeline: focus on what is selected or measured\n"
    "Home\ttimeline: show the whole run\n"
    "← → ↑ ↓ Enter\toverview and impact against time: go to the next value, open its call site\n"
    "?\tshow these keys";

QAction* action(QMenu* menu, const QString& text, const QKeySequence& keys, auto* receiver, auto&& slot) {
  QAction* made = menu->addAction(text);
  made->setShortcut(keys);
  QObject::connect(made, &QAction::triggered, receiver, slot);
  return made;
}

/// Writes the view state of a tab if the user changed anything, or if its file already exists.
void keepViewState(const ReportTab& tab) {
  const QJsonObject state = viewState(tab);
  const std::filesystem::path& report = tab.file()->path();
  const bool is_untouched = state == tab.property(kUntouched).toJsonObject();
  if (!is_untouched || std::filesystem::exists(viewStateFile(report))) writeViewState(report, state);
}

void addThemes(QMenu* menu) {
  auto* group = new QActionGroup(menu);
  const auto add = [&](const char* name, Theme theme) {
    QAction* made = action(menu, name, {}, menu, [theme] { choose(theme); });
    made->setCheckable(true);
    made->setChecked(theme == chosenTheme());
    group->addAction(made);
  };
  add("Same as the &desktop", Theme::System);
  add("&Light", Theme::Light);
  add("D&ark", Theme::Dark);
}

}  // namespace

MainWindow::MainWindow() {
  setWindowTitle("ampprof");
  setAcceptDrops(true);
  resize(1200, 760);
  makeTabs();
  makeMenus();
  auto* open = new QToolButton(this);
  open->setText("Open");
  open->setToolTip("Opens a report (Ctrl+O)");
  open->setPopupMode(QToolButton::MenuButtonPopup);
  open->setMenu(recent_);
  connect(open, &QToolButton::clicked, this, &MainWindow::askForReports);
  tabs_->setCornerWidget(open);
  makeStatusBar();
}

void MainWindow::makeTabs() {
  tabs_ = new QTabWidget(this);
  tabs_->setTabsClosable(true);
  tabs_->setDocumentMode(true);
  tabs_->setAccessibleName("Pages of the report");
  tabs_->tabBar()->setAccessibleName("Reports");
  connect(tabs_, &QTabWidget::tabCloseRequested, this, &MainWindow::closeTab);
  connect(tabs_, &QTabWidget::currentChanged, this, &MainWindow::tabChosen);
  start_ = new StartPage(this);
  connect(start_, &StartPage::filesWanted, this, &MainWindow::askForReports);
  connect(start_, &StartPage::reportWanted, this, &MainWindow::openReport);
  whole_ = new QStackedWidget(this);
  whole_->addWidget(start_);
  whole_->addWidget(tabs_);
  setCentralWidget(whole_);
}

void MainWindow::makeMenus() {
  QMenu* file = menuBar()->addMenu("&File");
  action(file, "&Open…", QKeySequence("Ctrl+O"), this, [this] { askForReports(); });
  recent_ = file->addMenu("Open &recent");
  connect(recent_, &QMenu::aboutToShow, this, &MainWindow::fillRecent);
  action(file, "Save table as &CSV…", QKeySequence("Ctrl+E"), this, [this] { exportCsv(); });
  picture_actions_ << action(file, "Save page as &picture…", QKeySequence("Ctrl+P"), this, [this] { exportPicture(); })
                   << action(file, "Copy page as p&icture", QKeySequence("Ctrl+Alt+P"), this, [this] {
                        if (tab()) copyPicture(*tab()->page());
                      });
  action(file, "&Close report", QKeySequence("Ctrl+W"), this, [this] { closeTab(tabs_->currentIndex()); });
  action(file, "&Quit", QKeySequence("Ctrl+Q"), this, [this] { close(); });

  QMenu* view = menuBar()->addMenu("&View");
  action(view, "&Filter", QKeySequence("Ctrl+F"), this, [this] {
    QWidget* field = tab() ? tab()->page()->filterField() : nullptr;
    if (field) field->setFocus();
  });
  action(view, "Select &nothing", QKeySequence("Esc"), this, [this] {
    if (tab()) tab()->clear();
  });
  action(view, "&Copy command", QKeySequence("Ctrl+Shift+C"), this,
         [this] { QGuiApplication::clipboard()->setText(whole_command_); });
  action(view, "&Next report", QKeySequence("Ctrl+Tab"), this,
         [this] { tabs_->setCurrentIndex((tabs_->currentIndex() + 1) % std::max(tabs_->count(), 1)); });
  for (int place = 0; place < 9; ++place) {
    action(view, QString("Page &%1").arg(place + 1), QKeySequence(QString("Alt+%1").arg(place + 1)), this,
           [this, place] {
             if (tab()) tab()->showPage(place);
           });
  }

  action(view, "Side&bar", QKeySequence("Alt+0"), this, [this] {
    if (tab()) tab()->goToSidebar();
  });
  addThemes(view->addMenu("&Theme"));

  QMenu* help = menuBar()->addMenu("&Help");
  QAction* find = action(help, "&Find anything…", {}, this, [this] { showPalette(); });
  find->setShortcuts({QKeySequence("Ctrl+K"), QKeySequence("Ctrl+Shift+P")});
  action(help, "&Keys", QKeySequence("?"), this, [this] { showKeys(); });
}

void MainWindow::makeStatusBar() {
  command_ = new QLabel(this);
  command_->setObjectName("command");
  command_->setTextFormat(Qt::PlainText);
  command_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  command_->setAccessibleName("Command that prints the page");
  copy_ = new QToolButton(this);
  copy_->setText("Copy");
  copy_->setToolTip("Copies the command (Ctrl+Shift+C)");
  copy_->hide();
  connect(copy_, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(whole_command_); });
  reading_ = new ReadingProgress(this);
  page_progress_ = new PageProgress(this);
  statusBar()->addWidget(reading_);
  statusBar()->addWidget(page_progress_);
  statusBar()->addPermanentWidget(command_);
  statusBar()->addPermanentWidget(copy_);
}

void MainWindow::openReport(const QString& path) {
  const queries::OpenProgress progress = reading_->begin(path);
  inBackground(
      this,
      [path, progress, stop = reading_->stop()]() -> std::shared_ptr<const ReportFile> {
        const store::CancelScope scope(stop);
        return std::make_shared<ReportFile>(path.toStdString(), progress);
      },
      [this, path](std::shared_ptr<const ReportFile>&& file) {
        if (!reading_->end(path)) return;  // the user cancelled the reading
        rememberReport(path);
        addTab(std::move(file));
      },
      [this, path](const QString& sentence) {
        if (reading_->end(path)) tell(sentence);
      });
}

void MainWindow::addTab(std::shared_ptr<const ReportFile> file) {
  auto* added = new ReportTab(std::move(file));
  for (const auto& [view, page] : added->pages()) {
    page->setContextMenuPolicy(Qt::ActionsContextMenu);
    page->addActions(picture_actions_);
  }
  const QJsonObject untouched = viewState(*added);
  added->setProperty(kUntouched, untouched);
  restoreViewState(*added, readViewState(added->file()->path()));
  connect(added, &ReportTab::failed, this, &MainWindow::tell);
  connect(added, &ReportTab::reportMade, this, &MainWindow::openReport);
  connect(added, &ReportTab::commandChanged, this, [this, added](const QString& command) {
    if (added != tab()) return;
    showCommand(command);
    page_progress_->follow(added->page());
  });
  connect(added, &ReportTab::runsChanged, this, [this, added] {
    const QString path = QString::fromStdString(added->file()->path().string());
    closeTab(tabs_->indexOf(added));
    openReport(path);
  });
  const int place = tabs_->addTab(added, nameOf(*added->file()));
  tabs_->setTabToolTip(place, QString::fromStdString(added->file()->path().string()));
  tabs_->setCurrentIndex(place);
  tabChosen();
  statusBar()->clearMessage();
  offerReports();
  emit opened();
}

void MainWindow::offerReports() {
  for (int place = 0; place < tabs_->count(); ++place) {
    std::vector<std::shared_ptr<const ReportFile>> others;
    for (int other = 0; other < tabs_->count(); ++other) {
      if (other != place) others.push_back(static_cast<ReportTab*>(tabs_->widget(other))->file());
    }
    static_cast<ReportTab*>(tabs_->widget(place))->offer(others);
  }
}

ReportTab* MainWindow::tab() const { return static_cast<ReportTab*>(tabs_->currentWidget()); }

void MainWindow::closeTab(int place) {
  QWidget* closed = tabs_->widget(place);
  if (closed == nullptr) return;
  keepViewState(*static_cast<ReportTab*>(closed));
  tabs_->removeTab(place);
  closed->deleteLater();
  offerReports();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  for (int place = 0; place < tabs_->count(); ++place) keepViewState(*static_cast<ReportTab*>(tabs_->widget(place)));
  QMainWindow::closeEvent(event);
}

void MainWindow::tabChosen() {
  if (tab() == nullptr && whole_->currentWidget() == tabs_) start_->refresh();
  whole_->setCurrentIndex(tab() == nullptr ? 0 : 1);
  setWindowTitle(tab() ? QString::fromStdString(tab()->file()->path().string()) + " – ampprof" : "ampprof");
  showCommand(tab() ? tab()->page()->command() : QString());
  page_progress_->follow(tab() ? tab()->page() : nullptr);
}

void MainWindow::showCommand(const QString& command) {
  whole_command_ = command;
  const QString line = command.simplified();  // makes one line of a command with line breaks, such as an SQL query
  const QFontMetrics metrics = command_->fontMetrics();
  const int room = std::min(static_cast<int>(width() * kWidestCommand), kMostLetters * metrics.averageCharWidth());
  command_->setText(metrics.elidedText(line, Qt::ElideRight, room));
  command_->setToolTip(plainTip(command));
  copy_->setVisible(!command.isEmpty());
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  showCommand(whole_command_);
}

void MainWindow::tell(const QString& sentence) {
  statusBar()->clearMessage();
  auto* box = new QMessageBox(QMessageBox::Warning, "ampprof", sentence, QMessageBox::Ok, this);
  box->setTextFormat(Qt::PlainText);
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->open();  // not exec(), which would block
  emit refused(sentence);
}

void MainWindow::askForReports() {
  for (const QString& path : QFileDialog::getOpenFileNames(this, "Open reports", {}, kReports)) openReport(path);
}

void MainWindow::fillRecent() {
  recent_->clear();
  for (const QString& path : recentReports()) {
    connect(recent_->addAction(path), &QAction::triggered, this, [this, path] { openReport(path); });
  }
  if (recent_->isEmpty()) recent_->addAction("none yet")->setEnabled(false);
}

void MainWindow::exportCsv() {
  const std::optional<std::string> csv = tab() ? tab()->page()->csv() : std::nullopt;
  if (!csv) return tell("This page has no table to save. Open a report with Ctrl+O and choose a page with a table.");
  const QString path = QFileDialog::getSaveFileName(this, "Save table", {}, "CSV (*.csv)");
  if (path.isEmpty()) return;
  QSaveFile file(path);
  const auto size = static_cast<qint64>(csv->size());
  const bool is_written = file.open(QIODevice::WriteOnly) && file.write(csv->data(), size) == size && file.commit();
  if (!is_written) tell(path + " could not be written: " + file.errorString() + ".");
}

void MainWindow::exportPicture() {
  if (tab() == nullptr) return tell("No report is open. Open one with Ctrl+O.");
  const QString path = QFileDialog::getSaveFileName(this, "Save picture", {}, "PNG (*.png);;SVG (*.svg)");
  if (!path.isEmpty() && !savePicture(*tab()->page(), path)) tell(path + " could not be written.");
}

void MainWindow::showKeys() { QMessageBox::information(this, "Keys", kKeys); }

void MainWindow::showPalette() {
  QList<QAction*> actions = tab() ? tab()->pageActions() : QList<QAction*>();
  for (const QMenu* menu : menuBar()->findChildren<QMenu*>(Qt::FindDirectChildrenOnly)) {
    if (menu != recent_) actions += menu->actions();
  }
  auto* palette = new CommandPalette(offersOf(actions), this);
  palette->setAttribute(Qt::WA_DeleteOnClose);
  palette->open();
  if (tab() == nullptr) return;
  palette->say("Reading call sites and findings …");
  tab()->whenFindable(palette, [palette, tab = tab()](const Findable& found) {
    palette->add(offersOf(*tab, found));
    palette->say("Enter shows a call site in Ops, Ctrl+Enter in Decide.");
  });
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  for (const QUrl& url : event->mimeData()->urls()) openReport(url.toLocalFile());
}

}  // namespace ampprof::gui
