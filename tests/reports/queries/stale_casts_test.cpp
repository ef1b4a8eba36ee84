// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/stale_casts.h"

#include <gtest/gtest.h>

#include <limits>

#include "reports/records/batch.h"
#include "tests/reports/sample_report.h"

namespace ampprof::queries {
namespace stale_casts_test {

using namespace testing_reports;

Segment segment_of(std::int64_t id, std::int64_t step) { return {.id = id, .step = step}; }

TEST(StaleCasts, OfOneParameterAtOneCallSiteAddUp) {
  const TemporaryFolder folder;
  store::create_report(folder / "r", false);
  {
    store::ReportWriter writer(folder / "r");
    Batch batch;
    batch.call_sites = {site(1, Phase::Forward, "fc", "linear", 0, "net.py:7")};
    batch.segments = {segment_of(1, 1), segment_of(2, 2), segment_of(5, 5)};
    const StaleCast of_weight{.segment = 2,
                              .call_site = 1,
                              .parameter = "fc.weight",
                              .dtype = DType::BFloat16,
                              .cast_segment = 1,
                              .elements = 8,
                              .differing = 4,
                              .sum_sq_change = 1.0,
                              .sum_sq_cast = 4.0};
    StaleCast later = of_weight;
    later.segment = 5;
    later.differing = 8;
    later.sum_sq_change = 8.0;
    later.sum_sq_cast = 12.0;
    StaleCast of_bias = of_weight;
    of_bias.parameter = "fc.bias";
    batch.stale_casts = {of_weight, of_bias, later};
    writer.append(writer.begin_run(start_of("")), batch);
  }
  const auto rows = stale_casts(Report(folder / "r"));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].total.parameter, "fc.bias");
  EXPECT_EQ(rows[0].hits, 1);
  EXPECT_EQ(rows[0].total.relative_change(), 0.5);
  EXPECT_EQ(rows[1].total.parameter, "fc.weight");
  EXPECT_EQ(rows[1].total.dtype, DType::BFloat16);
  EXPECT_EQ(rows[1].hits, 2);
  EXPECT_EQ(rows[1].steps_old, 4);
  EXPECT_EQ(rows[1].total.differing_share(), 0.75);
  EXPECT_EQ(rows[1].total.relative_change(), 0.75);
  EXPECT_EQ(rows[1].call_site, "fc/linear");
  EXPECT_EQ(rows[1].source, "net.py:7");
}

TEST(StaleCasts, ThatCompareWithNothingAreOffByInfinity) {
  EXPECT_EQ(StaleCast().relative_change(), std::numeric_limits<double>::infinity());
}

}  // namespace stale_casts_test
}  // namespace ampprof::queries
