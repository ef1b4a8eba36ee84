// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/decide/impact_view.h"

#include <gtest/gtest.h>
#include <qcustomplot.h>

#include <QLabel>
#include <QSignalSpy>
#include <QTest>

#include "gui/data/board.h"
#include "gui/data/report_file.h"
#include "gui/models/board_model.h"
#include "gui/models/impact_dots.h"
#include "gui/plots/impact_plot.h"
#include "reports/queries/ops.h"
#include "tests/cli/layered_report.h"
#include "tests/gui/widgets.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace impact_view_test {

class ImpactViews : public testing::Test {
 protected:
  ImpactViews() : view_(board_, true) {
    cli::write_layered_report(folder_ / "r.ampprof");
    board_.show(advisedBoard(ReportFile(folder_ / "r.ampprof")));
    board_.arrange(analysis::GroupBy::Module, "");
    view_.resize(800, 500);
    view_.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&view_));
  }

  ImpactPlot* plot() const { return view_.findChild<ImpactPlot*>(); }
  QCustomPlot* canvas() const { return plot()->findChild<QCustomPlot*>(); }
  QString said() const { return named<QLabel>(view_, "What the plot shows")->text(); }
  int dotsOf(const QString& name) const {
    for (int graph = 0; graph < canvas()->graphCount(); ++graph) {
      if (canvas()->graph(graph)->name() == name) return canvas()->graph(graph)->dataCount();
    }
    return -1;
  }

  test_support::TemporaryFolder folder_;
  BoardModel board_;
  ImpactView view_;
};

TEST_F(ImpactViews, HaveADotForEachCallSiteThatWasMeasured) {
  const ImpactDots drawn = impactDots(board_);
  ASSERT_FALSE(drawn.dots.empty());
  int dots = 0;
  for (const char* name : {"cannot be marked", "noise", "in reduced precision", "marked as FP32"}) {
    EXPECT_GE(dotsOf(name), 0) << name;
    dots += dotsOf(name);
  }
  EXPECT_EQ(dots, std::ssize(drawn.dots));
  for (const ImpactDot& dot : drawn.dots) EXPECT_TRUE(dot.tip.contains(dot.call_site)) << dot.tip.toStdString();
}

TEST_F(ImpactViews, FillWhatIsMarked) {
  EXPECT_EQ(dotsOf("marked as FP32"), 0);
  const int free = dotsOf("in reduced precision");
  board_.keep({0});
  EXPECT_GT(dotsOf("marked as FP32"), 0);
  EXPECT_LT(dotsOf("in reduced precision"), free);
}

TEST_F(ImpactViews, FollowTheFilterOfTheBoard) {
  const int all = static_cast<int>(impactDots(board_).dots.size());
  board_.arrange(analysis::GroupBy::Op, "layers.1");
  EXPECT_LT(dotsOf("in reduced precision") + dotsOf("cannot be marked") + dotsOf("noise"), all);
  board_.arrange(analysis::GroupBy::Op, "no such op");
  EXPECT_FALSE(plot()->isVisible());
  EXPECT_TRUE(said().contains("ampprof run --impact")) << said().toStdString();
}

TEST_F(ImpactViews, SayWhatTimesOfACpuAreWorth) {
  EXPECT_TRUE(said().contains("FP16 was emulated on the CPU")) << said().toStdString();
}

TEST_F(ImpactViews, TellWhichDotWasClicked) {
  const QString site = impactDots(board_).dots.front().call_site;
  canvas()->replot();
  const QSignalSpy chosen(&view_, &ImpactView::siteChosen);
  QTest::mouseClick(canvas(), Qt::LeftButton, {}, plot()->placeOf(site).value());
  ASSERT_EQ(chosen.size(), 1);
  EXPECT_EQ(chosen.front().front(), site);
  QTest::mouseClick(canvas(), Qt::LeftButton, {}, {1, 1});
  EXPECT_EQ(chosen.size(), 1) << "no dot is there";
}

TEST_F(ImpactViews, MoveFromDotToDotByKeysAndChooseByEnter) {
  std::vector<ImpactDot> dots = impactDots(board_).dots;
  ASSERT_GT(dots.size(), 2u);
  EXPECT_TRUE(canvas()->focusPolicy() & Qt::TabFocus);
  const auto said = [&] { return canvas()->accessibleDescription(); };
  QTest::keyClick(canvas(), Qt::Key_Right);
  EXPECT_TRUE(said().startsWith(dots.front().call_site)) << said().toStdString();
  EXPECT_EQ(dotsOf("keyboard focus"), 1);
  std::ranges::stable_sort(dots, {}, &ImpactDot::us);
  for (std::size_t i = 0; i < dots.size(); ++i) QTest::keyClick(canvas(), Qt::Key_Left);
  EXPECT_EQ(said(), QString(dots.front().tip).replace('\n', ", "));
  for (std::size_t i = 1; i < dots.size(); ++i) {
    QTest::keyClick(canvas(), Qt::Key_Right);
    EXPECT_EQ(said(), QString(dots[i].tip).replace('\n', ", ")) << i;
  }
  std::ranges::stable_sort(dots, {}, &ImpactDot::change);
  for (std::size_t i = 0; i < dots.size(); ++i) QTest::keyClick(canvas(), Qt::Key_Up);
  EXPECT_TRUE(said().startsWith(dots.back().call_site)) << said().toStdString();
  const QSignalSpy chosen(&view_, &ImpactView::siteChosen);
  QTest::keyClick(canvas(), Qt::Key_Return);
  ASSERT_EQ(chosen.size(), 1);
  EXPECT_EQ(chosen.front().front(), dots.back().call_site);
}

TEST_F(ImpactViews, PutARingAroundWhatIsSelected) {
  EXPECT_EQ(dotsOf("selected"), 0);
  view_.select(impactDots(board_).dots.front().call_site);
  EXPECT_EQ(dotsOf("selected"), 1);
  view_.select("");
  EXPECT_EQ(dotsOf("selected"), 0);
}

}  // namespace impact_view_test
}  // namespace ampprof::gui
