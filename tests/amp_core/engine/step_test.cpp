// SPDX-License-Identifier: Apache-2.0
// Tests the two halves of scale_loss() and of step(), for callers that run backward or update between the halves.
#include <gtest/gtest.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/sgd.h>
#include <torch/types.h>

#include "amp_core/amp.h"

namespace amp {
namespace step_test {

class Halves : public ::testing::Test {
 protected:
  void TearDown() override { shutdown(); }

  void start(const char* level) { initialize(model_, optimizer_, {.opt_level = level, .verbosity = 0}); }
  at::Tensor loss() { return forward(model_, torch::ones({1, 4})).to(torch::kFloat).mean() / 2; }

  torch::nn::Linear model_{4, 2};
  torch::optim::SGD optimizer_{model_->parameters(), torch::optim::SGDOptions(0.5)};
};

TEST_F(Halves, DoWhatTheWholeDoes) {
  start("O2");
  const at::Tensor before = master_params(optimizer_).front().clone();
  ScaleLossCall call(loss(), optimizer_);
  call.scaled().backward();
  call.finish();
  StepCall step(optimizer_);
  ASSERT_TRUE(step.may_step());
  optimizer_.step();
  step.finish();
  EXPECT_TRUE(torch::equal(master_params(optimizer_).front(), before - 0.125));
  EXPECT_TRUE(torch::equal(model_->weight, (before - 0.125).to(torch::kHalf)));
}

TEST_F(Halves, LeaveGradientsAsTheyWereWithoutTheSecond) {
  start("O1");
  model_->weight.mutable_grad() = torch::full({2, 4}, 7.0F);
  {
    const ScaleLossCall call(loss(), optimizer_);
    call.scaled().backward();
  }
  EXPECT_TRUE(torch::equal(model_->weight.grad(), torch::full({2, 4}, 7.0F)));
}

TEST_F(Halves, OfAPassRefuseAStepBetweenThem) {
  start("O1");
  ScaleLossCall call(loss(), optimizer_);
  call.scaled().backward();
  EXPECT_THROW(step(optimizer_), Error);
  call.finish();
  EXPECT_TRUE(step(optimizer_));
}

TEST_F(Halves, OfAStepSayThatItIsSkipped) {
  start("O1");
  {
    ScaleLossCall call(loss() * 1e30, optimizer_);
    call.scaled().backward();
    call.finish();
  }
  EXPECT_FALSE(StepCall(optimizer_).may_step());
  EXPECT_TRUE(StepCall(optimizer_).may_step());
}

}  // namespace step_test
}  // namespace amp
