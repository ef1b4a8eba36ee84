// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/weight_change.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace ampprof {
namespace weight_change_test {

const error::Spacing kHalf = error::spacing_of(DType::Half);

tensors::WeightChange change_of(double before, double update, at::ScalarType type = at::kHalf) {
  const at::Tensor weight = at::full({1}, before, at::kDouble).to(type);
  const at::Tensor exact = weight.to(at::kDouble) + update;
  return tensors::weight_change(weight, exact.to(type), exact, kHalf);
}

TEST(WeightChange, CountsAnUpdateInUlpsOfTheWeight) {
  const tensors::WeightChange change = change_of(1.0, 0x1p-8);
  EXPECT_EQ(change.count, 1);
  EXPECT_EQ(change.lost, 0);
  EXPECT_EQ(change.below_half_ulp, 0);
  EXPECT_EQ(change.sum_ulp, 4.0) << "the spacing of FP16 at 1 is 2^-10";
}

TEST(WeightChange, AnUpdateBelowHalfAnUlpIsLost) {
  const tensors::WeightChange change = change_of(1.0, 0x1p-12);
  EXPECT_EQ(change.lost, 1);
  EXPECT_EQ(change.below_half_ulp, 1);
  EXPECT_EQ(change.sum_ulp, 0.25);
}

TEST(WeightChange, SmallWeightsHaveTheSpacingOfSubnormals) {
  EXPECT_EQ(change_of(0.0, 0x1p-24).sum_ulp, 1.0);
  EXPECT_EQ(change_of(0x1p-20, 0x1p-24).sum_ulp, 1.0);
}

TEST(WeightChange, NoUpdateCountsAsNone) { EXPECT_EQ(change_of(1.0, 0.0), tensors::WeightChange{}); }

TEST(WeightChange, WhatIsNotFiniteIsLeftOut) {
  EXPECT_EQ(change_of(1.0, std::numeric_limits<double>::infinity()), tensors::WeightChange{});
  EXPECT_EQ(change_of(std::nan(""), 1.0), tensors::WeightChange{});
}

TEST(WeightChange, AnFp32WeightCanBeJudgedInHalf) {
  const tensors::WeightChange change = change_of(1.0, 0x1p-12, at::kFloat);
  EXPECT_EQ(change.lost, 0) << "FP32 holds it";
  EXPECT_EQ(change.below_half_ulp, 1) << "FP16 would not";
}

TEST(WeightChange, TakesAnyOrderOfStrides) {
  const at::Tensor before = at::rand({3, 4}).t();
  const at::Tensor exact = before.to(at::kDouble) + 0x1p-3;
  const tensors::WeightChange change =
      tensors::weight_change(before, exact.to(at::kFloat), exact, error::spacing_of(DType::Float));
  EXPECT_EQ(change.count, 12);
  EXPECT_EQ(change.lost, 0);
}

TEST(WeightChange, ThatComesLaterIsTheSame) {
  tensors::DeferredReductions results;
  std::vector<tensors::PendingChange> later;
  std::vector<tensors::WeightChange> now;
  for (const at::ScalarType type : {at::kHalf, at::kFloat, at::kDouble}) {
    const at::Tensor before = at::randn({30, 40}).to(type).t();
    const at::Tensor exact = before.to(at::kDouble) + at::randn({40, 30}, at::kDouble) * 1e-3;
    now.push_back(tensors::weight_change(before, exact.to(type), exact, kHalf));
    later.push_back(tensors::weight_change_later(before, exact.to(type), exact, kHalf, results));
  }
  results.complete();
  for (std::size_t i = 0; i < now.size(); ++i) EXPECT_EQ(*later[i], now[i]) << i;
}

}  // namespace weight_change_test
}  // namespace ampprof
