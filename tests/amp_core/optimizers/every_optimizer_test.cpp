// SPDX-License-Identifier: Apache-2.0
// Tests the common behaviour of all fused optimizers.
#include <gtest/gtest.h>

#include <cmath>

#include "amp_core/levels/properties.h"
#include "tests/amp_core/optimizers/training.h"

namespace amp {
namespace every_optimizer_test {

using namespace testing_optimizers;

const std::vector<std::vector<std::int64_t>> kShapes{{33}, {7, 5}, {1}, {2, 3, 4, 5}, {}};

class EveryOptimizer : public testing::TestWithParam<Kind> {
 protected:
  // Uses one thread: fused kernels split even tiny tensors among threads, which wait for each other on a busy machine.
  static void SetUpTestSuite() { at::set_num_threads(1); }

  static OptimizerPtr optimizer_of(const Tensors& parameters) { return GetParam().make({parameters}); }

  static void train(torch::optim::Optimizer& optimizer, const Tensors& parameters, int from, int to) {
    for (int step = from; step < to; ++step) {
      set_gradients(parameters, step);
      optimizer.step();
    }
  }

  static std::string complaint_of_step(torch::optim::Optimizer& optimizer) {
    try {
      optimizer.step();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

TEST_P(EveryOptimizer, ChangesNoBitWhereTheDevicesFlagIsSet) {
  for (const double flag : {1.0, 2.0, double(INFINITY)}) {
    const Tensors parameters = parameters_like(kShapes);
    const auto optimizer = optimizer_of(parameters);
    train(*optimizer, parameters, 0, 2);
    const Tensors before = clones_of(parameters);
    const std::string state = bits_of(*optimizer);
    for (const double poison : {double(NAN), double(INFINITY), 1.0}) {
      set_gradients(parameters, 2);
      for (const auto& parameter : parameters) parameter.mutable_grad().view(-1)[0] = poison;
      on_device(*optimizer).skip_if(torch::full({1}, flag));
      optimizer->step();
      EXPECT_TRUE(all_equal(parameters, before)) << "flag " << flag << ", gradient " << poison;
      EXPECT_EQ(bits_of(*optimizer), state) << "flag " << flag << ", gradient " << poison;
    }
  }
}

TEST_P(EveryOptimizer, TrainsOnAfterSkippedStepsAsIfTheyHadNeverBeen) {
  const Tensors plain = parameters_like(kShapes);
  const auto reference = optimizer_of(plain);
  const Tensors parameters = clones_of(plain);
  const auto optimizer = optimizer_of(parameters);
  train(*reference, plain, 0, 4);
  for (int step = 0; step < 4; ++step) {
    set_gradients(parameters, 99, INFINITY);
    on_device(*optimizer).skip_if(torch::ones({1}));  // in the first round, skips the optimizer's very first step
    optimizer->step();
    set_gradients(parameters, step);
    on_device(*optimizer).skip_if(torch::zeros({1}));
    optimizer->step();
  }
  EXPECT_TRUE(all_equal(parameters, plain)) << largest_difference(parameters, plain);
}

TEST_P(EveryOptimizer, HeedsAFlagForOneStepOnly) {
  const Tensors parameters = parameters_like(kShapes);
  const auto optimizer = optimizer_of(parameters);
  on_device(*optimizer).skip_if(torch::ones({1}));
  train(*optimizer, parameters, 0, 1);
  const Tensors skipped = clones_of(parameters);
  train(*optimizer, parameters, 1, 2);
  EXPECT_FALSE(all_equal(parameters, skipped));
}

TEST_P(EveryOptimizer, UnscalesGradientsByATensor) {
  const Tensors plain = parameters_like(kShapes);
  const auto reference = optimizer_of(plain);
  const Tensors parameters = clones_of(plain);
  const auto optimizer = optimizer_of(parameters);
  train(*reference, plain, 0, 3);
  for (int step = 0; step < 3; ++step) {
    set_gradients(parameters, step, 1024);
    on_device(*optimizer).unscale_by(torch::full({}, 1024.0));
    optimizer->step();
  }
  EXPECT_TRUE(all_equal(parameters, plain)) << largest_difference(parameters, plain);
}

TEST_P(EveryOptimizer, LeavesGradientsAsTheyAre) {
  const Tensors parameters = parameters_like(kShapes);
  const auto optimizer = optimizer_of(parameters);
  train(*optimizer, parameters, 0, 1);
  set_gradients(parameters, 1);
  Tensors before;
  for (const auto& parameter : parameters) before.push_back(parameter.grad().clone());
  optimizer->step();
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_TRUE(at::equal(parameters[i].grad(), before[i]));
}

TEST_P(EveryOptimizer, ContinuesBitForBitFromAnArchive) {
  const Tensors parameters = parameters_like(kShapes);
  const auto optimizer = optimizer_of(parameters);
  train(*optimizer, parameters, 0, 3);
  std::stringstream stream;
  torch::save(*optimizer, stream);
  const Tensors restored = clones_of(parameters);
  const auto other = GetParam().make({restored});
  other->param_groups().front().options().set_lr(17);
  torch::load(*other, stream);
  EXPECT_EQ(other->param_groups().front().options().get_lr(), optimizer->param_groups().front().options().get_lr());
  train(*optimizer, parameters, 3, 6);
  train(*other, restored, 3, 6);
  EXPECT_TRUE(all_equal(restored, parameters));
}

TEST_P(EveryOptimizer, UpdatesEachGroupWithItsOwnLearningRate) {
  const Tensors parameters = parameters_like({{9}, {9}});
  auto options = GetParam().make({Tensors{parameters[0]}})->defaults().clone();
  options->set_lr(0);
  const auto optimizer = GetParam().make({Tensors{parameters[0]}, {Tensors{parameters[1]}, std::move(options)}});
  const Tensors before = clones_of(parameters);
  train(*optimizer, parameters, 0, 2);
  EXPECT_FALSE(at::equal(parameters[0], before[0]));
  EXPECT_TRUE(at::equal(parameters[1], before[1]));
}

TEST(FusedOptimizer, KeepsTheOptionsOfAGroupThatIsAdded) {
  FusedSGD optimizer(parameters_like({{9}}), FusedSGDOptions(0.5));
  optimizer.add_param_group({parameters_like({{9}}), std::make_unique<FusedSGDOptions>(0.25)});
  optimizer.add_param_group(parameters_like({{9}}));
  EXPECT_EQ(optimizer.param_groups()[1].options().get_lr(), 0.25);
  EXPECT_EQ(optimizer.param_groups()[2].options().get_lr(), 0.5);
}

TEST_P(EveryOptimizer, FollowsASchedulerOfLibTorch) {
  const Tensors parameters = parameters_like({{9}});
  const auto optimizer = optimizer_of(parameters);
  const double start = optimizer->param_groups().front().options().get_lr();
  torch::optim::SGD plain(clones_of(parameters), start);
  torch::optim::StepLR scheduler(*optimizer, /*step_size=*/2, /*gamma=*/0.5);
  torch::optim::StepLR reference(plain, /*step_size=*/2, /*gamma=*/0.5);
  for (int step = 0; step < 5; ++step) {
    train(*optimizer, parameters, step, step + 1);
    scheduler.step();
    reference.step();
    EXPECT_EQ(optimizer->param_groups().front().options().get_lr(), plain.param_groups().front().options().get_lr());
  }
  EXPECT_LT(optimizer->param_groups().front().options().get_lr(), start);
  optimizer->param_groups().front().options().set_lr(0);
  const Tensors before = clones_of(parameters);
  train(*optimizer, parameters, 5, 6);
  EXPECT_TRUE(all_equal(parameters, before));
}

TEST_P(EveryOptimizer, AGroupAddedLaterStartsAfresh) {
  const Tensors parameters = parameters_like({{9}, {9}});
  const auto optimizer = GetParam().make({Tensors{parameters[0]}});
  train(*optimizer, {parameters[0]}, 0, 3);
  optimizer->add_param_group(Tensors{parameters[1]});
  const Tensors alone = clones_of({parameters[1]});
  const auto reference = optimizer_of(alone);
  parameters[0].mutable_grad() = at::Tensor();
  train(*optimizer, {parameters[1]}, 0, 3);
  train(*reference, alone, 0, 3);
  EXPECT_TRUE(at::equal(parameters[1], alone[0]));
}

TEST_P(EveryOptimizer, PassesOverParametersWithoutGradientOrElements) {
  const Tensors parameters = parameters_like({{9}, {0, 4}, {9}});
  const auto optimizer = GetParam().make({Tensors{}, parameters});
  optimizer->step();
  const at::Tensor untouched = parameters[2].detach().clone();
  set_gradients(parameters, 0);
  parameters[2].mutable_grad() = at::Tensor();
  optimizer->step();
  EXPECT_TRUE(at::equal(parameters[2], untouched));
  EXPECT_EQ(optimizer->state().count(parameters[0].unsafeGetTensorImpl()), 1U);
  EXPECT_EQ(optimizer->state().count(parameters[2].unsafeGetTensorImpl()), 0U);
}

TEST_P(EveryOptimizer, RefusesSparseGradientsAndIntegers) {
  Tensors parameters = parameters_like({{3, 2}});
  auto optimizer = optimizer_of(parameters);
  parameters[0].mutable_grad() = torch::ones({3, 2}).to_sparse();
  EXPECT_NE(complaint_of_step(*optimizer).find("sparse gradient"), std::string::npos);
  parameters = {torch::ones({3}, torch::kComplexFloat).requires_grad_()};
  optimizer = optimizer_of(parameters);
  parameters[0].mutable_grad() = torch::ones({3}, torch::kComplexFloat);
  EXPECT_NE(complaint_of_step(*optimizer).find("ComplexFloat"), std::string::npos);
}

TEST_P(EveryOptimizer, ReturnsTheClosuresLossAndLetsItRecordGradients) {
  const Tensors parameters = parameters_like({{9}});
  const auto optimizer = optimizer_of(parameters);
  const Tensors before = clones_of(parameters);
  const torch::NoGradGuard as_a_caller_may_have;
  const auto loss = optimizer->step([&] {
    const at::Tensor value = parameters[0].pow(2).sum();
    value.backward();
    return value;
  });
  EXPECT_GT(loss.item<double>(), 0);
  EXPECT_FALSE(all_equal(parameters, before));
}

TEST_P(EveryOptimizer, UpdatesReducedTypesInFp32) {
  for (const auto type : {at::kHalf, at::kBFloat16}) {
    const Tensors parameters = parameters_like(kShapes, type);
    const auto optimizer = optimizer_of(parameters);
    const Tensors exact = clones_of(parameters, at::kFloat);
    const auto reference = optimizer_of(exact);
    for (int step = 0; step < 3; ++step) {
      train(*optimizer, parameters, step, step + 1);
      set_gradients(exact, step);
      for (const auto& parameter : exact) {  // set_gradients() rounds to half, but BF16 is coarser
        parameter.mutable_grad() = parameter.grad().to(type).to(at::kFloat);
      }
      reference->step();
      for (std::size_t i = 0; i < exact.size(); ++i) {
        const torch::NoGradGuard no_grad;
        EXPECT_TRUE(at::equal(parameters[i], exact[i].to(type))) << toString(type) << ", step " << step;
        exact[i].copy_(parameters[i]);  // continues from the rounded parameters
      }
    }
  }
}

TEST_P(EveryOptimizer, StaysFiniteWithHalfParametersAndZeroGradients) {
  const Tensors parameters = parameters_like({{40}}, at::kHalf);
  const auto optimizer = optimizer_of(parameters);
  parameters[0].mutable_grad() = torch::zeros_like(parameters[0].detach());
  optimizer->step();
  EXPECT_TRUE(at::isfinite(parameters[0]).all().item<bool>());
}

TEST_P(EveryOptimizer, PairsElementsByPlaceWhateverTheStrides) {
  const Tensors plain = parameters_like({{2, 3, 4, 5}, {6, 4}, {4, 6}});
  const auto reference = optimizer_of(plain);
  Tensors parameters = clones_of(plain);
  parameters[0] = parameters[0].detach().to(at::MemoryFormat::ChannelsLast).requires_grad_();
  parameters[1] = torch::empty({4, 6}).t().copy_(parameters[1].detach()).detach().requires_grad_();
  parameters[2] = torch::zeros({8, 12}).slice(0, 0, 8, 2).slice(1, 0, 12, 2).copy_(parameters[2].detach());
  parameters[2] = parameters[2].detach().requires_grad_();
  const auto optimizer = optimizer_of(parameters);
  for (int step = 0; step < 4; ++step) {
    set_gradients(plain, step);
    reference->step();
    for (std::size_t i = 0; i < plain.size(); ++i) parameters[i].mutable_grad() = plain[i].grad().clone();
    optimizer->step();
    if (step == 1) parameters[0].set_data(parameters[0].detach().contiguous());
  }
  EXPECT_LE(largest_difference(parameters, plain), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Fused, EveryOptimizer, testing::ValuesIn(all_kinds()),
                         [](const auto& info) { return info.param.name; });

}  // namespace every_optimizer_test
}  // namespace amp
