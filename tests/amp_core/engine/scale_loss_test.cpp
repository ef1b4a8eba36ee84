// SPDX-License-Identifier: Apache-2.0
// Compares training loops with scale_loss() and step() with plain FP32 training. All numbers are exact.
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/nn/module.h>
#include <torch/optim.h>
#include <torch/types.h>

#include <cmath>

#include "amp_core/amp.h"
#include "amp_core/casts/thread_casts.h"

namespace amp {
namespace scale_loss_test {

/// y = x * weight: the gradient of weight is the sum over x.
struct LayerImpl : torch::nn::Module {
  at::Tensor forward(const at::Tensor& x) { return x * weight; }

  at::Tensor weight = register_parameter("weight", torch::arange(1, 5, torch::kFloat) / 4);
};
TORCH_MODULE(Layer);

void backward_of(const at::Tensor& scaled) { scaled.backward(); }

std::string complaint_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

Options dynamic(const char* level) {
  return {.opt_level = level, .loss_scale = "dynamic", .verbosity = 0, .init_scale = 8.0};
}

struct Training {
  explicit Training(const torch::optim::SGDOptions& options = torch::optim::SGDOptions(0.25).momentum(0.5))
      : optimizer(layer->parameters(), options) {}

  at::Tensor loss(double x = 1.0) { return (forward(layer, torch::full({4}, x)).to(torch::kFloat).pow(2) / 2).sum(); }

  void backward(const ScaleLossOptions& options = {}, double x = 1.0) {
    scale_loss(loss(x), optimizer, backward_of, options);
  }

  /// Runs a backward pass whose gradients overflow.
  void overflow(const ScaleLossOptions& options = {}) {
    const auto overflowing = [&](const at::Tensor& scaled) {
      scaled.backward();
      layer->weight.mutable_grad()[0] = INFINITY;
    };
    scale_loss(loss(), optimizer, overflowing, options);
  }

  void iterate() {
    optimizer.zero_grad();
    backward();
    EXPECT_TRUE(step(optimizer));
  }

  at::Tensor updated() const { return master_params(optimizer).front(); }

  Layer layer;
  torch::optim::SGD optimizer;
};

class LossAtEveryLevel : public testing::TestWithParam<const char*> {
 protected:
  void TearDown() override { shutdown(); }

  static bool casts_functions() { return std::string(GetParam()) == "O1"; }
  static bool has_masters() { return std::string(GetParam()) == "O2"; }
};

INSTANTIATE_TEST_SUITE_P(Levels, LossAtEveryLevel, testing::Values("O0", "O1", "O2", "O3"),
                         [](const auto& info) { return info.param; });

TEST_P(LossAtEveryLevel, ADelayedOverflowSkipsOneStepAndLowersTheScaleOnceAtTheNextCall) {
  Training training;
  initialize(training.layer, training.optimizer, dynamic(GetParam()));
  const at::Tensor before = training.updated().detach().clone();
  training.overflow({.delay_overflow_check = true});
  training.overflow({.delay_overflow_check = true});
  EXPECT_EQ(loss_scale(), 8.0) << "not updated yet";
  training.backward();
  EXPECT_EQ(loss_scale(), 4.0) << "once for both";
  EXPECT_FALSE(step(training.optimizer));
  EXPECT_TRUE(at::equal(training.updated(), before));
  training.iterate();
  EXPECT_EQ(loss_scale(), 4.0);
}

TEST_P(LossAtEveryLevel, ADelayedOverflowIsCountedByTheStepWhereNoCallFollows) {
  Training training;
  initialize(training.layer, training.optimizer, dynamic(GetParam()));
  training.overflow({.delay_overflow_check = true});
  EXPECT_FALSE(step(training.optimizer));
  EXPECT_EQ(loss_scale(), 4.0);
  training.iterate();
  EXPECT_EQ(loss_scale(), 4.0);
}

TEST_P(LossAtEveryLevel, ADelayedOverflowBeforeAnotherCountsOnce) {
  Training training;
  initialize(training.layer, training.optimizer, dynamic(GetParam()));
  training.overflow({.delay_overflow_check = true});
  training.overflow();
  EXPECT_EQ(loss_scale(), 4.0);
  EXPECT_FALSE(step(training.optimizer));
  training.iterate();
}

TEST_P(LossAtEveryLevel, ACleanPassThatDelaysItsCheckIsNotCounted) {
  Training training;
  Options options = dynamic(GetParam());
  options.growth_interval = 2;
  initialize(training.layer, training.optimizer, options);
  training.backward({.delay_overflow_check = true});
  training.backward();
  EXPECT_EQ(loss_scale(), 8.0);
  EXPECT_TRUE(step(training.optimizer));
  training.iterate();
  EXPECT_EQ(loss_scale(), 16.0);
}

TEST_P(LossAtEveryLevel, ADelayedOverflowOfOneLossIsItsOwn) {
  Training training;
  Training other;
  Options options = dynamic(GetParam());
  options.num_losses = 2;
  initialize({training.layer, other.layer}, {training.optimizer, other.optimizer}, options);
  training.overflow({.loss_id = 1, .delay_overflow_check = true});
  other.backward({.loss_id = 0});
  EXPECT_EQ(loss_scale(1), 8.0);
  EXPECT_TRUE(step(other.optimizer));
  EXPECT_FALSE(step(training.optimizer));
  EXPECT_EQ(loss_scale(0), 8.0);
  EXPECT_EQ(loss_scale(1), 4.0);
}

TEST_P(LossAtEveryLevel, DelayedGradientsOfLossesWithOtherScalesAddUp) {
  Training training;
  Options options = dynamic(GetParam());
  options.num_losses = 2;
  initialize(training.layer, training.optimizer, options);
  import_apex_state({{"loss_scaler0", {{"loss_scale", 4}, {"unskipped", 0}}},
                     {"loss_scaler1", {{"loss_scale", 16}, {"unskipped", 0}}}});
  training.backward({.loss_id = 0, .delay_unscale = true});
  training.backward({.loss_id = 1});
  EXPECT_TRUE(at::equal(training.updated().grad().to(torch::kFloat), torch::arange(1, 5) / 2.0));
}

TEST_P(LossAtEveryLevel, GradientsAccumulateOverPasses) {
  Training training;
  initialize(training.layer, training.optimizer, dynamic(GetParam()));
  for (int i = 0; i < 3; ++i) training.backward();
  EXPECT_TRUE(at::equal(training.updated().grad().to(torch::kFloat), torch::arange(1, 5) * 0.75));
}

TEST_P(LossAtEveryLevel, GradientsAreClippedThroughTheMasters) {
  Training training(torch::optim::SGDOptions(1.0));
  initialize(training.layer, training.optimizer, dynamic(GetParam()));
  training.backward({}, 4.0);
  for (const at::Tensor& parameter : master_params(training.optimizer)) parameter.mutable_grad().clamp_(-2.0, 2.0);
  EXPECT_TRUE(step(training.optimizer));
  const at::Tensor expected = torch::tensor({0.25F, 0.5F, 0.75F, 1.0F}) - 2.0;
  EXPECT_TRUE(at::equal(training.layer->weight.to(torch::kFloat), expected)) << training.layer->weight;
}

/// Two groups with separate learning rates, which a schedule halves.
struct Scheduled {
  Scheduled()
      : optimizer(groups(), torch::optim::SGDOptions(1.0)), schedule(optimizer, /*step_size=*/1, /*gamma=*/0.5) {}

  std::vector<torch::optim::OptimizerParamGroup> groups() {
    std::vector<torch::optim::OptimizerParamGroup> made;
    made.emplace_back(first->parameters(), std::make_unique<torch::optim::SGDOptions>(0.5));
    made.emplace_back(second->parameters(), std::make_unique<torch::optim::SGDOptions>(0.25));
    return made;
  }

  at::Tensor loss() { return (forward(first, torch::ones({4})) + forward(second, torch::ones({4}))).sum(); }

  Layer first;
  Layer second;
  torch::optim::SGD optimizer;
  torch::optim::StepLR schedule;
};

TEST_P(LossAtEveryLevel, GroupsKeepRatesOfTheirOwnAndFollowASchedule) {
  Scheduled reference;
  Scheduled training;
  initialize({training.first, training.second}, training.optimizer, dynamic(GetParam()));
  for (int i = 0; i < 4; ++i) {
    for (Scheduled* each : {&reference, &training}) each->optimizer.zero_grad();
    reference.loss().backward();
    reference.optimizer.step();
    scale_loss(training.loss(), training.optimizer, backward_of);
    EXPECT_TRUE(step(training.optimizer));
    for (Scheduled* each : {&reference, &training}) each->schedule.step();
  }
  EXPECT_TRUE(at::equal(training.first->weight.to(torch::kFloat), reference.first->weight));
  EXPECT_TRUE(at::equal(training.second->weight.to(torch::kFloat), reference.second->weight));
  EXPECT_LT(training.optimizer.param_groups()[1].options().get_lr(), 0.25);
}

TEST_P(LossAtEveryLevel, AGradientPenaltyTrainsAsInFp32) {
  // The penalty adds the squared gradient of each weight to the loss. It changes the gradient from w to w + 2w.
  Training training;
  initialize(training.layer, training.optimizer, dynamic(GetParam()));
  const auto with_penalty = [&](const at::Tensor& scaled) {
    const auto gradients = torch::autograd::grad({scaled}, {training.layer->weight}, {}, true, /*create_graph=*/true);
    const at::Tensor unscaled = gradients.front().to(torch::kFloat) / loss_scale();
    (scaled + unscaled.pow(2).sum() * loss_scale()).backward();
  };
  scale_loss(training.loss(), training.optimizer, with_penalty);
  EXPECT_TRUE(at::equal(training.updated().grad().to(torch::kFloat), torch::arange(1, 5) * 0.75));
  EXPECT_FALSE(training.updated().grad().requires_grad());
  EXPECT_TRUE(step(training.optimizer));
}

TEST_P(LossAtEveryLevel, AGraphThatIsKeptMayBeUsedAgain) {
  Training training;
  initialize(training.layer, training.optimizer, dynamic(GetParam()));
  const at::Tensor loss = training.loss();
  const auto keep = [](const at::Tensor& scaled) { scaled.backward({}, /*retain_graph=*/true, /*create_graph=*/true); };
  scale_loss(loss, training.optimizer, keep);
  scale_loss(loss, training.optimizer, backward_of);
  EXPECT_TRUE(at::equal(training.updated().grad().to(torch::kFloat), torch::arange(1, 5) / 2.0));
  EXPECT_TRUE(step(training.optimizer));
}

struct Square : torch::autograd::Function<Square> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x) {
    context->save_for_backward({x});
    return x * x;
  }
  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               const torch::autograd::tensor_list& gradients) {
    return {gradients.front() * 2 * context->get_saved_variables().front()};
  }
};

TEST_P(LossAtEveryLevel, ACustomFunctionTakesPart) {
  Training training;
  initialize(training.layer, training.optimizer, dynamic(GetParam()));
  const at::Tensor out = forward(training.layer, torch::ones({4}));
  scale_loss(Square::apply(out).sum(), training.optimizer, backward_of);
  EXPECT_TRUE(at::equal(training.updated().grad().to(torch::kFloat), torch::arange(1, 5) / 2.0));
}

TEST_P(LossAtEveryLevel, AClosureIsRefusedWhereItWouldUseScaledGradients) {
  Training training;
  initialize(training.layer, training.optimizer, dynamic(GetParam()));
  const at::Tensor before = training.layer->weight.detach().clone();
  const auto closure = [&]() -> at::Tensor { throw std::logic_error("not called"); };
  EXPECT_NE(complaint_of([&] { step(training.optimizer, closure); }).find("does not take a closure"),
            std::string::npos);
  EXPECT_TRUE(at::equal(training.layer->weight, before));
  training.iterate();
}

TEST_P(LossAtEveryLevel, AClosureIsFineWhereGradientsAreRightAsTheyAre) {
  Training training;
  Options options{.opt_level = GetParam(), .verbosity = 0};
  options.enabled = !casts_functions() && !has_masters();
  initialize(training.layer, training.optimizer, options);
  const auto closure = [&] {
    training.optimizer.zero_grad();
    const at::Tensor loss = training.loss();
    loss.backward();
    return loss;
  };
  EXPECT_EQ(step(training.optimizer, closure).item<double>(), 0.9375);
  EXPECT_TRUE(at::equal(training.layer->weight.to(torch::kFloat), torch::arange(1, 5) * 0.1875));
}

TEST_P(LossAtEveryLevel, AnOptimizerThatIsPassedTwiceIsRefused) {
  Training training;
  initialize(training.layer, training.optimizer, dynamic(GetParam()));
  EXPECT_NE(complaint_of([&] {
              scale_loss(training.loss(), {training.optimizer, training.optimizer}, backward_of);
            }).find("the same optimizer twice"),
            std::string::npos);
}

struct Interruption : std::runtime_error {
  Interruption() : std::runtime_error("interrupted") {}
};

/// SGD whose first step() throws before it changes anything.
struct FailingSgd : torch::optim::SGD {
  using torch::optim::SGD::SGD;
  at::Tensor step(LossClosure closure = nullptr) override {
    if (fails) {
      fails = false;
      throw Interruption();
    }
    return torch::optim::SGD::step(closure);
  }
  bool fails = false;
};

struct FailingLayerImpl : torch::nn::Module {
  at::Tensor forward(const at::Tensor& x) {
    const at::Tensor y = x * weight;
    if (fails) {
      fails = false;
      throw Interruption();
    }
    return y;
  }
  at::Tensor weight = register_parameter("weight", torch::arange(1, 5, torch::kFloat) / 4);
  bool fails = false;
};
TORCH_MODULE(FailingLayer);

enum class Place { Nowhere, Forward, BeforeBackward, AfterBackward, DelayedBackward, FinalBackward, Step };

/// Trains three iterations of three passes and a step; the first pass delays its unscaling. The second iteration throws
/// once, at `place`; the pass or step that threw is repeated.
class Interrupted {
 public:
  Interrupted(const char* level, Place place) : place_(place) { initialize(layer, optimizer, dynamic(level)); }
  ~Interrupted() { shutdown(); }

  std::vector<at::Tensor> train() {
    for (int iteration = 0; iteration < 3; ++iteration) {
      fails_ = iteration == 1;
      optimizer.zero_grad();
      optimizer.fails = fails_ && place_ == Place::Step;
      retry([&] { pass({.delay_unscale = true}, Place::DelayedBackward); });
      retry([&] { pass({}, Place::FinalBackward); });
      retry([&] { pass({}, Place::AfterBackward); });
      retry([&] { EXPECT_TRUE(step(optimizer)); });
    }
    EXPECT_EQ(loss_scale(), 8.0);
    return {layer->weight.detach().clone(), master_params(optimizer).front().detach().clone()};
  }

  int interruptions = 0;

 private:
  template <class Action>
  void retry(Action&& action) {
    const bool had_casts = casts_enabled();
    try {
      action();
    } catch (const Interruption&) {
      ++interruptions;
      EXPECT_EQ(casts_enabled(), had_casts);
      EXPECT_EQ(casts_of_thread().cache.size(), 0U);
      action();
    }
  }

  void interrupt(Place place) {
    if (!fails_ || place_ != place) return;
    fails_ = false;
    throw Interruption();
  }

  void pass(const ScaleLossOptions& options, Place after) {
    layer->fails = fails_ && place_ == Place::Forward;
    if (layer->fails) fails_ = false;
    const at::Tensor loss = (forward(layer, torch::ones({4})).to(torch::kFloat).pow(2) / 2).sum();
    const auto backward = [&](const at::Tensor& scaled) {
      interrupt(Place::BeforeBackward);
      scaled.backward();
      interrupt(after);
    };
    scale_loss(loss, optimizer, backward, options);
  }

  Place place_;
  bool fails_ = false;

 public:
  FailingLayer layer;
  FailingSgd optimizer{layer->parameters(), torch::optim::SGDOptions(0.25).momentum(0.5)};
};

struct InterruptedCase {
  const char* level;
  Place place;
};

void PrintTo(const InterruptedCase& c, std::ostream* out) {
  constexpr std::array<const char*, 7> kPlaces{
      "nowhere", "forward", "before_backward", "after_backward", "delayed_backward", "final_backward", "step"};
  *out << c.level << '_' << kPlaces.at(static_cast<std::size_t>(c.place));
}

class AnException : public testing::TestWithParam<InterruptedCase> {};

TEST_P(AnException, LeavesNothingBehind) {
  const auto expected = Interrupted(GetParam().level, Place::Nowhere).train();
  Interrupted training(GetParam().level, GetParam().place);
  const auto trained = training.train();
  EXPECT_EQ(training.interruptions, 1);
  for (std::size_t i = 0; i < trained.size(); ++i) EXPECT_TRUE(at::equal(trained[i], expected[i])) << trained[i];
}

std::vector<InterruptedCase> all_interruptions() {
  std::vector<InterruptedCase> cases;
  for (const char* level : {"O0", "O1", "O2", "O3"}) {
    for (const Place place : {Place::Forward, Place::BeforeBackward, Place::AfterBackward, Place::DelayedBackward,
                              Place::FinalBackward, Place::Step}) {
      cases.push_back({level, place});
    }
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Engine, AnException, testing::ValuesIn(all_interruptions()), [](const auto& info) {
  std::ostringstream name;
  PrintTo(info.param, &name);
  return name.str();
});

TEST(PlainPass, AnExceptionLeavesGradientsAsTheyWere) {
  Training training;
  initialize(training.layer, training.optimizer, {.opt_level = "O0", .verbosity = 0});
  training.backward();
  const at::Tensor gradient = training.layer->weight.grad();
  const at::Tensor before = gradient.clone();
  const auto failing = [](const at::Tensor& scaled) {
    scaled.backward();
    throw Interruption();
  };
  EXPECT_THROW(scale_loss(training.loss(), training.optimizer, failing), Interruption);
  EXPECT_TRUE(training.layer->weight.grad().is_same(gradient));
  EXPECT_TRUE(at::equal(gradient, before));
  shutdown();
}

}  // namespace scale_loss_test
}  // namespace amp
