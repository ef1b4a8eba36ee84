// SPDX-License-Identifier: Apache-2.0
#include "profiler/impact/site_sampler.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ampprof::profiler {
namespace site_sampler_test {

constexpr int kSites = 100;
constexpr std::int64_t kBytes = 10;

/// Returns the bytes of the errors chosen in a segment with kSites errors.
std::int64_t step(SiteSampler& sampler, std::int64_t segment) {
  std::int64_t chosen = 0;
  for (int site = 1; site <= kSites; ++site) chosen += sampler.chooses(segment, site, kBytes) ? kBytes : 0;
  return chosen;
}

TEST(SiteSampler, ChoosesAllThatFits) {
  SiteSampler sampler(kSites * kBytes);
  for (std::int64_t segment = 1; segment < 5; ++segment) EXPECT_EQ(step(sampler, segment), kSites * kBytes);
  EXPECT_EQ(sampler.left_out(), 0);
  EXPECT_EQ(sampler.probability(), 1.0);
}

TEST(SiteSampler, NeverPassesItsBudget) {
  SiteSampler sampler(300);
  for (std::int64_t segment = 1; segment < 200; ++segment) ASSERT_LE(step(sampler, segment), 300) << segment;
}

TEST(SiteSampler, ChoosesEachSiteEquallyOftenOnceItKnowsTheStep) {
  SiteSampler sampler(500);
  step(sampler, 1);
  int times[kSites + 1] = {};
  constexpr int kSteps = 2000;
  for (std::int64_t segment = 2; segment < kSteps + 2; ++segment) {
    for (int site = 1; site <= kSites; ++site) times[site] += sampler.chooses(segment, site, kBytes) ? 1 : 0;
  }
  EXPECT_NEAR(sampler.probability(), 0.375, 1e-12) << "a quarter of the budget is kept free";
  // Five standard deviations of a binomial distribution, plus a few steps that did not fit into the budget.
  const double expected = kSteps * sampler.probability();
  const double tolerance = 5 * std::sqrt(expected * (1 - sampler.probability())) + 0.02 * kSteps;
  for (int site = 1; site <= kSites; ++site) EXPECT_NEAR(times[site], expected, tolerance) << site;
}

TEST(SiteSampler, IsDeterministic) {
  SiteSampler a(300), b(300);
  for (std::int64_t segment = 1; segment < 20; ++segment) EXPECT_EQ(step(a, segment), step(b, segment));
}

TEST(SiteSampler, SaysWhatDidNotFit) {
  SiteSampler sampler(300);
  step(sampler, 1);
  EXPECT_EQ(sampler.left_out(), 70) << "of the first step, which has none before it";
}

}  // namespace site_sampler_test
}  // namespace ampprof::profiler
