// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "reports/queries/queries.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace {

using namespace testing_reports;

/// A run whose steps take so many milliseconds; those of 0 were not recorded.
RunRow run_with(const std::vector<int>& steps_ms) {
  const TemporaryFolder folder;
  create_report(folder / "r", false);
  ReportWriter writer(folder / "r");
  const std::int64_t run = writer.begin_run(start_of("O1"));
  Batch batch;
  std::int64_t now = 0;
  for (const int ms : steps_ms) {
    const auto id = static_cast<std::int64_t>(batch.segments.size()) + 1;
    const std::int64_t end = now + std::max(ms, 5) * 1'000'000LL;
    batch.segments.push_back({.id = id, .step = id, .start_ns = now, .end_ns = end, .recorded = ms > 0});
    now = end;
  }
  writer.append(run, batch);
  return Report(folder / "r").runs().at(0);
}

TEST(WarmUp, IsTheStepsBeforeTheFirstThatTakesAsLongAsMost) {
  EXPECT_EQ(run_with({90, 30, 10, 10, 40, 10, 10}).warm_up_steps, 2) << "the 40 comes later";
  EXPECT_EQ(run_with({10, 10, 10}).warm_up_steps, 0);
  EXPECT_EQ(run_with({15, 10, 10}).warm_up_steps, 0) << "1.5 times the median is not more than that";
  EXPECT_EQ(run_with({16, 10, 10}).warm_up_steps, 1);
}

TEST(WarmUp, IsOfRecordedStepsAlone) {
  EXPECT_EQ(run_with({0, 90, 0, 10, 10, 10}).warm_up_steps, 1);
  EXPECT_EQ(run_with({}).warm_up_steps, 0);
  EXPECT_EQ(run_with({0}).warm_up_steps, 0);
}

}  // namespace
}  // namespace ampprof
