// SPDX-License-Identifier: Apache-2.0
// Compares the update of a loss scale with hysteresis in tensors with the same rule in plain C++ numbers.
#include <gtest/gtest.h>
#include <torch/types.h>

#include <cmath>
#include <random>

#include "amp_core/levels/loss_scaler.h"
#include "amp_core/multi_tensor/multi_tensor.h"

namespace amp::multi_tensor {
namespace scale_hysteresis_test {

struct Case {
  float start;
  double growth;
  double backoff;
  int interval;
  int hysteresis;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << "from " << c.start << " x" << c.growth << " /" << 1 / c.backoff << " after " << c.interval << ", hysteresis "
       << c.hysteresis;
}

struct Model {
  float scale;
  int clean = 0;
  int left;

  void update(bool overflowed, const Case& rule) {
    if (overflowed) {
      clean = 0;
      if (--left <= 0) scale = float(scale * rule.backoff);
      return;
    }
    left = rule.hysteresis;
    if (++clean < rule.interval) return;
    clean = 0;
    if (std::isfinite(float(scale * rule.growth))) scale = float(scale * rule.growth);
  }
};

HysteresisScale state_of(const Case& c) {
  return {torch::full({1}, c.start), torch::zeros({1}, at::kInt), torch::full({1}, c.hysteresis, at::kInt)};
}

class ScaleHysteresis : public testing::TestWithParam<Case> {};

TEST_P(ScaleHysteresis, FollowsTheRuleThroughAnySequenceOfPasses) {
  const Case& rule = GetParam();
  for (const double share_of_overflows : {0.05, 0.5, 0.95}) {
    HysteresisScale state = state_of(rule);
    Model model{.scale = rule.start, .left = rule.hysteresis};
    std::mt19937 random(7);
    for (int pass = 0; pass < 60; ++pass) {
      const bool overflowed = std::bernoulli_distribution(share_of_overflows)(random);
      update_scale_hysteresis(state, torch::full({1}, overflowed ? 1.0F : 0.0F),
                              {rule.growth, rule.backoff, rule.interval, rule.hysteresis});
      model.update(overflowed, rule);
      ASSERT_EQ(state.scale.item<float>(), model.scale) << "pass " << pass;
      ASSERT_EQ(state.clean_passes.item<int>(), model.clean) << "pass " << pass;
      ASSERT_EQ(state.overflows_left.item<int>(), model.left) << "pass " << pass;
    }
  }
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const float start : {1.0F, 65536.0F, 3e38F}) {
    for (const double growth : {2.0, 4.0}) {
      for (const double backoff : {0.5, 0.25}) {
        for (const int interval : {1, 10}) {
          for (const int hysteresis : {1, 2, 5}) cases.push_back({start, growth, backoff, interval, hysteresis});
        }
      }
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Fuzz, ScaleHysteresis, testing::ValuesIn(all_cases()));

TEST(ScaleHysteresisRule, MayFallToZero) {
  HysteresisScale state = state_of({1e-45F, 2, 0.25, 10, 1});
  update_scale_hysteresis(state, torch::ones({1}), {.backoff = 0.25});
  EXPECT_EQ(state.scale.item<float>(), 0.0F);
}

TEST(ScaleHysteresisRule, WithoutHysteresisIsTheEnginesScaler) {
  LossScaler scaler({.growth_interval = 3});
  HysteresisScale state = state_of({65536, 2, 0.5, 3, 1});
  std::mt19937 random(3);
  for (int pass = 0; pass < 50; ++pass) {
    const bool overflowed = random() % 4 == 0;
    static_cast<void>(scaler.update(overflowed));
    update_scale_hysteresis(state, torch::full({1}, overflowed ? 1.0F : 0.0F), {.growth_interval = 3});
    ASSERT_EQ(state.scale.item<float>(), scaler.scale()) << pass;
  }
}

}  // namespace scale_hysteresis_test
}  // namespace amp::multi_tensor
