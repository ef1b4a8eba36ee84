// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/op_figures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reports/queries/ops.h"

namespace ampprof::analysis {
namespace op_figures_test {

constexpr double kInf = std::numeric_limits<double>::infinity();

queries::OpRow with_range(double amax, double reference_amax) {
  queries::OpRow op;
  op.ranges = RangeStats{.count = 1, .amax = amax, .reference_amax = reference_amax};
  return op;
}

TEST(Headroom, IsThePowersOfTwoUpToTheLargestHalf) {
  EXPECT_EQ(headroom_of(with_range(65504.0 / 8, 0)), 3.0);
  EXPECT_EQ(headroom_of(with_range(0, 65504.0 * 2)), -1.0) << "the reference counts where it is larger";
  EXPECT_EQ(headroom_of(with_range(1e-8, 0)), std::log2(65504 / 1e-8));
}

TEST(Headroom, IsUnknownWhereNoValueTells) {
  EXPECT_EQ(headroom_of({}), std::nullopt);
  EXPECT_EQ(headroom_of(with_range(0, 0)), std::nullopt);
  EXPECT_EQ(headroom_of(with_range(kInf, 1)), std::nullopt);
}

queries::OpRow with_error(double sum_sq_error, double sum_sq_reference = 1) {
  queries::OpRow op;
  op.local = ErrorStats{.count = 1, .sum_sq_error = sum_sq_error, .sum_sq_reference = sum_sq_reference};
  return op;
}

TEST(LargerError, PutsWhatIsNotFiniteFirstAndWhatIsUnknownLast) {
  const std::vector order{with_error(1, 0), with_error(4), with_error(1), with_error(0), queries::OpRow()};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t k = 0; k < order.size(); ++k)
      EXPECT_EQ(has_larger_error(order[i], order[k]), i < k) << i << ' ' << k;
  }
  EXPECT_FALSE(has_larger_error(with_error(kInf), with_error(std::nan("")))) << "neither is larger";
  EXPECT_FALSE(has_larger_error(with_error(std::nan("")), with_error(kInf)));
}

TEST(WhatMatters, IsWhatTheErrorDoesToTheLossThenItsSize) {
  const auto with_impact = [](double size, double error) {
    queries::OpRow op = with_error(error);
    op.loss_impact_size = size;
    return op;
  };
  const std::vector order{with_error(1, 0),    with_impact(2e-3, 1e-9), with_impact(1e-3, 1), with_error(4),
                          with_impact(0.0, 1), with_error(0),           queries::OpRow()};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t k = 0; k < order.size(); ++k) EXPECT_EQ(matters_more(order[i], order[k]), i < k) << i << ' ' << k;
  }
  EXPECT_TRUE(orders_by_impact(order));
  EXPECT_FALSE(orders_by_impact(std::vector{with_error(4), with_impact(0.0, 1)}));
}

}  // namespace op_figures_test
}  // namespace ampprof::analysis
