// SPDX-License-Identifier: Apache-2.0
#include "reports/records/op_total.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ampprof {
namespace op_total_test {

/// Returns a backward call with one gradient of magnitude 3 * scale.
OpCall gradient_at(double scale) {
  ExponentHistogram exponents;
  ++exponents.counts[ExponentHistogram::bin_of(2 + std::ilogb(scale))];
  OpCall call;
  call.scale = scale;
  call.ranges = RangeStats{.count = 1, .amax = 3 * scale, .smallest = 3 * scale, .reference_amax = 3 * scale};
  call.exponents = encode(exponents);
  return call;
}

TEST(OpTotal, TellsMagnitudesAtTheLastScaleHoweverItMoved) {
  OpTotal total;
  for (const double scale : {65536.0, 32768.0, 4.0}) total.add(gradient_at(scale));
  const OpTotal scaled = total.at_its_scale();
  EXPECT_EQ(scaled.scale, 4.0);
  EXPECT_EQ(scaled.ranges->amax, 12.0);
  EXPECT_EQ(scaled.ranges->smallest, 12.0);
  EXPECT_EQ(scaled.exponents->counts[ExponentHistogram::bin_of(4)], 3);
}

TEST(OpTotal, MergesPartsThatWereSeenAtOtherScales) {
  OpTotal early, later;
  early.add(gradient_at(65536.0));
  later.add(gradient_at(4.0));
  early.merge(later);
  const OpTotal scaled = early.at_its_scale();
  EXPECT_EQ(scaled.scale, 4.0);
  EXPECT_EQ(scaled.ranges->amax, 12.0);
  EXPECT_EQ(scaled.exponents->counts[ExponentHistogram::bin_of(4)], 2);
}

TEST(OpTotal, LeavesMagnitudesWithoutAScaleAsTheyAre) {
  OpCall call = gradient_at(8.0);
  call.scale.reset();
  OpTotal total;
  total.add(call);
  total.add(call);
  EXPECT_EQ(total.scale, std::nullopt);
  EXPECT_EQ(total.at_its_scale().ranges->amax, 24.0);
  EXPECT_EQ(total.exponents->total(), 2);
}

TEST(OpTotal, MovesMagnitudesByTheSmallestScalesToo) {
  for (const double scale : {0.5, 2.0}) {
    OpTotal total;
    total.add(gradient_at(scale));
    EXPECT_EQ(total.ranges->amax, 3.0);
    EXPECT_EQ(total.ranges->reference_amax, 3.0);
    EXPECT_EQ(total.exponents->counts[ExponentHistogram::bin_of(2)], 1);
    EXPECT_EQ(total.at_its_scale().ranges->amax, 3 * scale);
    EXPECT_EQ(total.at_its_scale().exponents->counts[ExponentHistogram::bin_of(2 + std::ilogb(scale))], 1);
  }
}

TEST(OpTotal, IgnoresAnInvalidScale) {
  for (const double scale : {0.0, -8.0, double{INFINITY}}) {
    OpCall call = gradient_at(8.0);
    call.scale = scale;
    OpTotal total;
    total.add(call);
    EXPECT_EQ(total.ranges->amax, 24.0) << scale;
    EXPECT_EQ(total.at_its_scale().ranges->amax, 24.0) << scale;
  }
}

TEST(OpTotal, OfCallsWithoutValuesHasNoneAtAnyScale) {
  OpCall call;
  call.scale = 8.0;
  OpTotal total;
  total.add(call);
  const OpTotal scaled = total.at_its_scale();
  EXPECT_EQ(scaled.ranges, std::nullopt);
  EXPECT_EQ(scaled.exponents, std::nullopt);
  EXPECT_EQ(scaled.inherited_exponents, std::nullopt);
}

TEST(OpTotal, CountsCallsWithANanByWhetherItWasExpected) {
  const auto call = [](std::int64_t nonfinite, bool is_expected) {
    OpCall call;
    call.ranges = RangeStats{.nonfinite = nonfinite};
    call.nonfinite_expected = is_expected;
    return call;
  };
  OpTotal total;
  for (const OpCall& each : {call(0, false), call(2, false), call(1, true), call(1, true), OpCall{}}) total.add(each);
  OpTotal twice = total;
  twice.merge(total);
  EXPECT_EQ(twice.calls, 10);
  EXPECT_EQ(twice.nonfinite_calls, 2);
  EXPECT_EQ(twice.expected_calls, 4);
}

TEST(OpTotal, KeepsTheLastScaleWhereLaterCallsHaveNone) {
  OpTotal total;
  total.add(gradient_at(8.0));
  total.add(OpCall{});
  OpTotal later;
  later.add(OpCall{});
  total.merge(later);
  EXPECT_EQ(total.scale, 8.0);
}

TEST(OpTotal, KeepsPairsOfTypesAndNamesOfActivitiesApart) {
  OpTotal total;
  for (const DType to : {DType::Half, DType::BFloat16, DType::Half}) {
    total.add(CastRecord{.from = DType::Float, .to = to, .casts = 1, .cache_hits = 2, .bytes = 3, .duration_ns = 4});
  }
  total.add(CastRecord{.from = DType::Double, .to = DType::Half, .rounded_twice = 5});
  for (const std::int32_t name : {1, 2, 1}) total.add(GpuActivity{.duration_ns = 6, .bytes = 7, .name = name});
  total.add(GpuActivity{.name = 1, .kind = GpuActivityKind::Memset});
  OpTotal merged;
  merged.merge(total);
  EXPECT_EQ(
      merged.casts,
      (std::vector<CastRecord>{
          {.from = DType::Float, .to = DType::Half, .casts = 2, .cache_hits = 4, .bytes = 6, .duration_ns = 8},
          {.from = DType::Float, .to = DType::BFloat16, .casts = 1, .cache_hits = 2, .bytes = 3, .duration_ns = 4},
          {.from = DType::Double, .to = DType::Half, .rounded_twice = 5}}));
  EXPECT_EQ(merged.activities,
            (std::vector<GpuActivityTotal>{{.name = 1, .count = 2, .duration_ns = 12, .bytes = 14},
                                           {.name = 2, .count = 1, .duration_ns = 6, .bytes = 7},
                                           {.name = 1, .kind = GpuActivityKind::Memset, .count = 1}}));
}

}  // namespace op_total_test
}  // namespace ampprof
