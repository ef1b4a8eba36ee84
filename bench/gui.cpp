// SPDX-License-Identifier: GPL-3.0-or-later
// Times the GUI with a large report: bench_gui REPORT, under Xvfb or with QT_QPA_PLATFORM=offscreen. Opens the report
// in the real main window, visits each page, zooms into the timeline, and types into a filter.
#include <QApplication>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QTableView>
#include <QTest>
#include <QTreeView>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "gui/pages/compare/compare_page.h"
#include "gui/pages/diagnosis/overview_page.h"
#include "gui/pages/raw/table_page.h"
#include "gui/pages/time/timeline_page.h"
#include "gui/window/main_window.h"
#include "gui/window/report_tab.h"

namespace {

using namespace ampprof::gui;

constexpr int kTimeout = 60'000;  // longest wait for the report to open, in ms
constexpr int kLongest = 3'000;   // longest wait for the rows of a page, in ms

void print(const QString& what, qint64 ms) { std::printf("  %-32s %5lld ms\n", qUtf8Printable(what), ms); }

/// Returns whether a page shows rows, or a timeline whose records have been read.
bool is_filled(const Page& page) {
  if (const auto* timeline = qobject_cast<const TimelinePage*>(&page)) return timeline->isFilled();
  for (const auto* rows : page.findChildren<QAbstractItemView*>()) {
    if (rows->model() != nullptr && rows->model()->rowCount() > 0) return true;
  }
  return false;
}

/// Waits until the page shows rows and is painted. Returns false if it has no rows after kLongest.
bool wait_for_rows(const Page& page) {
  const bool has_rows = QTest::qWaitFor([&] { return is_filled(page); }, kLongest);
  QApplication::processEvents();  // paints
  return has_rows;
}

/// Zooms from the whole run to a few calls, one key press at a time. Prints the longest times from a key press until
/// the page is painted, and until the records of the new span are read.
void zoom_in(MainWindow& window) {
  window.tab()->showView("timeline");
  auto* page = qobject_cast<TimelinePage*>(window.tab()->page());
  qint64 longest_key = 0;
  qint64 longest_reading = 0;
  QElapsedTimer timer;
  for (int key = 0; key < 35; ++key) {
    timer.restart();
    QTest::keyClick(&page->canvas(), Qt::Key_W);
    page->canvas().repaint();
    longest_key = std::max(longest_key, timer.elapsed());
    if (!QTest::qWaitFor([&] { return page->isFilled(); }, kLongest)) std::printf("  the timeline is not read\n");
    page->canvas().repaint();
    longest_reading = std::max(longest_reading, timer.elapsed());
  }
  print("timeline, key W, the slowest", longest_key);
  print("timeline, reading, the slowest", longest_reading);
}

double megabytes_resident() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  }
  return 0.0;
}

}  // namespace

int main(int count, char** arguments) {
  QElapsedTimer timer;
  timer.start();
  QApplication application(count, arguments);
  if (count != 2) {
    std::fprintf(stderr,
                 "bench_gui REPORT: a report as bench_store CALLS FILE or bench_merge 1024 100000 FILE writes it\n");
    return 2;
  }
  MainWindow window;
  window.show();
  QApplication::processEvents();
  print("window", timer.restart());
  window.openReport(arguments[1]);
  if (!QTest::qWaitFor([&] { return window.tab() != nullptr; }, kTimeout)) return 1;
  wait_for_rows(*window.tab()->page());
  print("report, overview painted", timer.restart());
  for (QAction* page : window.tab()->pageActions()) {
    timer.restart();
    page->trigger();
    if (wait_for_rows(*window.tab()->page())) print(page->text(), timer.elapsed());
  }
  zoom_in(window);
  window.tab()->showView("ops");
  auto* field = qobject_cast<QLineEdit*>(window.tab()->page()->filterField());
  for (const char key : std::string("layer1")) {
    timer.restart();
    QTest::keyClick(field, key);
    QApplication::processEvents();
    print(QString("key '%1' in the filter of ops").arg(key), timer.elapsed());
  }
  std::printf("  largest memory %.0f MB\n", megabytes_resident());
}
