// SPDX-License-Identifier: Apache-2.0
// Tests courses: additional runs in a report that are recorded beside the actual run and share its data.
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <vector>

#include "profiler/recorder/recorder.h"
#include "reports/queries/impacts.h"
#include "reports/queries/losses.h"
#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/records/batch.h"
#include "reports/records/op_call.h"
#include "reports/records/statistics.h"
#include "reports/store/writer.h"
#include "tests/reports/sample_report.h"

namespace ampprof::profiler {
namespace recorder_courses_test {

using testing_reports::start_of;

constexpr std::size_t kCourses = 3;

struct RecorderCourses : ::testing::Test {
  RecorderCourses() {
    store::create_report(path, false);
    store::ReportWriter writer(path);
    first_run = writer.begin_run(start_of("O0"));
    for (std::size_t i = 1; i < kCourses; ++i) writer.begin_run(start_of("O0"));
  }

  std::int64_t run_of(std::size_t course) const { return first_run + static_cast<std::int64_t>(course); }

  /// Records a step with three calls: one is not measured, one differs in each course, and one is equal in all.
  void record(std::int64_t max_bytes) const {
    Recorder recorder(path, first_run, {"cpu", "2.11.0", "{}", "O0"}, Recorder::kInterval, max_bytes, kCourses);
    recorder.open();
    recorder.add([](Batch& batch) {
      batch.segments.push_back({.id = 1, .step = 1});
      for (const std::int64_t id : {1, 2, 3}) {
        batch.call_sites.push_back({.id = id, .module = "m", .op = "mm", .ordinal = 0, .source = ""});
      }
      batch.missing.push_back({"something", 1, "a cause", "a remedy"});
    });
    recorder.add_call(call_of(1, 0));
    recorder.add_call(call_of(2, 10), std::vector{call_of(2, 20), call_of(2, 30)});
    recorder.add_call(call_of(3, 5));
    for (std::size_t course = 0; course < kCourses; ++course) {
      const double of_course = static_cast<double>(course);
      recorder.add(course, [&](Batch& batch) {
        batch.impacts.push_back({.segment = 1, .call_site = 2, .name = "", .impact = of_course});
        batch.losses.push_back({.segment = 1, .value = 2.0, .shadow_value = of_course});
      });
    }
    recorder.close({.peak_bytes = 7, .wall_ns = 8, .overhead_ns = 9});
  }

  static OpCall call_of(std::int64_t site, std::int64_t measured) {
    OpCall call;
    call.segment = call.signature = 1;
    call.call_site = site;
    call.duration_ns = 1'000;
    if (measured > 0) call.local = ErrorStats{.count = measured};
    return call;
  }

  testing_reports::TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "r.ampprof";
  std::int64_t first_run = 0;
};

TEST_F(RecorderCourses, ShareTheProgramAndDifferInErrorsAndImpacts) {
  record(std::numeric_limits<std::int64_t>::max());
  const queries::Report report(path);
  for (std::size_t course = 0; course < kCourses; ++course) {
    const std::int64_t run = run_of(course);
    const auto ops = queries::ops(report, run);
    ASSERT_EQ(ops.size(), 3u) << course;
    EXPECT_FALSE(ops[0].local);
    EXPECT_EQ(ops[1].local->count, 10 * (static_cast<std::int64_t>(course) + 1));
    EXPECT_EQ(ops[2].local->count, 5);
    const auto impacts = queries::impacts(report, run);
    ASSERT_EQ(impacts.size(), 1u) << course;
    EXPECT_EQ(impacts[0].impact, static_cast<double>(course));
    EXPECT_EQ(queries::runs(report)[course].steps, 1);
    EXPECT_EQ(queries::runs(report)[course].peak_bytes, 7);
  }
  const auto losses = queries::losses(report);
  ASSERT_EQ(losses.size(), kCourses);
  EXPECT_EQ(losses[2].loss.shadow_value, 2.0);
  EXPECT_EQ(queries::missing(report).size(), kCourses);
}

TEST_F(RecorderCourses, OfAFullReportKeepTheirTotals) {
  record(1'000);
  const queries::Report report(path);
  for (std::size_t course = 0; course < kCourses; ++course) {
    const auto ops = queries::ops(report, run_of(course));
    ASSERT_EQ(ops.size(), 3u) << course;
    EXPECT_EQ(ops[1].local->count, 10 * (static_cast<std::int64_t>(course) + 1));
    EXPECT_TRUE(queries::impacts(report, run_of(course)).empty());
  }
}

}  // namespace recorder_courses_test
}  // namespace ampprof::profiler
