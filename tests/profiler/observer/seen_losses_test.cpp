// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/seen_losses.h"

#include <gtest/gtest.h>
#include <torch/types.h>

namespace ampprof::profiler {
namespace seen_losses_test {

constexpr auto kRoot = [](const LossChain&) { return std::optional<std::size_t>(0); };

TEST(SeenLosses, AreTheValueOfTheirChainThatIsChosen) {
  SeenLosses losses;
  tensors::DeferredReductions results;
  losses.add({.segment = 4, .loss_id = 2, .chain = {{.site = {7}}}},
             {{torch::tensor(12.0f), {{.value = torch::tensor(16.0f)}, {}}},
              {torch::tensor(1.1f), {{.value = torch::tensor(1.2f), .is_decided = true}, {}}}},
             results);
  losses.add({.segment = 4, .loss_id = 3}, {{torch::tensor({{4.0}}, torch::kDouble), {}}}, results);
  const auto taken = losses.take([](const LossChain& chain) { return chain.size(); }).losses;
  ASSERT_EQ(taken.size(), 2u);
  EXPECT_EQ(taken[0].value.segment, 4);
  EXPECT_EQ(taken[0].value.loss_id, 2);
  EXPECT_EQ(taken[0].value.value, double{1.1f}) << "to the last bit";
  EXPECT_EQ(taken[0].in(0).shadow_value, double{1.2f}) << "the same operand";
  EXPECT_TRUE(taken[0].in(0).is_shadow_decided);
  EXPECT_EQ(taken[0].in(1).shadow_value, std::nullopt) << "it is the same there";
  EXPECT_FALSE(taken[0].in(1).is_shadow_decided);
  EXPECT_EQ(taken[1].value.loss_id, 3);
  EXPECT_EQ(taken[1].value.value, 4.0);
  EXPECT_EQ(taken[1].in(0).shadow_value, std::nullopt) << "nothing goes along";
  EXPECT_EQ(losses.size(), 0u) << "each once";
}

TEST(SeenLosses, AreWhatTheyWereWhenBackwardBegan) {
  SeenLosses losses;
  tensors::DeferredReductions results;
  const torch::Tensor loss = torch::tensor(3.0f);
  losses.add({}, {{loss, {}}}, results);
  loss.zero_();
  EXPECT_EQ(losses.take(kRoot).losses.at(0).value.value, 3.0);
}

TEST(SeenLosses, WaitUntilTheyAreKnown) {
  SeenLosses losses;
  tensors::DeferredReductions results;
  losses.add({.chain = {{.site = {1}}}}, {{torch::tensor(1.0f), {}}, {torch::tensor(2.0f), {}}}, results);
  losses.add({}, {{torch::tensor(3.0f), {}}}, results);
  const auto known = [](const LossChain& chain) {
    return chain.empty() ? std::optional<std::size_t>(0) : std::nullopt;
  };
  EXPECT_EQ(losses.take(known).losses.at(0).value.value, 3.0);
  EXPECT_EQ(losses.size(), 1u);
  EXPECT_EQ(losses.take(kRoot).losses.at(0).value.value, 1.0);
}

TEST(SeenLosses, OneThatIsNotKnownIsForgottenAndCounted) {
  SeenLosses losses;
  tensors::DeferredReductions results;
  losses.add({.chain = {{.site = {1}}}}, {{torch::tensor(1.0f), {}}, {}}, results);
  const SeenLosses::Taken taken = losses.take([](const LossChain&) { return std::optional<std::size_t>(1); });
  EXPECT_TRUE(taken.losses.empty());
  EXPECT_EQ(taken.unknown, 1);
  EXPECT_EQ(losses.size(), 0u);
}

}  // namespace seen_losses_test
}  // namespace ampprof::profiler
