// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/decisions.h"

#include <gtest/gtest.h>

#include "reports/queries/losses.h"
#include "tests/reports/queries/one_run.h"

namespace ampprof {
namespace decisions_test {

using Decisions = testing_reports::OneRun;

TEST_F(Decisions, AddUpByCallSite) {
  Batch batch;
  batch.call_sites = {{.id = 1, .module = "router", .op = "topk", .ordinal = 0, .source = "net.py:7"}};
  batch.segments = {{.id = 1, .step = 1}, {.id = 2, .step = 2}};
  batch.decisions = {{1, 1, 48, 10}, {1, 1, 48, 0}, {2, 1, 48, 2}};
  const auto rows = queries::decisions(written(batch));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].op, "topk");
  EXPECT_EQ(rows[0].source, "net.py:7");
  EXPECT_EQ(rows[0].calls, 3);
  EXPECT_EQ(rows[0].decisions, 144);
  EXPECT_EQ(rows[0].differing, 12);
}

TEST_F(Decisions, ChangeALossByWhatItsImpactsDoNotTell) {
  Batch batch;
  for (std::int64_t step = 1; step <= 4; ++step) batch.segments.push_back({.id = step, .step = step});
  batch.losses = {{.segment = 1, .value = 2.0, .shadow_value = 1.5, .is_shadow_decided = true},
                  {.segment = 2, .value = 2.0, .shadow_value = 1.5},
                  {.segment = 3, .value = 2.0, .shadow_value = 1.5, .is_shadow_decided = true},
                  {.segment = 4, .value = 2.0, .shadow_value = 1.5, .is_shadow_decided = true}};
  for (std::int64_t step = 1; step <= 3; ++step) {
    batch.impacts.push_back({.segment = step, .call_site = 1, .name = "", .impact = 0.125});
  }
  batch.impacts.push_back({.segment = 1, .source = ImpactSource::Decision, .call_site = 1, .name = "", .impact = 9.0});
  batch.impacts.push_back({.segment = 1, .name = "w", .impact = {}, .gap = ImpactGap::NoMaster});
  batch.impacts.push_back({.segment = 3, .call_site = 1, .name = "", .impact = {}, .gap = ImpactGap::ErrorNotFinite});
  const auto rows = queries::losses(written(batch));
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].by_decisions, 0.375);
  EXPECT_EQ(rows[1].by_decisions, std::nullopt) << "no decision is on the way to it";
  EXPECT_EQ(rows[2].by_decisions, std::nullopt) << "an impact is not known";
  EXPECT_EQ(rows[3].by_decisions, std::nullopt) << "impacts were not asked for";
}

}  // namespace decisions_test
}  // namespace ampprof
