// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/gaps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "reports/queries/report.h"
#include "reports/records/batch.h"
#include "reports/records/device_time.h"
#include "reports/records/gpu_activity.h"
#include "reports/records/time_span.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace gaps_test {

using namespace testing_reports;

/// A report of one run with the given activities: one activity per chunk, in the given order.
class Gaps {
 public:
  explicit Gaps(const std::vector<GpuActivity>& activities) {
    store::create_report(path_, false);
    store::ReportWriter writer(path_);
    const std::int64_t run = writer.begin_run(start_of("O1"));
    Batch texts;
    texts.call_sites = {site(1, Phase::Forward, "fc", "mm"), site(2, Phase::Backward, "fc", "mm")};
    texts.activity_names = {{1, "kernel"}};
    for (std::int64_t segment = 1; segment <= 9; ++segment) {
      texts.segments.push_back({.id = segment, .step = 10 * segment, .start_ns = 0, .end_ns = 1});
    }
    writer.append(run, texts);
    for (const GpuActivity& activity : activities) {
      Batch batch;
      batch.activities = {activity};
      writer.append(run, batch);
    }
  }

  std::vector<queries::GapRow> rows() const { return queries::gaps(queries::Report(path_)); }

 private:
  TemporaryFolder folder_;
  fs::path path_ = folder_ / "r.ampprof";
};

GpuActivity activity(std::int64_t segment, std::int64_t site, std::int64_t from_us, std::int64_t to_us,
                     std::int64_t launched_us, std::int32_t stream = 7) {
  return {.segment = segment,
          .call_site = site,
          .start_ns = from_us * 1000,
          .duration_ns = (to_us - from_us) * 1000,
          .launched_ns = launched_us * 1000,
          .name = 1,
          .stream = stream};
}

TEST(GapRows, AreOfWhatWasWaitedFor) {
  // The activity on stream 8 covers the first part of the gap from 160 to 200. The chunks are not in order of time.
  const Gaps report({activity(1, 1, 100, 110, 90), activity(3, 2, 200, 210, 120), activity(2, 1, 150, 160, 140),
                     activity(2, 2, 155, 180, 130, 8), activity(4, 1, 300, 301, 290)});
  const auto rows = report.rows();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].call_site, "fc/mm");
  EXPECT_EQ(rows[0].level, "O1");
  EXPECT_EQ(rows[0].gaps, 2) << "110 to 150 and 210 to 300";
  EXPECT_EQ(rows[0].idle_us, 130.0);
  EXPECT_EQ(rows[0].unlaunched_us, 30.0 + 80.0);
  EXPECT_EQ(rows[0].longest_us, 90.0);
  EXPECT_EQ(rows[0].longest_step, 40);
  EXPECT_EQ(rows[1].call_site, "backward fc/mm");
  EXPECT_EQ(rows[1].phase, Phase::Backward);
  EXPECT_EQ(rows[1].gaps, 1) << "180 to 200";
  EXPECT_EQ(rows[1].idle_us, 20.0);
  EXPECT_EQ(rows[1].unlaunched_us, 0.0) << "it was launched before";
}

TEST(GapRows, LeaveOutUnknownFigures) {
  const auto rows = Gaps({activity(1, 1, 0, 10, 1), activity(2, 0, 20, 30, 0), activity(3, 0, 50, 60, 45)}).rows();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].call_site, "") << "outside of any op call";
  EXPECT_EQ(rows[0].phase, std::nullopt);
  EXPECT_EQ(rows[0].idle_us, 30.0);
  EXPECT_EQ(rows[0].unlaunched_us, std::nullopt) << "one launch is unknown";
}

TEST(GapRows, OfEqualGapsNameTheFirst) {
  const auto rows = Gaps({activity(1, 1, 0, 10, 1), activity(2, 1, 20, 30, 1), activity(3, 1, 40, 50, 1)}).rows();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].gaps, 2);
  EXPECT_EQ(rows[0].longest_us, 10.0);
  EXPECT_EQ(rows[0].longest_step, 20);
}

TEST(GapRows, AreNoneWhereAGpuIsAlwaysBusyOrAbsent) {
  EXPECT_TRUE(Gaps({}).rows().empty());
  EXPECT_TRUE(Gaps({activity(1, 1, 0, 10, 0), activity(1, 1, 10, 20, 0), activity(1, 1, 5, 12, 0, 8)}).rows().empty());
}

class RandomGaps : public testing::TestWithParam<int> {};

TEST_P(RandomGaps, AndBusyTimeFillTheTimeFromFirstToLast) {
  std::mt19937 random(static_cast<std::mt19937::result_type>(GetParam()));
  const auto below = [&](std::int64_t limit) { return static_cast<std::int64_t>(random() % limit); };
  std::vector<GpuActivity> activities;
  for (int i = 0; i < 60; ++i) {
    const std::int64_t from = below(3000);
    activities.push_back(
        activity(1 + below(9), below(3), from, from + below(40), from, static_cast<std::int32_t>(below(3))));
  }
  double idle_us = 0.0;
  for (const queries::GapRow& row : Gaps(activities).rows()) idle_us += row.idle_us;
  const auto busy = busy_spans(activities, 0);
  const TimeSpan whole{busy.front().from_ns, busy.back().to_ns};
  EXPECT_NEAR(idle_us * 1e3, static_cast<double>(whole.duration_ns() - busy_ns(busy, whole)), 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomGaps, testing::Range(0, 10));

}  // namespace gaps_test
}  // namespace ampprof
