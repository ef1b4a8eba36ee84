// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "gui/data/view_request.h"
#include "gui/pages/raw/table_page.h"
#include "gui/pages/time/timeline_page.h"
#include "gui/window/main_window.h"
#include "gui/window/report_tab.h"
#include "tests/cli/synthetic_report.h"
#include "tests/gui/widgets.h"
#include "tests/temporary_folder.h"
#include "views/table/format.h"

namespace ampprof::gui {
namespace steps_test {

constexpr int kTimeout = 20'000;  // in ms

/// A window whose user measured steps 2 and 3 in the timeline.
class StepsOfASpan : public testing::Test {
 protected:
  StepsOfASpan() {
    cli::write_synthetic_report(path());
    window_.resize(1366, 768);
    window_.show();
    window_.openReport(QString::fromStdString(path().string()));
    EXPECT_TRUE(QTest::qWaitFor([&] { return window_.tab() != nullptr; }, kTimeout));
  }

  std::filesystem::path path() const { return folder_ / "r.ampprof"; }
  ReportTab& tab() { return *window_.tab(); }
  QLabel* chip() { return named<QLabel>(tab(), "Steps by which pages are filtered"); }
  QString command() const { return window_.findChild<QLabel*>("command")->text(); }

  QPushButton* measure() {
    tab().showView("timeline");
    auto* page = static_cast<TimelinePage*>(tab().page());
    EXPECT_TRUE(QTest::qWaitFor([&] { return page->isFilled(); }, kTimeout));
    TimelineCanvas& canvas = page->canvas();
    const std::vector<TimelineItem>& calls = *canvas.scene().items(0);
    const auto place = [&](std::int64_t ns) {
      return QPointF(canvas.gutter() + canvas.scene().view.xOf(ns), canvas.middleOf(0)).toPoint();
    };
    QTest::mousePress(&canvas, Qt::LeftButton, {}, place(calls[5].start_ns));
    QTest::mouseMove(&canvas, place(calls[13].end_ns));
    QTest::mouseRelease(&canvas, Qt::LeftButton, {}, place(calls[13].end_ns));
    return button<QPushButton>(*page, "Filter other pages: steps 2–3");
  }

  /// Expects the page to show the rows of its view for these steps, in the same order.
  void expectRows(const char* view, const std::optional<queries::StepSpan>& steps) {
    tab().showView(view);
    const views::View printed = tab().file()->view({.name = view, .steps = steps});
    const std::string expected = formatted(printed, views::Format::Csv, {});
    const auto shown = [&] { return tab().page()->csv().value_or(""); };
    EXPECT_TRUE(QTest::qWaitFor([&] { return shown() == expected; }, kTimeout)) << view << '\n'
                                                                                << shown() << '\n'
                                                                                << expected;
  }

  test_support::TemporaryFolder folder_;
  MainWindow window_;
};

TEST_F(StepsOfASpan, AreShownAloneWhereverStepsCanBe) {
  expectRows("ops", {});  // reads the page before steps are chosen
  QPushButton* offer = measure();
  ASSERT_NE(offer, nullptr);
  EXPECT_FALSE(chip()->isVisible());
  QTest::mouseClick(offer, Qt::LeftButton);
  ASSERT_TRUE(chip()->isVisible());
  EXPECT_EQ(chip()->text(),
            "Modules, Ranges, Tensor Cores, Kernels, Casts, Ops show steps 2–3 only; this page shows all steps");
  for (const char* view : {"ops", "ranges", "tensor-cores", "casts"}) {
    expectRows(view, queries::StepSpan{2, 3});
    EXPECT_EQ(chip()->text(), "Shown: steps 2–3 only");
    EXPECT_TRUE(command().endsWith(QString(view) + " --steps 2:3")) << command().toStdString();
  }
  expectRows("impact", {});
  EXPECT_TRUE(chip()->text().endsWith("; this page shows all steps")) << chip()->text().toStdString();
  EXPECT_TRUE(command().endsWith(" impact")) << command().toStdString();
}

TEST_F(StepsOfASpan, AreLeftByAClickOnTheChip) {
  QTest::mouseClick(measure(), Qt::LeftButton);
  expectRows("ops", queries::StepSpan{2, 3});
  auto* close = named<QToolButton>(tab(), "Show all steps");
  QTest::mouseClick(close, Qt::LeftButton);
  EXPECT_FALSE(chip()->isVisible());
  EXPECT_TRUE(command().endsWith(" ops")) << command().toStdString();
  expectRows("ops", {});
  expectRows("ranges", {});
}

TEST_F(StepsOfASpan, AreLeftByEscapeOnceNothingIsSelected) {
  QTest::mouseClick(measure(), Qt::LeftButton);
  expectRows("ops", queries::StepSpan{2, 3});
  auto* rows = tab().page()->findChild<QTableView*>();
  rows->setCurrentIndex(rows->model()->index(0, 0));
  ASSERT_FALSE(tab().selection().isEmpty());
  QTest::keyClick(&window_, Qt::Key_Escape);
  EXPECT_TRUE(tab().selection().isEmpty());
  EXPECT_TRUE(tab().steps()) << "first what is selected";
  QTest::keyClick(&window_, Qt::Key_Escape);
  EXPECT_FALSE(tab().steps());
  expectRows("ops", {});
}

}  // namespace steps_test
}  // namespace ampprof::gui
