// SPDX-License-Identifier: GPL-3.0-or-later
// Takes pictures of the window: gui_pictures REPORT FOLDER [--size 1366x768] [--dark] [--pages findings,runs] writes
// FOLDER/PAGE.png, or PAGE-dark.png with --dark, for each page or the named ones. Works with QT_QPA_PLATFORM=offscreen.
#include <QApplication>
#include <QCommandLineParser>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <QThreadPool>
#include <cstdio>

#include "gui/delegates/outlined_style.h"
#include "gui/look/look.h"
#include "gui/window/main_window.h"
#include "gui/window/report_tab.h"

namespace {

using namespace ampprof::gui;

constexpr int kTimeout = 60'000;  // in ms
constexpr int kRounds = 5;        // a page may read more after its first read

/// Waits until the contents have been read and painted.
void settle() {
  for (int round = 0; round < kRounds; ++round) {
    QThreadPool::globalInstance()->waitForDone();
    QTest::qWait(60);
  }
}

bool takePictures(MainWindow& window, const QStringList& wanted, const QString& folder, const QString& end) {
  bool all_written = true;
  for (const auto& [view, page] : window.tab()->pages()) {
    if (!wanted.isEmpty() && !wanted.contains(view)) continue;
    window.tab()->showView(view);
    settle();
    const QString path = folder + '/' + view + end;
    const bool is_written = window.grab().save(path);
    if (!is_written) std::fprintf(stderr, "gui_pictures: cannot write %s\n", qUtf8Printable(path));
    all_written = all_written && is_written;
  }
  return all_written;
}

}  // namespace

int main(int count, char** arguments) {
  QStandardPaths::setTestModeEnabled(true);  // leaves the user's settings alone
  QApplication application(count, arguments);
  QCommandLineParser parser;
  parser.addOptions(
      {{"size", "of the window", "WxH", "1366x768"}, {"dark", "in the dark theme"}, {"pages", "by commas", "VIEWS"}});
  parser.process(application);
  const QStringList given = parser.positionalArguments();
  const QStringList size = parser.value("size").split('x');
  if (given.size() != 2 || size.size() != 2) {
    std::fprintf(stderr, "usage: gui_pictures REPORT FOLDER [--size WxH] [--dark] [--pages VIEW,VIEW]\n");
    return 2;
  }
  QApplication::setStyle(new OutlinedStyle);
  QApplication::setPalette(ownPalette(parser.isSet("dark")));
  MainWindow window;
  window.resize(size[0].toInt(), size[1].toInt());
  window.show();
  QSignalSpy opened(&window, &MainWindow::opened);
  window.openReport(given[0]);
  if (!opened.wait(kTimeout)) {
    std::fprintf(stderr, "gui_pictures: %s cannot be opened\n", qUtf8Printable(given[0]));
    return 4;
  }
  const QStringList wanted = parser.value("pages").split(',', Qt::SkipEmptyParts);
  return takePictures(window, wanted, given[1], parser.isSet("dark") ? "-dark.png" : ".png") ? 0 : 1;
}
