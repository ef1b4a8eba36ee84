// SPDX-License-Identifier: Apache-2.0
#include "amp_core/engine/gradients.h"

#include <gtest/gtest.h>
#include <torch/optim.h>
#include <torch/types.h>

#include <cmath>

namespace amp {
namespace gradients_test {

/// Has a model of half and FP32 parameters, masters for the half parameters, and gradients of a pass at scale 8.
class Gradients : public testing::Test {
 protected:
  void SetUp() override {
    for (const auto& [shape, type] : std::vector<std::pair<std::vector<std::int64_t>, at::ScalarType>>{
             {{3, 2}, at::kHalf}, {{4}, at::kFloat}, {{0}, at::kHalf}, {{2, 3, 2, 2}, at::kHalf}, {{}, at::kHalf}}) {
      models_.push_back(torch::ones(shape, type).requires_grad_());
    }
    models_[3] = models_[3].detach().to(at::MemoryFormat::ChannelsLast).requires_grad_();
    optimizer_ = std::make_unique<torch::optim::SGD>(models_, 0.1);
    state_.optimizer = optimizer_.get();
    make_masters(state_);
  }

  void set_gradients(double value) {
    for (const auto& model : models_) {
      const at::Tensor ramp = torch::arange(model.numel(), at::kFloat).reshape(model.sizes()) + value;
      model.mutable_grad() = torch::empty_like(model.detach()).copy_(8 * ramp);
    }
  }

  at::Tensor expected(std::size_t i, double value) const {
    return torch::arange(models_[i].numel(), at::kFloat).reshape(models_[i].sizes()) + value;
  }

  const at::Tensor& updated(std::size_t i) const { return optimizer_->param_groups().front().params()[i]; }

  std::vector<at::Tensor> models_;
  std::unique_ptr<torch::optim::SGD> optimizer_;
  OptimizerState state_;
};

TEST_F(Gradients, OfHalfParametersComeToTheirMastersUnscaledInFp32) {
  set_gradients(1);
  auto gradients = gradients_of_pass(state_);
  EXPECT_FALSE(unscale(gradients, 8).is_set());
  merge_gradients(state_, gradients);
  for (std::size_t i = 0; i < models_.size(); ++i) {
    EXPECT_EQ(updated(i).grad().scalar_type(), at::kFloat);
    EXPECT_TRUE(at::equal(updated(i).grad(), expected(i, 1))) << i;
    const double left_scaled_by = i == 1 ? 1 : 8;
    EXPECT_TRUE(at::equal(models_[i].grad().to(at::kFloat), left_scaled_by * expected(i, 1))) << i;
  }
  EXPECT_EQ(updated(3).grad().strides(), models_[3].grad().strides());
}

TEST_F(Gradients, OfMastersShareOneBufferThatIsCheckedAsAWhole) {
  set_gradients(1);
  const auto gradients = gradients_of_pass(state_);
  const at::Tensor buffer = gradients.front().flat_buffer;
  EXPECT_EQ(buffer.numel(), 6 + 24 + 1);
  for (const auto& gradient : gradients) {
    EXPECT_EQ(gradient.flat_buffer.is_same(buffer), gradient.parameter.scalar_type() == at::kHalf);
  }
}

TEST_F(Gradients, OfFurtherPassesAddUp) {
  for (const double value : {1, 2}) {
    stash_gradients(state_);
    set_gradients(value);
    auto gradients = gradients_of_pass(state_);
    EXPECT_FALSE(unscale(gradients, 8).is_set());
    merge_gradients(state_, gradients);
  }
  for (std::size_t i = 0; i < models_.size(); ++i) {
    EXPECT_TRUE(at::equal(updated(i).grad(), expected(i, 1) + expected(i, 2))) << i;
  }
}

TEST_F(Gradients, MayBeZeroedInPlace) {
  set_gradients(1);
  auto gradients = gradients_of_pass(state_);
  EXPECT_FALSE(unscale(gradients, 8).is_set());
  merge_gradients(state_, gradients);
  optimizer_->zero_grad(/*set_to_none=*/false);
  EXPECT_TRUE(at::equal(updated(0).grad(), torch::zeros({3, 2})));
  EXPECT_TRUE(at::equal(updated(3).grad(), expected(3, 1) * 0)) << "and no other with it";
}

TEST_F(Gradients, AnOverflowAnywhereIsFound) {
  for (const std::size_t where : {0, 1, 3, 4}) {
    for (const double poison : {double(INFINITY), -double(INFINITY), double(NAN)}) {
      set_gradients(1);
      models_[where].mutable_grad().view_as(models_[where]).fill_(poison);
      auto gradients = gradients_of_pass(state_);
      EXPECT_TRUE(unscale(gradients, 8).is_set()) << where << ' ' << poison;
    }
  }
}

TEST_F(Gradients, NonfiniteOnesAreFoundAsBackwardMadeThem) {
  set_gradients(1.0);
  EXPECT_FALSE(nonfinite_among(gradients_of_pass(state_)).is_set());
  EXPECT_FALSE(nonfinite_among({}).is_set());
  for (const double bad : {NAN, INFINITY, -INFINITY}) {
    for (const std::size_t which : {0, 1, 3, 4}) {
      set_gradients(1.0);
      const at::Tensor gradient = models_[which].mutable_grad();
      at::Tensor one = gradient;
      while (one.dim() > 0) one = one[-1];
      one.fill_(bad);
      const at::Tensor before = gradient.clone();
      EXPECT_TRUE(nonfinite_among(gradients_of_pass(state_)).is_set()) << bad << " in " << which;
      EXPECT_TRUE(at::allclose(gradient, before, 0, 0, /*equal_nan=*/true));
    }
  }
}

TEST_F(Gradients, AFlagMayBeReadLaterOrPassedOnUnread) {
  for (const bool overflows : {false, true}) {
    set_gradients(overflows ? INFINITY : 1);
    auto gradients = gradients_of_pass(state_);
    const OverflowFlag flag = unscale(gradients, 8);
    const at::Tensor passed_on = flag.collected();
    EXPECT_EQ(passed_on.numel(), 1);
    EXPECT_EQ(passed_on.scalar_type(), at::kFloat);
    EXPECT_EQ(passed_on.item<float>(), overflows ? 1.0F : 0.0F);
    EXPECT_EQ(flag.is_set(), overflows);
  }
  EXPECT_FALSE(OverflowFlag().is_set());
  EXPECT_EQ(OverflowFlag().collected().item<float>(), 0.0F);
}

}  // namespace gradients_test
}  // namespace amp
