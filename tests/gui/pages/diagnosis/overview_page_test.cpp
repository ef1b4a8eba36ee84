// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/diagnosis/overview_page.h"

#include <gtest/gtest.h>
#include <qcustomplot.h>

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include "gui/pages/diagnosis/error_strip.h"
#include "tests/gui/ranks_report.h"
#include "tests/gui/stale_cast_report.h"
#include "tests/gui/widgets.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace overview_page_test {

constexpr int kTimeout = 20'000;  // in ms

class Overviews : public testing::Test {
 protected:
  /// Opens ranks with losses 1, 1 + 1/64 and so on. Rank 9 does not finish and has a loss of 5.
  void openRanks(std::size_t count) {
    std::vector<RecordedRank> ranks(count);
    for (std::size_t rank = 0; rank < count; ++rank) {
      ranks[rank].rank = static_cast<std::int64_t>(rank);
      ranks[rank].loss = rank == 9 ? 5.0 : 1.0 + static_cast<double>(rank) / 64;
      ranks[rank].ends = rank != 9;
    }
    writeRanks(folder_ / "r.ampprof", ranks, static_cast<std::int64_t>(count));
    page_ = std::make_unique<OverviewPage>(std::make_shared<const ReportFile>(folder_ / "r.ampprof"));
    page_->resize(1366, 768);
    page_->setVisible(true);
    page_->open();
    plot_ = page_->findChild<QCustomPlot*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return plot_->graphCount() > 0; }, kTimeout));
  }
  QStringList columns() const {
    const QAbstractItemModel* model = page_->findChild<QTableView*>()->model();
    QStringList titles;
    for (int column = 0; column < model->columnCount(); ++column) {
      titles << model->headerData(column, Qt::Horizontal).toString();
    }
    return titles;
  }
  QStringList legend() const {
    QStringList names;
    for (int i = 0; i < plot_->legend->itemCount(); ++i) {
      auto* item = qobject_cast<QCPPlottableLegendItem*>(plot_->legend->item(i));
      if (item != nullptr) names << item->plottable()->name();  // the last row of the legend may have empty cells
    }
    return names;
  }
  double firstLoss(int graph) const { return plot_->graph(graph)->data()->constBegin()->value; }
  bool says(const QString& sentence) const {
    for (const QLabel* label : page_->findChildren<QLabel*>()) {
      if (label->text() == sentence) return true;
    }
    return false;
  }

  test_support::TemporaryFolder folder_;
  std::unique_ptr<OverviewPage> page_;
  QCustomPlot* plot_ = nullptr;
};

TEST_F(Overviews, DrawManyRanksAsABandAndThoseThatStandOut) {
  openRanks(64);
  EXPECT_EQ(columns(), (QStringList{"O1 rank 0", "O1 rank 9"}));
  EXPECT_TRUE(says("1 of 64 ranks at O1 stands out: 9. Shown: rank 0 and those that stand out."));
  EXPECT_EQ(legend(), (QStringList{"smallest to largest", "O1: median of 64 ranks", "O1 rank 9"}));
  ASSERT_EQ(plot_->graphCount(), 4);
  EXPECT_EQ(firstLoss(0), 1.0) << "the least";
  EXPECT_EQ(firstLoss(1), 5.0) << "the largest";
  EXPECT_EQ(firstLoss(2), 1.5) << "the smaller one in the middle, of rank 32";
  EXPECT_EQ(firstLoss(3), 5.0) << "rank 9";
  EXPECT_EQ(plot_->graph(1)->channelFillGraph(), plot_->graph(0));
  EXPECT_FALSE(page_->grab().isNull());
}

TEST_F(Overviews, DrawEachOfAFewRanks) {
  openRanks(12);
  EXPECT_EQ(columns().size(), 12);
  EXPECT_EQ(plot_->graphCount(), 12);
  EXPECT_EQ(legend().front(), "O1 rank 0");
  EXPECT_EQ(plot_->graph(11)->pen().widthF(), 1.5);
  EXPECT_EQ(plot_->graph(0)->pen().widthF(), 5.0) << "no wider than with eight";
}

/// An overview of a report with levels, a loss scale and a finding.
class OverviewOfLevels : public testing::Test {
 protected:
  OverviewOfLevels() {
    writeStaleCast(folder_ / "r.ampprof");
    page_ = std::make_unique<OverviewPage>(std::make_shared<const ReportFile>(folder_ / "r.ampprof"));
    page_->resize(1100, 640);
    page_->setVisible(true);
    page_->open();
    EXPECT_TRUE(QTest::qWaitFor([&] { return plot("Loss scale of each step")->graphCount() > 0; }, kTimeout));
  }

  QCustomPlot* plot(const char* name) const { return named<QCustomPlot>(*page_, name); }

  test_support::TemporaryFolder folder_;
  std::unique_ptr<OverviewPage> page_;
};

TEST_F(OverviewOfLevels, DrawsTimeAndMemoryOfEachAsBars) {
  for (const char* name : {"Loss of each step", "Loss scale of each step", "Time per step", "Peak memory"}) {
    EXPECT_TRUE(plot(name)->isVisible()) << name;
  }
  ASSERT_EQ(plot("Time per step")->plottableCount(), 2) << "of the program and of ampprof";
  EXPECT_EQ(plot("Time per step")->plottable(0)->name(), "program");
  const auto* own = qobject_cast<QCPBars*>(plot("Time per step")->plottable(1));
  EXPECT_EQ(own->dataCount(), 3) << "a bar for each level";
  EXPECT_EQ(own->barBelow(), plot("Time per step")->plottable(0));
}

TEST_F(OverviewOfLevels, TellsLinesWithTheSameValuesApart) {
  const QCustomPlot* losses = plot("Loss of each step");
  ASSERT_EQ(losses->graphCount(), 3);
  EXPECT_EQ(losses->graph(0)->pen().style(), Qt::SolidLine);
  const auto dash_of = [&](int graph) { return losses->graph(graph)->pen().dashPattern().value(0); };
  const auto in_pixels = [&](int graph) { return dash_of(graph) * losses->graph(graph)->pen().widthF(); };
  EXPECT_DOUBLE_EQ(in_pixels(1), 8.0);
  EXPECT_DOUBLE_EQ(in_pixels(2), 4.0) << "the lines below show in its gaps";
  QPalette dark = plot("Loss of each step")->palette();
  dark.setColor(QPalette::Base, Qt::black);
  plot("Loss of each step")->setPalette(dark);
  EXPECT_DOUBLE_EQ(in_pixels(2), 4.0) << "in other colours, too";
}

TEST_F(OverviewOfLevels, NamesTheRunsOfEachLine) {
  for (const char* name : {"Loss of each step", "Loss scale of each step"}) {
    EXPECT_TRUE(plot(name)->legend->visible()) << name;
    EXPECT_EQ(plot(name)->legend->itemCount(), plot(name)->graphCount()) << name;
  }
}

TEST_F(OverviewOfLevels, LeadsToTheFindingAndToWhatIsAdvised) {
  QSignalSpy finding(page_.get(), &OverviewPage::findingWanted);
  QSignalSpy advice(page_.get(), &OverviewPage::adviceWanted);
  QTest::mouseClick(button<QPushButton>(*page_, "Why?"), Qt::LeftButton);
  ASSERT_EQ(finding.count(), 1);
  EXPECT_EQ(finding[0][0].value<std::size_t>(), 0u);
  QTest::mouseClick(named<QPushButton>(*page_, "Mark what ampprof advises"), Qt::LeftButton);
  EXPECT_EQ(advice.count(), 1);
}

TEST_F(OverviewOfLevels, LeadsFromTheWorstCallSitesToTheBoard) {
  auto* strip = page_->findChild<ErrorStrip*>();
  ASSERT_TRUE(QTest::qWaitFor([&] { return strip->accessibleDescription().contains("ulp"); }, kTimeout));
  EXPECT_EQ(strip->accessibleDescription(),
            "backward features.conv1/convolution_backward, step 1, local error 9.8e-04, on average 0.125 ulp")
      << "it overflows in step 3";
  QSignalSpy chosen(page_.get(), &Page::selected);
  QSignalSpy view(page_.get(), &Page::viewWanted);
  QTest::keyClick(strip, Qt::Key_Return);
  ASSERT_EQ(chosen.count(), 1);
  EXPECT_EQ(chosen[0][0].toString(), "backward features.conv1/convolution_backward");
  ASSERT_EQ(view.count(), 1);
  EXPECT_EQ(view[0][0].toString(), "decide");
}

}  // namespace overview_page_test
}  // namespace ampprof::gui
