// SPDX-License-Identifier: Apache-2.0
#include "profiler/steps/compiled_regions.h"

#include <gtest/gtest.h>

namespace ampprof::profiler {
namespace compiled_regions_test {

std::string cause_of(const CompiledRegions& regions) { return regions.missing().value_or(Missing{}).cause; }

void add_step(CompiledRegions& regions, std::int64_t inside_ns, std::int64_t whole_ns) {
  regions.add_call(inside_ns);
  regions.end_segment(whole_ns);
}

TEST(CompiledRegions, SayNothingWhereThereWereNone) {
  CompiledRegions regions;
  regions.end_segment(100);
  EXPECT_FALSE(regions.missing());
}

TEST(CompiledRegions, AreAShareOfTheStepsTime) {
  CompiledRegions regions;
  regions.add_call(20);  // forward
  regions.add_call(40);  // backward
  regions.end_segment(100);
  add_step(regions, 66, 100);
  EXPECT_EQ(cause_of(regions), "compiled regions take 63% of the steps' time, and each is one op call");
  EXPECT_EQ(regions.missing()->count, 3);
}

TEST(CompiledRegions, LeaveOutStepsThatCompile) {
  CompiledRegions regions;
  add_step(regions, 10, 5000);
  add_step(regions, 70, 100);
  add_step(regions, 75, 150);  // included, because 150 is at most 1.5 times the median
  add_step(regions, 80, 100);
  EXPECT_EQ(cause_of(regions), "compiled regions take 64% of the steps' time, and each is one op call");
}

TEST(CompiledRegions, CountStepsBeforeTheFirstOfThemInNoShare) {
  CompiledRegions regions;
  for (int i = 0; i < 10; ++i) regions.end_segment(100);
  add_step(regions, 50, 100);
  EXPECT_EQ(cause_of(regions), "compiled regions take 50% of the steps' time, and each is one op call");
}

TEST(CompiledRegions, RememberTheLatestStepsOfALongRun) {
  CompiledRegions regions;
  for (int i = 0; i < 4096; ++i) add_step(regions, 10, 100);
  for (int i = 0; i < 4096; ++i) add_step(regions, 90, 100);
  EXPECT_EQ(cause_of(regions), "compiled regions take 90% of the steps' time, and each is one op call");
}

TEST(CompiledRegions, HaveNoShareWithoutASegment) {
  CompiledRegions regions;
  regions.add_call(10);
  EXPECT_EQ(cause_of(regions), "compiled regions take 0% of the steps' time, and each is one op call");
}

}  // namespace compiled_regions_test
}  // namespace ampprof::profiler
