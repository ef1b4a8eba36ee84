// SPDX-License-Identifier: Apache-2.0
#include "profiler/gradient_impact/gradient_errors.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

namespace ampprof::profiler {
namespace gradient_errors_test {

struct Compared {
  NamedGradients exact;
  std::vector<GradientError> rows;
};

Compared compared(const std::vector<GradientPair>& pairs, double scale, std::int64_t segment,
                  const NamedGradients& before) {
  Compared found;
  const auto numbers = std::make_shared<DeferredScalars>(nullptr);
  found.exact = compare_gradients(pairs, scale, segment, before, *numbers,
                                  [&](const GradientError& row) { found.rows.push_back(row); });
  return found;
}

TEST(GradientErrors, AreThoseOfUnscaledGradients) {
  const GradientPair pair{"w", at::tensor({0.0, 8.0}).to(at::kHalf), at::tensor({6.0, 8.0}).to(at::kFloat)};
  const Compared found = compared({pair}, 2.0, 5, {});
  ASSERT_EQ(found.rows.size(), 1U);
  EXPECT_EQ(found.rows[0], (GradientError{.segment = 5,
                                          .parameter = "w",
                                          .elements = 2,
                                          .flushed = 1,
                                          .sum_sq_error = 9.0,
                                          .sum_sq_reference = 25.0,
                                          .sum_sq_run = 16.0,
                                          .product = 16.0}));
  EXPECT_TRUE(at::equal(found.exact.at("w"), at::tensor({3.0, 4.0}).to(at::kBFloat16)));
}

TEST(GradientErrors, KnowHowMuchAGradientChanges) {
  const GradientPair pair{"w", at::ones({4}), at::ones({4})};
  const Compared found = compared({pair}, 1.0, 1, {{"w", at::full({4}, 3.0, at::kBFloat16)}});
  EXPECT_EQ(found.rows.at(0).sum_sq_change, 16.0);
  EXPECT_EQ(compared({pair}, 1.0, 1, {{"other", at::ones({4})}}).rows.at(0).sum_sq_change, std::nullopt);
}

TEST(GradientErrors, LeaveOutWhatIsNotFinite) {
  const float inf = std::numeric_limits<float>::infinity();
  const GradientPair lost{"lost", at::tensor({1.0F, inf}), at::ones({2})}, kept{"kept", at::ones({2}), at::ones({2})};
  const Compared found = compared({lost, kept}, 1.0, 1, {});
  ASSERT_EQ(found.rows.size(), 1U);
  EXPECT_EQ(found.rows[0].parameter, "kept");
}

}  // namespace gradient_errors_test
}  // namespace ampprof::profiler
