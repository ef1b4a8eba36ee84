// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "precision/drift/followed_sample.h"

namespace ampprof::drift {
namespace {

TEST(VerdictTest, RulesComeInOrder) {
  const auto verdict = [](Drift drift) { return verdict_of(drift); };
  const Drift drifts{.sampled = 1024, .segments = 100, .drift = 0.5, .own = 0.5, .walk = 1.0, .ulps = 9.0};
  EXPECT_EQ(verdict(drifts), DriftClass::Unbiased);
  Drift other = drifts;
  other.segments = 3;
  EXPECT_EQ(verdict(other), DriftClass::Short);
  other = drifts;
  other.own = 0.1;
  EXPECT_EQ(verdict(other), DriftClass::Inherited);
  other.own = 0.0;  // no measurable error added by the tensor itself
  EXPECT_EQ(verdict(other), DriftClass::Unbiased);
  other = drifts;
  other.lost = 0.1;
  EXPECT_EQ(verdict(other), DriftClass::FewLost);
  other.lost = 0.2;
  EXPECT_EQ(verdict(other), DriftClass::Lost);
  EXPECT_EQ(verdict_of(other, {.rounded_at_random = true}), DriftClass::Unbiased);
  other = drifts;
  other.walk = 3.0;
  EXPECT_EQ(verdict(other), DriftClass::Correlated);
  other.bias = -0.3;
  EXPECT_EQ(verdict(other), DriftClass::Biased);
  other = drifts;
  other.ulps = 0.9;
  EXPECT_EQ(verdict(other), DriftClass::Bounded);
  other.growth = 0.5;
  EXPECT_EQ(verdict(other), DriftClass::Unbiased);
  other.lost = 1.0;
  EXPECT_EQ(verdict(other), DriftClass::Lost);
  EXPECT_EQ(verdict_of(other, {.adds_up = false}), DriftClass::Bounded) << "a copy of what moves less than an ulp";
}

TEST(VerdictTest, WhatAnotherTensorKeepsIsCompensated) {
  Drift weight{.elements = 3, .segments = 9, .verdict = DriftClass::Lost, .drift = 0.5, .way = 2.0};
  Drift buffer{.elements = 3, .segments = 9, .verdict = DriftClass::Lost, .drift = 5.0, .way = 0.1};
  Drift stranger{.elements = 3, .segments = 9, .verdict = DriftClass::Lost, .drift = 0.5, .way = 1.0};
  const std::vector<double> missing{-1.0, -2.0, 1.0};
  const std::vector<double> kept{1.0, 2.0, -0.9};
  const std::vector<double> other{1.0, -2.0, 1.0};
  std::vector<Pairing> tensors{{&weight, missing}, {&buffer, kept, true}, {&stranger, other}};
  find_compensated(tensors);
  EXPECT_EQ(weight.verdict, DriftClass::Compensated);
  EXPECT_NEAR(*weight.effective, 0.05, 1e-12);
  EXPECT_EQ(buffer.verdict, DriftClass::Residue);
  EXPECT_EQ(stranger.verdict, DriftClass::Lost);
}

}  // namespace
}  // namespace ampprof::drift
