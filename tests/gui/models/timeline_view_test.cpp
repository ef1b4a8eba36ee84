// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/timeline_view.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <random>

namespace ampprof::gui {
namespace timeline_view_test {

constexpr TimeSpan kRun{1'000'000, 101'000'000};
constexpr double kWidth = 1'000;  // 100 µs per pixel

TimelineView aView() {
  TimelineView view(kRun);
  view.setWidth(kWidth);
  return view;
}

TimelineItem callAt(std::int64_t start_ns, std::int64_t duration_ns, PrecisionClass kind = PrecisionClass::Full) {
  TimelineItem call;
  call.start_ns = start_ns;
  call.end_ns = start_ns + duration_ns;
  call.kind = static_cast<std::size_t>(kind);
  return call;
}

TEST(TimelineView, ShowsTheWholeRunAtFirst) {
  const TimelineView view = aView();
  EXPECT_EQ(view.visible(), kRun);
  EXPECT_DOUBLE_EQ(view.xOf(kRun.from_ns), 0);
  EXPECT_DOUBLE_EQ(view.xOf(kRun.to_ns), kWidth);
  EXPECT_EQ(view.timeAt(500), 51'000'000);
  EXPECT_EQ(view.timeAt(-5), kRun.from_ns);
}

TEST(TimelineView, ZoomsAroundAPoint) {
  TimelineView view = aView();
  const std::int64_t there = view.timeAt(300);
  for (const double factor : {1.5, 4.0, 1.2, 0.5, 0.9}) {
    view.zoom(factor, 300);
    EXPECT_NEAR(view.xOf(there), 300, 1e-3) << "factor " << factor;
  }
}

TEST(TimelineView, StaysWithinTheRun) {
  std::mt19937 random(1);
  TimelineView view = aView();
  for (int round = 0; round < 2'000; ++round) {
    switch (random() % 4) {
      case 0:
        view.zoom(0.2 + random() % 30 / 10.0, random() % 1'000);
        break;
      case 1:
        view.pan(static_cast<double>(random() % 4'000) - 2'000);
        break;
      case 2:
        view.setWidth(random() % 3'000);
        break;
      default:
        view.focus({static_cast<std::int64_t>(random()), static_cast<std::int64_t>(random()) + (1ll << 33)});
    }
    const auto [from, to] = view.visible();
    ASSERT_GE(from, kRun.from_ns);
    ASSERT_LE(to, kRun.to_ns);
    ASSERT_GE(to - from, 999) << "a microsecond is the least";
  }
}

TEST(TimelineView, PansByPixelsUntilTheEnd) {
  TimelineView view = aView();
  view.zoom(10, 0);
  view.pan(100);
  EXPECT_EQ(view.visible(), (TimeSpan{2'000'000, 12'000'000}));
  view.pan(1e9);
  EXPECT_EQ(view.visible(), (TimeSpan{91'000'000, 101'000'000})) << "and keeps the length";
}

TEST(TimelineView, FocusesOnASpanWithAMargin) {
  TimelineView view = aView();
  view.focus({40'000'000, 50'000'000});
  EXPECT_EQ(view.visible(), (TimeSpan{39'000'000, 51'000'000}));
  view.showWhole();
  EXPECT_EQ(view.visible(), kRun);
}

TEST(TimelineView, OfNoTimeOrAllOfItShowsSomething) {
  for (const TimeSpan& whole :
       {TimeSpan{}, TimeSpan{7, 7},
        TimeSpan{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}}) {
    TimelineView view(whole);
    view.setWidth(100);
    view.zoom(3, 50);
    view.pan(10);
    EXPECT_LE(view.visible().from_ns, view.visible().to_ns);
    EXPECT_LT(ticksOf(view, 50).ticks.size(), 10u);
  }
}

TEST(TimelineBars, MergeNeighboursBelowAPixel) {
  // In pixels: calls at 0–2, 3–3.2, 3.5–3.7, 4.2–4.4, 8–8.1 and 10–12.
  const std::vector<TimelineItem> calls{
      callAt(1'000'000, 200'000), callAt(1'300'000, 20'000), callAt(1'350'000, 20'000, PrecisionClass::NonFinite),
      callAt(1'420'000, 20'000),  callAt(1'800'000, 10'000), callAt(2'000'000, 200'000)};
  const std::vector<TimelineBar> bars = barsOf(calls, aView());
  ASSERT_EQ(bars.size(), 4u);
  EXPECT_FALSE(bars[0].isMerged());
  EXPECT_TRUE(bars[1].isMerged());
  EXPECT_EQ(bars[1].first, 1u);
  EXPECT_EQ(bars[1].count, 3u);
  EXPECT_EQ(bars[1].times, (ClassTimes{40'000, 0, 0, 20'000}));
  EXPECT_FALSE(bars[2].isMerged());
  EXPECT_DOUBLE_EQ(bars[2].to_x - bars[2].from_x, 1.0) << "what is there can be seen";
}

TEST(TimelineBars, HoldEachVisibleCallOnce) {
  std::mt19937 random(2);
  std::vector<TimelineItem> calls;
  for (std::int64_t now = kRun.from_ns; now < kRun.to_ns;) {
    calls.push_back(
        callAt(now, static_cast<std::int64_t>(random() % 40 == 0 ? random() % 1'000'000 : random() % 60'000)));
    now = calls.back().end_ns + static_cast<std::int64_t>(random() % 90'000);
  }
  TimelineView view = aView();
  for (int round = 0; round < 12; ++round) {
    std::size_t next = 0;
    double last_end = -1e9;
    for (const TimelineBar& bar : barsOf(calls, view)) {
      if (next == 0) next = bar.first;
      EXPECT_EQ(bar.first, next);
      next += bar.count;
      EXPECT_GE(bar.to_x - bar.from_x, 1.0 - 1e-9);
      EXPECT_TRUE(!bar.isMerged() || bar.to_x - bar.from_x <= kWidestMergedSlice + 1e-9);
      EXPECT_GT(bar.to_x, last_end);
      last_end = bar.to_x;
    }
    view.zoom(2, 400);
  }
}

TEST(TimelineBars, OfASummaryArePixelsWideAndLoseNoTime) {
  const std::vector<ClassTimes> bins(4'096, ClassTimes{3, 5});
  const std::vector<TimelineBar> bars = barsOf(bins, kRun, aView());
  EXPECT_GT(bars.size(), 700u);
  ClassTimes sum{};
  for (const TimelineBar& bar : bars) {
    add_times(sum, bar.times);
    EXPECT_TRUE(bar.to_x - bar.from_x >= 1.0 || &bar == &bars.back());
  }
  EXPECT_EQ(sum, (ClassTimes{3 * 4'096, 5 * 4'096}));
}

TEST(TimelineBars, AreFoundByTheirPlace) {
  const std::vector<TimelineBar> bars =
      barsOf(std::vector{callAt(2'000'000, 500'000), callAt(3'000'000, 500'000)}, aView());
  EXPECT_EQ(barAt(bars, 12), &bars[0]);
  EXPECT_EQ(barAt(bars, 17), nullptr);
  EXPECT_EQ(barAt(bars, 20), &bars[1]);
}

TEST(TimelineTicks, AreRoundAndFarEnoughApart) {
  TimelineView view = aView();
  for (int round = 0; round < 40; ++round) {
    const TimelineTicks ticks = ticksOf(view, 120);
    EXPECT_FALSE(ticks.ticks.size() > kWidth / 120 + 1);
    for (std::size_t i = 1; i < ticks.ticks.size(); ++i) EXPECT_GE(ticks.ticks[i].x - ticks.ticks[i - 1].x, 119.9);
    std::int64_t first_digit = ticks.step_ns;
    while (first_digit >= 10) first_digit /= 10;
    EXPECT_TRUE(first_digit == 1 || first_digit == 2 || first_digit == 5) << ticks.step_ns;
    view.zoom(1.3, 333);
  }
}

TEST(TimelineTicks, HaveALabelOnlyWhereTheEdgeDoesNotCutIt) {
  const TimelineView view = aView();
  EXPECT_TRUE(fitsLabel({.x = kWidth - 60}, 50, view));
  EXPECT_FALSE(fitsLabel({.x = kWidth - 60}, 60, view));
}

TEST(TimelineTicks, HaveTheUnitOfTheirStep) {
  EXPECT_EQ(tickText(12'000'000, 2'000'000), "12 ms");
  EXPECT_EQ(tickText(12'345'000, 5'000), "12,345 µs");
  EXPECT_EQ(tickText(3'000'000'000, 1'000'000'000), "3 s");
  EXPECT_EQ(tickText(0, 500), "0 ns");
  EXPECT_EQ(tickText(-123'000, 1'000), "-123 µs");
  EXPECT_EQ(tickText(-1'123'000, 1'000), "-1,123 µs");
}

}  // namespace timeline_view_test
}  // namespace ampprof::gui
