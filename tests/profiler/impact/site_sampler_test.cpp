// SPDX-License-Identifier: Apache-2.0
#include "profiler/impact/site_sampler.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ampprof::profiler {
namespace site_sampler_test {

constexpr int kSites = 100;
constexpr std::int64_t kBytes = 10;

/// Bytes chosen in a substep of kSites errors.
std::int64_t step(SiteSampler& sampler, std::int64_t substep) {
  std::int64_t chosen = 0;
  for (int site = 1; site <= kSites; ++site) chosen += sampler.chooses(substep, site, kBytes) ? kBytes : 0;
  return chosen;
}

TEST(SiteSampler, ChoosesAllThatFits) {
  SiteSampler sampler(kSites * kBytes);
  for (std::int64_t substep = 1; substep < 5; ++substep) EXPECT_EQ(step(sampler, substep), kSites * kBytes);
  EXPECT_EQ(sampler.left_out(), 0);
  EXPECT_EQ(sampler.probability(), 1.0);
}

TEST(SiteSampler, NeverPassesItsBudget) {
  SiteSampler sampler(300);
  for (std::int64_t substep = 1; substep < 200; ++substep) ASSERT_LE(step(sampler, substep), 300) << substep;
}

TEST(SiteSampler, ChoosesEachSiteEquallyOftenOnceItKnowsTheStep) {
  SiteSampler sampler(500);
  step(sampler, 1);
  int times[kSites + 1] = {};
  constexpr int kSteps = 2000;
  for (std::int64_t substep = 2; substep < kSteps + 2; ++substep) {
    for (int site = 1; site <= kSites; ++site) times[site] += sampler.chooses(substep, site, kBytes) ? 1 : 0;
  }
  EXPECT_NEAR(sampler.probability(), 0.375, 1e-12) << "a quarter of the budget is kept free";
  // Five standard deviations of a binomial draw, and what did not fit in a few steps.
  const double expected = kSteps * sampler.probability();
  const double tolerance = 5 * std::sqrt(expected * (1 - sampler.probability())) + 0.02 * kSteps;
  for (int site = 1; site <= kSites; ++site) EXPECT_NEAR(times[site], expected, tolerance) << site;
}

TEST(SiteSampler, IsDeterministic) {
  SiteSampler a(300), b(300);
  for (std::int64_t substep = 1; substep < 20; ++substep) EXPECT_EQ(step(a, substep), step(b, substep));
}

TEST(SiteSampler, SaysWhatDidNotFit) {
  SiteSampler sampler(300);
  step(sampler, 1);
  EXPECT_EQ(sampler.left_out(), 70) << "of the first step, which has none before it";
}

}  // namespace site_sampler_test
}  // namespace ampprof::profiler
