// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/seen_losses.h"

#include <gtest/gtest.h>
#include <torch/types.h>

namespace ampprof::profiler {
namespace seen_losses_test {

constexpr auto kNoneIsOpen = [](std::int64_t) { return false; };

TEST(SeenLosses, AreDividedByTheScaleOfTheirPass) {
  SeenLosses losses;
  tensors::DeferredReductions results;
  losses.add({.pass = 1, .segment = 4, .loss_id = 2, .scale = 8.0}, torch::tensor(12.0f), {torch::tensor(16.0f), {}},
             results);
  losses.add({.pass = 2, .segment = 4, .loss_id = 3}, torch::tensor({{4.0}}, torch::kDouble), {}, results);
  losses.scale_was(2, 16.0);
  const auto taken = losses.take(kNoneIsOpen);
  ASSERT_EQ(taken.size(), 2u);
  EXPECT_EQ(taken[0].value.segment, 4);
  EXPECT_EQ(taken[0].value.loss_id, 2);
  EXPECT_EQ(taken[0].value.value, 1.5);
  EXPECT_EQ(taken[0].in(0).shadow_value, 2.0) << "divided by the same scale";
  EXPECT_EQ(taken[0].in(1).shadow_value, std::nullopt) << "it is no other there";
  EXPECT_EQ(taken[1].value.loss_id, 3);
  EXPECT_EQ(taken[1].value.value, 0.25);
  EXPECT_EQ(taken[1].in(0).shadow_value, std::nullopt) << "nothing goes along";
  EXPECT_TRUE(losses.take(kNoneIsOpen).empty()) << "each once";
}

TEST(SeenLosses, AreWhatTheyWereWhenBackwardBegan) {
  SeenLosses losses;
  tensors::DeferredReductions results;
  const torch::Tensor loss = torch::tensor(3.0f);
  losses.add({.pass = 1, .scale = 1.0}, loss, {}, results);
  loss.zero_();
  EXPECT_EQ(losses.take(kNoneIsOpen).at(0).value.value, 3.0);
}

TEST(SeenLosses, OfUnknownScaleAreForgottenWhenTheirPassIsOver) {
  SeenLosses losses;
  tensors::DeferredReductions results;
  losses.add({.pass = 1}, torch::tensor(1.0f), {}, results);
  losses.add({.pass = 2}, torch::tensor(2.0f), {}, results);
  EXPECT_TRUE(losses.take([](std::int64_t pass) { return pass == 2; }).empty());
  losses.scale_was(1, 1.0);
  losses.scale_was(2, 1.0);
  const auto taken = losses.take(kNoneIsOpen);
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_EQ(taken[0].value.value, 2.0);
}

}  // namespace seen_losses_test
}  // namespace ampprof::profiler
