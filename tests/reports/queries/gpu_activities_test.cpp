// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/gpu_activities.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/queries/span_activities.h"
#include "reports/queries/spans.h"
#include "reports/records/batch.h"
#include "reports/records/gpu_activity.h"
#include "reports/records/op_total.h"
#include "reports/records/saturating_add.h"
#include "reports/records/time_span.h"
#include "reports/records/tracks.h"
#include "reports/store/report_error.h"
#include "reports/store/sqlite.h"
#include "tests/reports/random_calls.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace gpu_activities_test {

using namespace testing_reports;

constexpr int kSites = 6;
constexpr std::int64_t kAll = 1'000'000;

/// A report of two runs. One run has GPU activities in 20 steps of two segments, and some are written one segment late.
/// The other run has no GPU activity.
struct Activities : testing::Test {
  Activities() {
    store::create_report(path_, false);
    store::ReportWriter writer(path_);
    run_ = writer.begin_run(start_of("O1"));
    Batch texts;
    for (std::int64_t id = 1; id <= kSites; ++id) {
      texts.call_sites.push_back(site(id, Phase::Forward, "layer" + std::to_string(id), "mm"));
      texts.activity_names.push_back({id, "kernel" + std::to_string(id)});
    }
    texts.signatures = {{1, "f32[8,4]"}};
    writer.append(run_, texts);
    for (std::int64_t segment = 1; segment <= 40; ++segment) writer.append(run_, batch_of(segment));
    writer.detach(run_, {.wall_ns = 1'600'000, .overhead_gpu_ns = 600'000, .gpu_busy_ns = 250'000});
    without_ = writer.begin_run(start_of("O0"));
    Batch calls;
    calls.calls = {call(1, 1)};
    calls.segments = {{.id = 1, .step = 1, .start_ns = 0, .end_ns = 5}};
    writer.append(without_, calls);
    writer.detach(without_, {.wall_ns = 1'000'000});
  }

  Batch batch_of(std::int64_t segment) {
    Batch batch;
    for (std::int64_t id = 1; id <= kSites; ++id) batch.calls.push_back(call(segment, id));
    batch.segments = {{.id = segment,
                       .step = (segment + 1) / 2,
                       .position = static_cast<std::int32_t>((segment + 1) % 2),
                       .start_ns = segment * 1000,
                       .end_ns = segment * 1000 + 900}};
    for (int i = 0; i < 12; ++i)
      batch.activities.push_back(random_.activity(std::max<std::int64_t>(segment - i % 2, 1), kSites));
    activities_.insert(activities_.end(), batch.activities.begin(), batch.activities.end());
    return batch;
  }

  static std::int32_t position_of(const GpuActivity& activity) {
    return static_cast<std::int32_t>((activity.segment + 1) % 2);
  }
  static bool is_in(const GpuActivity& activity, const TimeSpan& span) {
    return activity.start_ns <= span.to_ns && activity.start_ns + activity.duration_ns >= span.from_ns;
  }

  TemporaryFolder folder_;
  fs::path path_ = folder_ / "r.ampprof";
  RandomCalls random_{11};
  std::vector<GpuActivity> activities_;
  std::int64_t run_ = 0;
  std::int64_t without_ = 0;
};

TEST_F(Activities, AddUpByPlaceAndName) {
  double us = 0.0;
  std::int64_t count = 0;
  for (const queries::GpuActivityRow& row : queries::gpu_activities(queries::Report(path_))) {
    EXPECT_EQ(row.run, run_);
    EXPECT_EQ(row.use.name.substr(0, 6), "kernel");
    EXPECT_EQ(row.call_site.empty(), row.call_site_id == 0);
    double expected = 0.0;
    for (const GpuActivity& activity : activities_) {
      const bool is_same = activity.call_site == row.call_site_id && position_of(activity) == row.position &&
                           "kernel" + std::to_string(activity.name) == row.use.name && activity.kind == row.use.kind;
      if (is_same) expected += static_cast<double>(activity.duration_ns) / 1e3;
    }
    EXPECT_NEAR(row.use.gpu_us, expected, 1e-6);
    us += row.use.gpu_us;
    count += row.use.count;
  }
  const double all =
      std::accumulate(activities_.begin(), activities_.end(), 0.0,
                      [](double sum, const GpuActivity& activity) { return sum + activity.duration_ns / 1e3; });
  EXPECT_NEAR(us, all, 1e-3) << "no time is lost";
  EXPECT_EQ(count, std::ssize(activities_)) << "nothing is counted twice";
}

TEST_F(Activities, AreInTheRowsOfTheirOps) {
  const queries::Report report(path_);
  double us = 0.0;
  for (const queries::OpRow& row : queries::ops(report, run_)) {
    ASSERT_TRUE(row.gpu_us);
    us += *row.gpu_us;
    EXPECT_TRUE(std::ranges::is_sorted(row.activities, std::greater(), &queries::GpuActivityUse::gpu_us));
  }
  double expected = 0.0;
  for (const GpuActivity& activity : activities_)
    expected += activity.call_site == 0 ? 0.0 : static_cast<double>(activity.duration_ns) / 1e3;
  EXPECT_NEAR(us, expected, 1e-3);
  EXPECT_EQ(queries::ops(report, without_).at(0).gpu_us, std::nullopt) << "no GPU was seen, so 0 would be made up";
}

TEST_F(Activities, OfSomeStepsAreInTheRowsOfThose) {
  double expected = 0.0;
  for (const GpuActivity& activity : activities_) {
    if (activity.call_site != 0 && activity.segment >= 5 && activity.segment <= 8)
      expected += static_cast<double>(activity.duration_ns) / 1e3;
  }
  double us = 0.0;
  for (const queries::OpRow& row : queries::ops(queries::Report(path_), run_, queries::StepSpan{3, 4}))
    us += row.gpu_us.value();
  EXPECT_NEAR(us, expected, 1e-6);
}

TEST_F(Activities, GiveARunItsGpuTime) {
  const auto runs = queries::runs(queries::Report(path_));
  std::vector<double> steps(20);
  for (const GpuActivity& activity : activities_)
    steps[static_cast<std::size_t>((activity.segment - 1) / 2)] += static_cast<double>(activity.duration_ns) / 1e6;
  std::ranges::sort(steps);
  EXPECT_NEAR(runs.at(0).gpu_ms_per_step.value(), (steps[9] + steps[10]) / 2, 1e-6);
  EXPECT_EQ(runs.at(0).gpu_busy_share, 0.25);
  EXPECT_EQ(runs.at(1).gpu_ms_per_step, std::nullopt);
  EXPECT_EQ(runs.at(1).gpu_busy_share, std::nullopt);
}

TEST_F(Activities, OfASpanAreThoseThatTouchIt) {
  const queries::Report report(path_);
  const TimeSpan span{activities_[100].start_ns, activities_[250].start_ns};
  const auto shown = queries::span_activities(report, run_, span, kAll);
  ASSERT_TRUE(shown);
  std::int64_t expected =
      std::ranges::count_if(activities_, [&](const GpuActivity& activity) { return is_in(activity, span); });
  EXPECT_EQ(std::ssize(*shown), expected);
  for (const queries::SpanActivity& entry : *shown) {
    EXPECT_NE(std::ranges::find(activities_, entry.activity), activities_.end());
    EXPECT_EQ(entry.place, (SiteInStep{entry.activity.call_site, position_of(entry.activity)}));
  }
  EXPECT_FALSE(queries::span_activities(report, run_, span, 20)) << "too many to decode";
  EXPECT_TRUE(queries::span_activities(report, without_, span, kAll)->empty());
}

TEST_F(Activities, HaveTracksOfStreams) {
  const queries::Report report(path_);
  TimeSpan whole{std::numeric_limits<std::int64_t>::max(), 0};
  std::map<TrackId, std::int64_t> expected;
  for (const GpuActivity& activity : activities_) {
    whole.from_ns = std::min(whole.from_ns, activity.start_ns);
    whole.to_ns = std::max(whole.to_ns, activity.start_ns + activity.duration_ns);
    expected[stream_track(activity.device, activity.stream)] += activity.duration_ns;
  }
  const queries::TrackSummary summary = queries::track_summary(report, run_, whole, 500, queries::TrackKind::Streams);
  EXPECT_EQ(summary.calls, std::ssize(activities_));
  ASSERT_EQ(summary.tracks.size(), expected.size());
  for (const queries::TrackRow& track : summary.tracks) {
    std::int64_t ns = 0;
    for (const ClassTimes& bin : track.bins) ns += std::accumulate(bin.begin(), bin.end(), std::int64_t{0});
    EXPECT_EQ(ns, expected.at(track.track.value())) << "stream " << stream_of(*track.track);
  }
  EXPECT_TRUE(queries::track_summary(report, without_, whole, 500, queries::TrackKind::Streams).tracks.empty());
}

TEST_F(Activities, OfADamagedReportAreNotShown) {
  store::Database(path_, store::OpenMode::Write).run("UPDATE call_chunk SET activities = x'ff' WHERE id = 9");
  EXPECT_THROW((void)queries::span_activities(queries::Report(path_), run_, {0, kAll * kAll}, kAll),
               store::ReportError);
}

}  // namespace gpu_activities_test
}  // namespace ampprof
