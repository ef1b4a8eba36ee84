// SPDX-License-Identifier: Apache-2.0
#include "amp_core/engine/optimizer_state.h"

#include <gtest/gtest.h>
#include <torch/optim/sgd.h>
#include <torch/types.h>

namespace amp {
namespace optimizer_state_test {

class Masters : public ::testing::Test {
 protected:
  Masters() {
    state_.optimizer = &optimizer_;
    make_masters(state_);
  }

  const at::Tensor& master() const { return state_.masters.front().master; }

  at::Tensor weight_ = torch::ones({2}, torch::kHalf).requires_grad_();
  torch::optim::SGD optimizer_{{weight_}, torch::optim::SGDOptions(0.5)};
  OptimizerState state_;
};

TEST_F(Masters, TakeWhatTheProgramWritesIntoParameters) {
  const torch::NoGradGuard no_grad;
  weight_.fill_(3);
  update_masters_of_written_parameters(state_);
  EXPECT_TRUE(torch::equal(master(), torch::full({2}, 3.0F)));
}

TEST_F(Masters, KeepWhatTheirParametersHaveRounded) {
  const torch::NoGradGuard no_grad;
  const at::Tensor exact = torch::full({2}, 1.0F + 1e-5F);
  master().copy_(exact);
  copy_masters_to_model(state_);
  update_masters_of_written_parameters(state_);
  EXPECT_TRUE(torch::equal(master(), exact));
  weight_.copy_(exact);  // as if a checkpoint were loaded into weights and masters
  update_masters_of_written_parameters(state_);
  EXPECT_TRUE(torch::equal(master(), exact));
}

}  // namespace optimizer_state_test
}  // namespace amp
