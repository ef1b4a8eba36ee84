// SPDX-License-Identifier: Apache-2.0
#include "analysis/losses/impact_order.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "reports/queries/impacts.h"

namespace ampprof::analysis {
namespace impact_order_test {

/// Returns an op with an expected loss impact (E) of `size` in each of three steps.
queries::ImpactRow row_of(double size, std::int32_t loss = 0) {
  queries::ImpactRow row;
  row.loss_id = loss;
  row.squares.output = size * size;
  row.self_check = 1.0;
  row.is_signed = false;
  row.impact_rms = size;
  for (std::int64_t step = 1; step <= 3; ++step)
    row.by_step.push_back({.step = step, .change = 0.0, .square = size * size});
  return row;
}

std::vector<ImpactRank> ranks_of(const std::vector<queries::ImpactRow>& rows) {
  std::vector<const queries::ImpactRow*> pointers;
  for (const queries::ImpactRow& row : rows) pointers.push_back(&row);
  return impact_ranks(pointers);
}

TEST(ImpactRanks, AreTiesIfSizesAreIndistinguishable) {
  EXPECT_EQ(ranks_of({row_of(8), row_of(4), row_of(3.6), row_of(3.2), row_of(1)}),
            (std::vector<ImpactRank>{{1, false}, {2, true}, {2, true}, {2, true}, {5, false}}));
  EXPECT_EQ(ranks_of({row_of(1), row_of(1)}), (std::vector<ImpactRank>{{1, true}, {1, true}}));
  EXPECT_TRUE(ranks_of({}).empty());
}

TEST(ImpactRanks, AreOfOneLossAndOnlyOfWhatHasASize) {
  EXPECT_EQ(ranks_of({row_of(4), row_of(3.9, 1), row_of(1), queries::ImpactRow(), row_of(0)}),
            (std::vector<ImpactRank>{{1, false}, {1, false}, {2, false}, {}, {}}));
}

TEST(ImpactRanks, OfSignedChangesAreNoTies) {
  queries::ImpactRow failed = row_of(4);
  failed.is_signed = true;
  EXPECT_EQ(ranks_of({row_of(4.1), failed, row_of(3.9)}),
            (std::vector<ImpactRank>{{1, false}, {2, false}, {3, false}}));
}

TEST(ImpactRanks, AreOfCallSitesToo) {
  const queries::ImpactRow large = row_of(4);
  const queries::ImpactRow near = row_of(3.9);
  const std::vector<SizedImpact> sites{{.size = 4.0, .by_step = large.by_step}, {.size = 3.9, .by_step = near.by_step}};
  EXPECT_EQ(impact_ranks(sites), (std::vector<ImpactRank>{{1, true}, {1, true}}));
}

TEST(SelfChecks, ArePooledOverRows) {
  queries::ImpactRow failed = row_of(4);
  failed.is_signed = true;
  failed.self_check = 25.0;
  const queries::ImpactRow good = row_of(1);
  const queries::ImpactRow unknown;
  const std::vector<const queries::ImpactRow*> rows{&failed, &good, &unknown};
  const auto check = self_check(rows);
  ASSERT_TRUE(check);
  EXPECT_EQ(check->mean, 13.0);
  EXPECT_EQ(check->rows, 2);
  EXPECT_EQ(check->failures, 1);
  EXPECT_FALSE(self_check(std::vector<const queries::ImpactRow*>{&unknown}));
}

}  // namespace impact_order_test
}  // namespace ampprof::analysis
