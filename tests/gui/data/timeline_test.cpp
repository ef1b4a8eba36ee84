// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/timeline.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "reports/queries/run_names.h"
#include "tests/cli/synthetic_report.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace timeline_test {

queries::CallSites sites() {
  const auto site = [](std::int64_t id, Phase phase, const char* module) {
    return std::pair(id, CallSite{.id = id, .phase = phase, .module = module, .op = "mm", .source = ""});
  };
  return {site(1, Phase::Forward, "net.up.conv"), site(2, Phase::Forward, "net.up.norm"), site(3, Phase::Forward, ""),
          site(4, Phase::Backward, "net.a.b.c.d.e")};
}

std::vector<TimelineItem> callsFrom(std::initializer_list<std::int64_t> ids) {
  std::vector<TimelineItem> calls;
  std::int64_t now = 0;
  for (const std::int64_t id : ids) {
    TimelineItem& call = calls.emplace_back();
    call.place.first = id;
    call.start_ns = now;
    call.end_ns = now + 8;
    now += 10;
  }
  return calls;
}

TEST(Scopes, JoinNeighboursThatShareAPrefix) {
  const std::vector<Scope> expected{{0, 48, 0, "forward"}, {0, 18, 1, "net"}, {30, 48, 1, "net"},  {0, 18, 2, "up"},
                                    {30, 48, 2, "up"},     {0, 8, 3, "conv"}, {10, 18, 3, "norm"}, {30, 48, 3, "norm"}};
  EXPECT_EQ(scopesOf(callsFrom({1, 2, 3, 2, 2}), sites()), expected);
}

TEST(Scopes, EndWithTheirPhaseAndTheirSegment) {
  std::vector<TimelineItem> calls = callsFrom({3, 4, 3, 3});
  calls.back().segment = 1;
  std::vector<Scope> phases = scopesOf(calls, sites());
  std::erase_if(phases, [](const Scope& scope) { return scope.depth > 0; });
  EXPECT_EQ(phases,
            (std::vector<Scope>{
                {0, 8, 0, "forward"}, {10, 18, 0, "backward"}, {20, 28, 0, "forward"}, {30, 38, 0, "forward"}}));
}

TEST(Scopes, HaveSoManyLevels) {
  EXPECT_EQ(scopeLevelsOf(sites()), kMostScopes);
  EXPECT_EQ(scopeLevelsOf({}), 1);
  for (const Scope& scope : scopesOf(callsFrom({4}), sites())) EXPECT_LT(scope.depth, kMostScopes);
  EXPECT_TRUE(scopesOf(callsFrom({99}), sites()).empty());
}

TEST(Steps, OfASpanAreThoseThatItTouches) {
  const std::vector<Segment> segments{{.id = 1, .step = 1, .start_ns = 0, .end_ns = 10},
                                      {.id = 2, .step = 2, .start_ns = 10, .end_ns = 20},
                                      {.id = 3, .step = 2, .start_ns = 20, .end_ns = 30},
                                      {.id = 4, .step = 3, .start_ns = 40, .end_ns = 50}};
  using Found = std::optional<queries::StepSpan>;
  EXPECT_EQ(stepsIn({12, 25}, segments), (Found{{2, 2}}));
  EXPECT_EQ(stepsIn({9, 41}, segments), (Found{{1, 3}}));
  EXPECT_EQ(stepsIn({10, 20}, segments), (Found{{2, 2}})) << "where one ends and the other begins it is in one alone";
  EXPECT_EQ(stepsIn({30, 40}, segments), Found());
  EXPECT_EQ(stepsIn({0, 10}, {}), Found());
}

TEST(SpanOfAStep, ReachesOverAllItsParts) {
  const std::vector<Segment> segments{{.id = 1, .step = 1, .start_ns = 10, .end_ns = 20},
                                      {.id = 2, .step = 2, .start_ns = 20, .end_ns = 30},
                                      {.id = 3, .step = 2, .start_ns = 35, .end_ns = 40},
                                      {.id = 4, .step = 3, .start_ns = 40, .end_ns = 0}};
  using Found = std::optional<TimeSpan>;
  EXPECT_EQ(spanOf(2, segments), (Found{{20, 40}}));
  EXPECT_EQ(spanOf(3, segments), Found()) << "it has not ended";
  EXPECT_EQ(spanOf(4, segments), Found());
}

TEST(SpanOfSteps, ReachesFromTheFirstRecordedStepToTheLast) {
  const std::vector<Segment> segments{{.id = 1, .step = 0, .start_ns = 0, .end_ns = 10},
                                      {.id = 2, .step = 1, .start_ns = 10, .end_ns = 20, .recorded = false},
                                      {.id = 3, .step = 2, .start_ns = 20, .end_ns = 30},
                                      {.id = 4, .step = 3, .start_ns = 35, .end_ns = 40},
                                      {.id = 5, .step = 4, .start_ns = 40, .end_ns = 0}};
  using Found = std::optional<TimeSpan>;
  EXPECT_EQ(spanOfSteps(segments), (Found{{20, 40}}));
  EXPECT_EQ(spanOfSteps({segments.front()}), Found()) << "no step";
}

class TimelineOfReport : public testing::Test {
 protected:
  TimelineOfReport() { cli::write_synthetic_report(folder_ / "r"); }

  test_support::TemporaryFolder folder_;
};

TEST_F(TimelineOfReport, GivesCallsWhereTheyAreFewElseTheSummary) {
  const queries::Report report(folder_ / "r");
  const std::int64_t run = queries::runs_named(report).at(1).id;
  const TimelineRun timeline = readTimelineRun(report, run);
  ASSERT_EQ(timeline.tracks.size(), 1u);
  EXPECT_EQ(timeline.tracks.front().levels, 3);
  const TimelinePicture few = readTimelinePicture(report, timeline, timeline.whole, 100, 1'000);
  ASSERT_TRUE(few.isExact());
  EXPECT_EQ(few.tracks.front().items->size(), 59u) << "five in each of twelve steps, and one update skipped";
  const TimeSpan half{timeline.whole.from_ns, timeline.whole.to_ns / 2};
  const TimelinePicture many = readTimelinePicture(report, timeline, half, 100, 10);
  EXPECT_FALSE(many.isExact());
  EXPECT_EQ(many.tracks.front().bins.size(), 100u);
  const TimelinePicture all = readTimelinePicture(report, timeline, timeline.whole, 100, 10);
  EXPECT_EQ(all.tracks.front().bins, timeline.tracks.front().bins) << "read already";
}

TEST_F(TimelineOfReport, OfARunWithoutCallsIsEmpty) {
  const queries::Report report(folder_ / "r");
  const TimelineRun timeline = readTimelineRun(report, 99);
  EXPECT_EQ(timeline.whole, TimeSpan{});
  EXPECT_TRUE(timeline.tracks.empty());
  EXPECT_TRUE(readTimelinePicture(report, timeline, timeline.whole, 100, 1'000).tracks.empty());
}

}  // namespace timeline_test
}  // namespace ampprof::gui
