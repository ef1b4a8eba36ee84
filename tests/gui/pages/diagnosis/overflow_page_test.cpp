// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/diagnosis/overflow_page.h"

#include <gtest/gtest.h>
#include <qcustomplot.h>

#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include "gui/pages/diagnosis/chain_strip.h"
#include "gui/pages/diagnosis/event_details.h"
#include "gui/plots/scale_plot.h"
#include "tests/cli/synthetic_report.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace overflow_page_test {

constexpr int kTimeout = 20'000;  // in ms

struct OverflowPages : testing::Test {
  OverflowPages() : file_(written()), page_(file_) {
    page_.resize(1000, 700);
    page_.show();
    QSignalSpy shown(&page_, &OverflowPage::shown);
    page_.open();
    EXPECT_TRUE(shown.wait(kTimeout));
  }

  std::shared_ptr<const ReportFile> written() {
    cli::write_synthetic_report(folder_ / "digits.ampprof");
    return std::make_shared<const ReportFile>(folder_ / "digits.ampprof");
  }

  template <class Part>
  Part* part() const {
    return page_.findChild<Part*>();
  }
  QCustomPlot* scalePlot() const { return part<ScalePlot>()->findChild<QCustomPlot*>(); }
  void chooseRun(int place) {
    QSignalSpy shown(&page_, &OverflowPage::shown);
    part<QComboBox>()->setCurrentIndex(place);
    ASSERT_TRUE(shown.wait(kTimeout));
  }

  test_support::TemporaryFolder folder_;
  std::shared_ptr<const ReportFile> file_;
  OverflowPage page_;
};

TEST_F(OverflowPages, OpenWithTheFirstRunThatOverflowed) {
  EXPECT_EQ(part<QComboBox>()->currentText(), "O1");
  const queries::Report report(folder_ / "digits.ampprof");
  const auto events = queries::events(report, 2);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(part<QTableView>()->model()->rowCount(), static_cast<int>(events.size()));
  const auto* details = part<EventDetails>();
  EXPECT_EQ(details->topLevelItem(0)->text(1).toStdString(), events.front().first_op);
  const auto parameters = details->findItems("Parameters", Qt::MatchExactly);
  ASSERT_EQ(parameters.size(), 1);
  ASSERT_EQ(parameters.front()->childCount(), static_cast<int>(events.front().parameters.size()));
  EXPECT_EQ(parameters.front()->child(0)->text(1).toStdString(), "features.conv1.weight: 3 inf, largest finite 65.5k");
}

TEST_F(OverflowPages, DrawTheScaleOfEachStepAndMarkTheEvents) {
  const auto scales = file_->overflow(2).scales;
  ASSERT_FALSE(scales.empty());
  const QCustomPlot* plot = scalePlot();
  ASSERT_EQ(plot->graphCount(), 2) << "the scale, and the events";
  const QCPGraph* scale = plot->graph(0);
  ASSERT_EQ(scale->dataCount(), static_cast<int>(scales.size()) + 1);
  for (std::size_t i = 0; i < scales.size(); ++i) {
    EXPECT_EQ(scale->data()->at(static_cast<int>(i))->value, scales[i].update.scale_before);
  }
  EXPECT_EQ(plot->graph(1)->dataCount(), static_cast<int>(file_->overflow(2).events.size()));
}

TEST_F(OverflowPages, NameLinesWhereNothingIsDrawn) {
  for (QCustomPlot* plot : page_.findChildren<QCustomPlot*>()) {
    plot->replot();
    EXPECT_TRUE(plot->legend->visible());
    EXPECT_LE(plot->legend->outerRect().bottom(), plot->axisRect()->top()) << plot->accessibleName().toStdString();
    EXPECT_LT(plot->legend->outerRect().height(), plot->height() / 4) << plot->accessibleName().toStdString();
  }
}

TEST(EventDetailsTree, WrapsWhatDoesNotFitIntoALine) {
  queries::EventRow event;
  event.first_op = "backward encoder.layers.2.attention.output/scaled_dot_product_attention";
  EventDetails details;
  details.resize(270, 400);
  details.setVisible(true);
  details.show(event);
  const auto height = [&](int row) { return details.visualItemRect(details.topLevelItem(row)).height(); };
  EXPECT_TRUE(QTest::qWaitFor([&] { return height(0) > height(1); }, kTimeout));
}

TEST_F(OverflowPages, TellWhichOpWasChosen) {
  const QSignalSpy selected(&page_, &Page::selected);
  EXPECT_TRUE(selected.empty()) << "the user did not choose the first event";
  auto* details = part<EventDetails>();
  details->setCurrentItem(details->topLevelItem(0));
  ASSERT_EQ(selected.size(), 1);
  EXPECT_EQ(selected.front().front().toString(), details->topLevelItem(0)->text(1));
}

TEST_F(OverflowPages, ShowTheWayOfTheEventAsAStrip) {
  const QSignalSpy selected(&page_, &Page::selected);
  auto* first = part<ChainStrip>()->findChild<QToolButton*>();
  ASSERT_NE(first, nullptr);
  first->click();
  ASSERT_EQ(selected.size(), 1);
  EXPECT_EQ(selected.front().front().toString(), part<EventDetails>()->topLevelItem(0)->text(1));
  page_.select("");
  EXPECT_FALSE(first->isChecked());
}

TEST_F(OverflowPages, SaySoWhereNothingOverflowed) {
  chooseRun(0);
  EXPECT_EQ(part<QTableView>()->model()->rowCount(), 0);
  EXPECT_EQ(part<EventDetails>()->topLevelItemCount(), 0);
  EXPECT_FALSE(part<ChainStrip>()->isVisible());
  const auto labels = page_.findChildren<QLabel*>();
  const auto speaks = [](const QLabel* label) { return label->isVisible() && !label->text().isEmpty(); };
  EXPECT_TRUE(std::ranges::any_of(labels, speaks));
  EXPECT_FALSE(part<ScalePlot>()->isVisible()) << "O0 has no loss scale";
  EXPECT_TRUE(page_.command().endsWith(" events --run 1")) << page_.command().toStdString();
}

}  // namespace overflow_page_test
}  // namespace ampprof::gui
