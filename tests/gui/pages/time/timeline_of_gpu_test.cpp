// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>

#include "gui/models/timeline_text.h"
#include "gui/pages/time/timeline_legend.h"
#include "gui/pages/time/timeline_page.h"
#include "tests/cli/gpu_report.h"
#include "tests/cli/synthetic_report.h"
#include "tests/gui/widgets.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace timeline_of_gpu_page_test {

constexpr int kTimeout = 20'000;  // in ms
constexpr std::int64_t kMicrosecond = 1'000;
constexpr std::int64_t kStep = 1'000 * kMicrosecond;

class TimelinePageOfGpu : public testing::Test {
 protected:
  TimelinePageOfGpu() {
    cli::write_gpu_report(folder_ / "r");
    page_ = std::make_unique<TimelinePage>(std::make_shared<const ReportFile>(folder_ / "r"));
    page_->resize(1366, 768);
    page_->show();
    page_->open();
    EXPECT_TRUE(QTest::qWaitFor([&] { return page_->isFilled(); }, kTimeout));
  }

  TimelineCanvas& canvas() { return page_->canvas(); }
  const TimelineScene& scene() { return canvas().scene(); }
  QString line() { return named<QLabel>(*page_, "Measured")->text(); }
  void show(const TimeSpan& span) {
    canvas().focus(span);
    EXPECT_TRUE(QTest::qWaitFor([&] { return page_->isFilled(); }, kTimeout));
  }
  void click(std::size_t track, std::int64_t ns) {
    const QPointF place(canvas().gutter() + scene().view.xOf(ns), canvas().middleOf(track));
    QTest::mouseClick(&canvas(), Qt::LeftButton, {}, place.toPoint());
  }

  test_support::TemporaryFolder folder_;
  std::unique_ptr<TimelinePage> page_;
};

TEST_F(TimelinePageOfGpu, SelectsTheCallSiteOfAKernel) {
  show({kStep, 2 * kStep});
  QSignalSpy selected(page_.get(), &Page::selected);
  click(1, kStep + 115 * kMicrosecond);
  ASSERT_EQ(selected.size(), 1);
  EXPECT_EQ(selected[0][0].toString(), "encoder.fc/linear");
  EXPECT_TRUE(line().contains("ran on Tensor Cores")) << line().toStdString();
  ASSERT_EQ(launchedByCurrent(scene()).size(), 1u);
  click(2, kStep + 20 * kMicrosecond);
  ASSERT_EQ(selected.size(), 2);
  EXPECT_EQ(selected[1][0].toString(), "") << "a memcpy that no op call launched";
  EXPECT_TRUE(line().startsWith("memcpy host to device")) << line().toStdString();
  ASSERT_TRUE(scene().current);
  QTest::keyClick(&canvas(), Qt::Key_F);
  EXPECT_LT(scene().view.visible().to_ns - scene().view.visible().from_ns, 30 * kMicrosecond);
}

TEST_F(TimelinePageOfGpu, LeadsFromACallToItsKernels) {
  show({kStep, 2 * kStep});
  click(0, kStep + 210 * kMicrosecond);
  ASSERT_TRUE(scene().current && scene().current->call());
  const auto kernels = launchedByCurrent(scene());
  ASSERT_EQ(kernels.size(), 2u);
  for (const TimelineItem* kernel : kernels) EXPECT_EQ(callSiteOf(kernel->place, *scene().run), "encoder.fc/linear");
  EXPECT_FALSE(page_->grab().isNull());
}

TEST_F(TimelinePageOfGpu, MeasuresStreamsToo) {
  show({kStep, 2 * kStep});
  QTest::keyClick(&canvas(), Qt::Key_M);
  ASSERT_TRUE(QTest::qWaitFor([&] { return line().contains("busy"); }, kTimeout)) << line().toStdString();
  EXPECT_TRUE(line().contains("GPU 0 stream 13: busy 40 µs")) << line().toStdString();
}

TEST_F(TimelinePageOfGpu, GoesFromKernelToKernelByKeys) {
  QTest::keyClick(&canvas(), Qt::Key_Down);
  QTest::keyClick(&canvas(), Qt::Key_Right);
  ASSERT_TRUE(scene().current && scene().current->activity());
  EXPECT_EQ(scene().current->start_ns, kStep + 80 * kMicrosecond);
}

TEST_F(TimelinePageOfGpu, NamesTheColoursOfStreamsOnlyWhereThereAreSome) {
  EXPECT_TRUE(named<TimelineLegend>(*page_, "Colours of GPU activities")->isVisible());
  cli::write_synthetic_report(folder_ / "cpu");
  TimelinePage without(std::make_shared<const ReportFile>(folder_ / "cpu"));
  without.show();
  without.open();
  ASSERT_TRUE(QTest::qWaitFor([&] { return without.isFilled(); }, kTimeout));
  EXPECT_FALSE(named<TimelineLegend>(without, "Colours of GPU activities")->isVisible());
}

TEST(TimelineLayout, PutsTracksBelowEachOtherWithTheirOwnScopes) {
  TimelineRun run;
  run.tracks = {{.kind = queries::TrackKind::Threads, .id = 0, .range_levels = 2, .levels = 5},
                {.kind = queries::TrackKind::Threads, .id = 1, .levels = 3},
                {.kind = queries::TrackKind::Streams, .id = stream_track(0, 7)}};
  const QFontMetrics font{QFont()};
  for (const int room : {0, 600, 4'000}) {
    const TimelineLayout layout(font, run, room);
    double bottom = layout.steps(100).bottom();
    for (std::size_t track = 0; track < run.tracks.size(); ++track) {
      for (int level = 0; level < run.tracks[track].levels; ++level) {
        const QRectF row = layout.scopes(track, level, 100);
        EXPECT_GE(row.top(), bottom);
        EXPECT_EQ(layout.trackAt(row.center().y()), track);
        bottom = row.bottom();
      }
      EXPECT_GE(layout.items(track, 100).top(), bottom);
      bottom = layout.items(track, 100).bottom();
      EXPECT_EQ(layout.trackAt(layout.items(track, 100).center().y()), track);
    }
    EXPECT_LE(bottom, layout.height());
    EXPECT_FALSE(layout.trackAt(layout.height() + 1));
    EXPECT_FALSE(layout.trackAt(layout.steps(100).center().y()));
  }
}

}  // namespace timeline_of_gpu_page_test
}  // namespace ampprof::gui
