// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "reports/queries/events.h"
#include "reports/queries/impacts.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/sketches.h"
#include "reports/queries/updates.h"
#include "reports/records/batch.h"
#include "reports/records/dtype.h"
#include "reports/records/op_call.h"
#include "tests/reports/queries/one_run.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace places_test {

using namespace testing_reports;

using Places = OneRun;

TEST_F(Places, HaveTheSourceAndTheOrdinalOfTheirCallSite) {
  Batch batch = two_steps();
  batch.call_sites[0].ordinal = 3;
  batch.events[0].first_site = 1;
  batch.updates = {{.segment = 1, .call_site = 1, .parameter = "fc.weight", .count = 4, .lost = 1},
                   {.segment = 1, .call_site = 99, .parameter = "fc.weight", .count = 4, .lost = 1}};
  batch.sketches = {{.segment = 1, .call_site = 1, .elements = 4}};
  batch.impacts = {{.segment = 1, .call_site = 1, .name = "", .impact = 1.0}};
  const queries::Report report = written(batch);
  const std::string source = "train.cpp:7";
  EXPECT_EQ(queries::ops(report).at(0).source, source);
  EXPECT_EQ(queries::ops(report).at(0).ordinal, 3);
  EXPECT_EQ(queries::events(report).at(0).first_op_source, source);
  EXPECT_EQ(queries::updates(report).at(0).source, source);
  EXPECT_EQ(queries::updates(report).at(1).source, "") << "of an unknown call site";
  EXPECT_EQ(queries::updates(report).at(1).call_site, "?");
  EXPECT_EQ(queries::sketches(report, 1).at(0).source, source);
  EXPECT_EQ(queries::sketches(report, 1).at(0).ordinal, 0) << "the first call of its op in the segment";
  EXPECT_EQ(queries::impacts(report).at(0).site_source, source);
}

TEST_F(Places, AreNumberedByWhereCallsWere) {
  Batch batch = two_steps();
  batch.segments[1].step = 1;
  batch.segments[1].position = 1;
  batch.calls = {call(2, 1)};
  batch.casts = {{.segment = 1, .call_site = 1, .from = DType::Float, .to = DType::Half, .casts = 1}};
  const auto ops = queries::ops(written(batch));
  ASSERT_EQ(ops.size(), 1u) << "a cast alone is not a call";
  EXPECT_EQ(ops[0].call_site, "fc/linear");
  EXPECT_EQ(ops[0].position, 1);
}

TEST_F(Places, OfManyShapesShowTheMostFrequentThatIsKnown) {
  Batch batch = two_steps();
  batch.calls.clear();
  for (std::int64_t signature = 1; signature <= 70; ++signature) {
    batch.signatures.push_back({signature, "f32[" + std::to_string(signature) + "]"});
    batch.calls.push_back(call(1, 1, signature));
  }
  const queries::Report report = written(batch);
  EXPECT_EQ(queries::ops(report).at(0).calls, 70);
  EXPECT_EQ(queries::ops(report).at(0).signature, "f32[1]") << "six calls were of other shapes, but of which?";
}

TEST_F(Places, SayWhetherEveryNanWasExpected) {
  Batch batch = two_steps();
  for (OpCall& call : batch.calls) call.ranges->nonfinite = 0;
  EXPECT_FALSE(queries::ops(written(batch)).at(0).nonfinite_expected) << "there is none";
  batch.calls[0].nonfinite_expected = true;
  EXPECT_TRUE(queries::ops(written(batch)).at(0).nonfinite_expected);
}

}  // namespace places_test
}  // namespace ampprof
