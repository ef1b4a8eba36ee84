// SPDX-License-Identifier: Apache-2.0
#include "reports/records/op_total.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ampprof {
namespace op_total_test {

/// A backward call with one gradient of magnitude 3 * scale.
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

}  // namespace op_total_test
}  // namespace ampprof
