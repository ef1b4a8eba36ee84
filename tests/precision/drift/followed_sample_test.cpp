// SPDX-License-Identifier: Apache-2.0
// Applies updates rounded to 8 significant bits, so that the expected errors are known.
#include "precision/drift/followed_sample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace ampprof::drift {
namespace {

constexpr std::size_t kSize = 512;
constexpr double kHalfSpacing = 0x1p-8;

double to_bf16(double x) {
  if (x == 0.0 || !std::isfinite(x)) return x;
  const double spacing = std::ldexp(1.0, std::ilogb(x) - 7);
  return std::nearbyint(x / spacing) * spacing;
}

/// Follows a tensor in the run and in the reference. Both are written by functions of the element's value and index.
class Followed {
 public:
  explicit Followed(double start, std::size_t size = kSize) : run_(size, start), exact_(size, start), sample_(run_) {}

  void write(std::int64_t segment, const std::function<double(double, std::size_t)>& op,
             const std::function<double(double)>& round = to_bf16) {
    const auto local_before = sample_.local(segment);
    std::vector<double> run(run_.size()), local(run_.size()), exact(run_.size());
    for (std::size_t i = 0; i < run_.size(); ++i) {
      run[i] = round(op(run_[i], i));
      local[i] = op(local_before[i], i);
      exact[i] = op(exact_[i], i);
    }
    sample_.write({.run = run, .local = local, .exact = exact, .segment = segment, .call_site = 7});
    run_ = run;
    exact_ = exact;
  }

  Drift figures() const {
    Drift drift{.dtype = DType::BFloat16, .elements = static_cast<std::int64_t>(run_.size())};
    sample_.fill_statistics(drift, kHalfSpacing);
    return drift;
  }
  const FollowedSample& sample() const { return sample_; }
  const std::vector<double>& run() const { return run_; }

 private:
  std::vector<double> run_, exact_;
  FollowedSample sample_;
};

TEST(FollowedSampleTest, UpdatesBelowHalfAnUlpAreLost) {
  Followed weight(1.0);
  for (int step = 0; step < 60; ++step) weight.write(step, [](double x, std::size_t) { return x + 0.001; });
  const Drift drift = weight.figures();
  EXPECT_EQ(drift.verdict, DriftClass::Lost);
  EXPECT_EQ(drift.segments, 60);
  EXPECT_EQ(drift.call_site, 7);
  EXPECT_NEAR(drift.drift, 1.0, 1e-9);
  EXPECT_NEAR(drift.bias, -1.0, 1e-9);
  EXPECT_EQ(drift.lost, 1.0);
  EXPECT_NEAR(drift.walk, std::sqrt(60.0), 1e-6);
  EXPECT_NEAR(*drift.growth, 1.0, 1e-6);
  EXPECT_NEAR(drift.way, 0.06 * std::sqrt(kSize), 1e-9);
  EXPECT_EQ(drift.way_of_run, 0.0);
}

TEST(FollowedSampleTest, TheElementsThatAreLostAreCounted) {
  Followed weight(1.0);
  const auto update = [](double x, std::size_t i) { return x + (i % 8 == 0 ? 0.001 : 0.03125); };
  for (int step = 0; step < 20; ++step) weight.write(step, update);
  EXPECT_EQ(weight.figures().lost, 0.125);
  EXPECT_EQ(weight.figures().verdict, DriftClass::FewLost);
}

TEST(FollowedSampleTest, WhatIsExactIsFine) {
  Followed weight(1.0);
  for (int step = 0; step < 20; ++step) weight.write(step, [](double x, std::size_t) { return x + 0.03125; });
  const Drift drift = weight.figures();
  EXPECT_EQ(drift.verdict, DriftClass::Fine);
  EXPECT_EQ(drift.drift, 0.0);
  EXPECT_FALSE(drift.growth.has_value());
}

TEST(FollowedSampleTest, RandomRoundingIsUnbiased) {
  Followed weight(1.0);
  std::mt19937 random(3);
  const auto round = [&](double x) {
    const double spacing = std::ldexp(1.0, std::ilogb(x) - 7);
    const double below = std::floor(x / spacing) * spacing;
    return below + (std::uniform_real_distribution<double>()(random) * spacing < x - below ? spacing : 0.0);
  };
  for (int step = 0; step < 60; ++step)
    weight.write(
        step, [](double x, std::size_t) { return x + 0.001; }, round);
  const Drift drift = weight.figures();
  EXPECT_EQ(drift.verdict, DriftClass::Unbiased);
  EXPECT_GT(drift.drift, 0.05);
  EXPECT_LT(std::abs(drift.bias), 0.05);
}

TEST(FollowedSampleTest, ACopyInATypeIsBounded) {
  Followed copy(1.0);
  for (int step = 0; step < 40; ++step) {
    copy.write(step, [step](double, std::size_t i) {
      return 1.0 + 1e-3 * std::sin(static_cast<double>(i) + 0.01 * static_cast<double>(step));
    });
  }
  EXPECT_EQ(copy.figures().verdict, DriftClass::Bounded);
  EXPECT_LE(copy.figures().ulps, 1.0);
}

/// One element is too few to tell bias from chance.
TEST(FollowedSampleTest, ASumThatNoLongerGrowsIsBiased) {
  Followed sum(0.0, 1);
  for (int step = 0; step < 400; ++step) sum.write(step, [](double x, std::size_t) { return x + 0.42; });
  const Drift drift = sum.figures();
  EXPECT_TRUE(drift.verdict == DriftClass::Biased || drift.verdict == DriftClass::Lost);
  EXPECT_LT(drift.bias, -0.1);
}

TEST(FollowedSampleTest, OpsOfOneSegmentMayCancel) {
  Followed moment(1.0);
  for (int step = 0; step < 40; ++step) {
    moment.write(step, [](double x, std::size_t) { return x * 0.9; });
    moment.write(step, [](double x, std::size_t) { return x / 0.9; });
  }
  EXPECT_EQ(moment.figures().segments, 40);
}

TEST(FollowedSampleTest, NaNOfTheRunAloneIsBroken) {
  Followed weight(1.0);
  weight.write(
      1, [](double x, std::size_t) { return x + 1.0; }, [](double) { return NAN; });
  EXPECT_EQ(weight.figures().verdict, DriftClass::Broken);
  EXPECT_EQ(weight.figures().broken, static_cast<std::int64_t>(kSize));
}

TEST(FollowedSampleTest, KnowsWhatTheLastWriteLeft) {
  Followed weight(1.0, 2);
  weight.write(1, [](double x, std::size_t i) { return i == 0 ? NAN : x; });
  EXPECT_TRUE(weight.sample().is_current(weight.run()));
  EXPECT_FALSE(weight.sample().is_current(std::vector<double>{NAN, 1.5}));
}

TEST(FollowedSampleTest, ThePastIsKeptAtGrowingDistances) {
  Followed weight(1.0, 4);
  for (int step = 0; step < 20000; ++step) weight.write(step, [](double x, std::size_t) { return x + 1e-6; });
  EXPECT_EQ(weight.figures().segments, 20000);
  EXPECT_NEAR(*weight.figures().growth, 1.0, 1e-3);
  EXPECT_LT(weight.sample().kept_past(), 120U);
}

}  // namespace
}  // namespace ampprof::drift
