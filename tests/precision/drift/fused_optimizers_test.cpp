// SPDX-License-Identifier: Apache-2.0
// Compares the first steps of optimizers with values computed by hand.
#include "precision/drift/fused_optimizers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

namespace ampprof::drift {
namespace {

constexpr double kAbsent = NAN;

/// Returns the written values, keyed by the argument's index.
std::map<std::size_t, double> write(std::string_view op, const std::vector<double>& arguments) {
  std::map<std::size_t, double> written;
  for (const FusedWrite& write : fused_optimizer(op)) {
    EXPECT_EQ(write.op.operands, arguments.size()) << op;
    const std::vector<Operand> operands(arguments.begin(), arguments.end());
    std::vector<double> result(1);
    write.op.compute(operands, result);
    written[write.argument] = result[0];
  }
  return written;
}

struct AdamStep {
  double weight = 2.0, gradient = 0.5, average = 0.0, square = 0.0, largest_square = kAbsent, step = 1.0;
  double lr = 0.1, beta1 = 0.9, beta2 = 0.99, weight_decay = 0.0, eps = 0.0, amsgrad = 0.0, maximize = 0.0;
  double grad_scale = kAbsent, found_inf = kAbsent;

  std::vector<double> arguments() const {
    return {weight, gradient,     average, square,  largest_square, step,       lr,       beta1,
            beta2,  weight_decay, eps,     amsgrad, maximize,       grad_scale, found_inf};
  }
};

TEST(FusedOptimizersTest, TheFirstStepOfAdamGoesAsFarAsTheLearningRate) {
  const auto written = write("_fused_adam_", AdamStep{}.arguments());
  EXPECT_NEAR(written.at(0), 1.9, 1e-12);
  EXPECT_NEAR(written.at(2), 0.05, 1e-12);
  EXPECT_NEAR(written.at(3), 0.0025, 1e-12);
  EXPECT_TRUE(std::isnan(written.at(4))) << "there is none without amsgrad";
}

TEST(FusedOptimizersTest, AdamWDecaysTheWeightAndAdamTheGradient) {
  const AdamStep decayed{.weight_decay = 0.5};
  EXPECT_NEAR(write("_fused_adamw_", decayed.arguments()).at(0), 2.0 * (1 - 0.1 * 0.5) - 0.1, 1e-12);
  EXPECT_NEAR(write("_fused_adamw_", decayed.arguments()).at(2), 0.05, 1e-12);
  EXPECT_NEAR(write("_fused_adam_", decayed.arguments()).at(2), 0.1 * (0.5 + 0.5 * 2.0), 1e-12);
}

TEST(FusedOptimizersTest, AmsgradKeepsTheLargestSquare) {
  const auto written = write("_fused_adam_", AdamStep{.largest_square = 1.0, .amsgrad = 1.0}.arguments());
  EXPECT_EQ(written.at(4), 1.0);
  EXPECT_NEAR(written.at(0), 2.0 - 0.1 * 0.5 / std::sqrt(1.0 / 0.01), 1e-12);
}

TEST(FusedOptimizersTest, GradientsAreUnscaledAndMayClimb) {
  const AdamStep scaled{.gradient = 512.0, .maximize = 1.0, .grad_scale = 1024.0, .found_inf = 0.0};
  EXPECT_NEAR(write("_fused_adam_", scaled.arguments()).at(0), 2.1, 1e-12);
  EXPECT_NEAR(write("_fused_adam_", scaled.arguments()).at(2), -0.05, 1e-12);
}

TEST(FusedOptimizersTest, AnOverflowLeavesEverything) {
  const auto written = write("_fused_adamw_", AdamStep{.average = 3.0, .square = 4.0, .found_inf = 1.0}.arguments());
  EXPECT_EQ(written.at(0), 2.0);
  EXPECT_EQ(written.at(2), 3.0);
  EXPECT_EQ(written.at(3), 4.0);
}

TEST(FusedOptimizersTest, SgdHasMomentum) {
  // arguments: weight, gradient, buffer, weight_decay, momentum, lr, dampening, nesterov, maximize, is_first_step,
  // scale, inf
  const auto plain = write("_fused_sgd_", {2, 0.5, kAbsent, 0, 0, 0.1, 0, 0, 0, 0, kAbsent, kAbsent});
  EXPECT_NEAR(plain.at(0), 1.95, 1e-12);
  const auto later = write("_fused_sgd_", {2, 0.5, 1.0, 0.25, 0.9, 0.1, 0, 0, 0, 0, kAbsent, kAbsent});
  EXPECT_NEAR(later.at(2), 0.9 + 0.5 + 0.25 * 2, 1e-12);
  EXPECT_NEAR(later.at(0), 2 - 0.1 * 1.9, 1e-12);
  const auto first = write("_fused_sgd_", {2, 0.5, kAbsent, 0, 0.9, 0.1, 0, 1, 0, 1, kAbsent, kAbsent});
  EXPECT_NEAR(first.at(2), 0.5, 1e-12);
  EXPECT_NEAR(first.at(0), 2 - 0.1 * (0.5 + 0.9 * 0.5), 1e-12) << "nesterov";
}

TEST(FusedOptimizersTest, OtherOpsAreNotKnown) {
  EXPECT_TRUE(fused_optimizer("_fused_adagrad_").empty());
  EXPECT_TRUE(fused_optimizer("add_").empty());
  EXPECT_EQ(fused_optimizer("_fused_adamw_.tensor_lr").size(), 4U);
}

}  // namespace
}  // namespace ampprof::drift
