// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <cstdlib>
#include <sstream>

#include "amp_core/amp.h"
#include "amp_core/base/listener.h"

namespace amp {
namespace engine_test {

using torch::kFloat;
using torch::kHalf;

struct NetImpl : torch::nn::Module {
  at::Tensor forward(const at::Tensor& x) {
    seen = x.scalar_type();
    return fc2->forward(torch::relu(plain->forward(bn->forward(fc1->forward(x)))));
  }

  torch::nn::Linear fc1 = register_module("fc1", torch::nn::Linear(8, 6));
  torch::nn::BatchNorm1d bn = register_module("bn", torch::nn::BatchNorm1d(6));
  torch::nn::BatchNorm1d plain =
      register_module("plain", torch::nn::BatchNorm1d(torch::nn::BatchNorm1dOptions(6).affine(false)));
  torch::nn::Linear fc2 = register_module("fc2", torch::nn::Linear(6, 2));
  at::ScalarType seen = at::kInt;
};
TORCH_MODULE(Net);

void backward_of(const at::Tensor& scaled) { scaled.backward(); }

class Engine : public testing::Test {
 protected:
  void SetUp() override { torch::manual_seed(7); }
  void TearDown() override {
    shutdown();
    unsetenv("AMP_OPT_LEVEL");
  }

  static Options quiet(const char* level) { return {.opt_level = level, .verbosity = 0}; }

  /// Runs one training step with the input scaled by `factor`.
  static bool train_step(Net& net, torch::optim::Optimizer& optimizer, double factor = 1.0) {
    optimizer.zero_grad();
    const at::Tensor x = torch::ones({4, 8}) * torch::arange(1, 5).unsqueeze(1) * factor;
    scale_loss(forward(net, x).pow(2).mean(), optimizer, backward_of);
    return step(optimizer);
  }
};

std::string complaint_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

#define EXPECT_COMPLAINT(call, words) \
  EXPECT_NE(complaint_of([&] { call; }).find(words), std::string::npos) << complaint_of([&] { call; })

TEST_F(Engine, HalfModelKeepsBatchNormInFp32AtO2) {
  Net net;
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  const at::Tensor before = net->fc1->weight;
  initialize(net, optimizer, quiet("O2"));
  EXPECT_TRUE(net->fc1->weight.is_same(before)) << "parameters keep their identity";
  EXPECT_EQ(net->fc1->weight.scalar_type(), kHalf);
  EXPECT_EQ(net->bn->weight.scalar_type(), kFloat);
  EXPECT_EQ(net->bn->running_mean.scalar_type(), kFloat);
  EXPECT_EQ(net->plain->running_mean.scalar_type(), kFloat) << "without affine parameters too";
  for (const auto& parameter : master_params(optimizer)) EXPECT_EQ(parameter.scalar_type(), kFloat);
}

TEST_F(Engine, EverythingIsHalfAtO3) {
  Net net;
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  initialize(net, optimizer, quiet("O3"));
  for (const auto& parameter : net->parameters()) EXPECT_EQ(parameter.scalar_type(), kHalf);
  EXPECT_EQ(net->bn->running_mean.scalar_type(), kHalf);
  EXPECT_TRUE(master_params(optimizer).front().is_same(net->fc1->weight));
}

struct Level {
  const char* name;
  at::ScalarType seen_by_model;
};

void PrintTo(const Level& level, std::ostream* out) { *out << level.name; }

class EveryLevel : public Engine, public testing::WithParamInterface<Level> {};

TEST_P(EveryLevel, ForwardGivesTheModelItsTypeAndReturnsFp32) {
  Net net;
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  initialize(net, optimizer, quiet(GetParam().name));
  const bool casts_functions = std::string(GetParam().name) == "O1";
  EXPECT_EQ(forward(net, torch::ones({4, 8})).scalar_type(), casts_functions ? kHalf : kFloat);
  EXPECT_EQ(net->seen, GetParam().seen_by_model);
}

TEST_P(EveryLevel, LossFallsWithAdamAndMomentum) {
  for (const bool use_adam : {true, false}) {
    Net net;
    std::unique_ptr<torch::optim::Optimizer> optimizer;
    if (use_adam) {
      optimizer = std::make_unique<torch::optim::Adam>(net->parameters(), torch::optim::AdamOptions(0.01).eps(1e-4));
    } else {
      optimizer = std::make_unique<torch::optim::SGD>(net->parameters(), torch::optim::SGDOptions(0.05).momentum(0.5));
    }
    initialize(net, *optimizer, quiet(GetParam().name));
    const at::Tensor x = torch::randn({16, 8});
    const at::Tensor target = torch::randn({16, 2});
    double first = 0;
    double last = 0;
    for (int i = 0; i < 20; ++i) {
      optimizer->zero_grad();
      const at::Tensor loss = torch::mse_loss(forward(net, x), target);
      scale_loss(loss, *optimizer, backward_of);
      step(*optimizer);
      last = loss.item<double>();
      if (i == 0) first = last;
    }
    EXPECT_LT(last, 0.9 * first) << (use_adam ? "Adam" : "SGD");
    shutdown();
  }
}

TEST_P(EveryLevel, AnExceptionInBackwardLeavesGradientsAsTheyWere) {
  Net net;
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  Options options = quiet(GetParam().name);
  options.loss_scale = LossScale(8.0);
  initialize(net, optimizer, options);
  scale_loss(forward(net, torch::ones({4, 8})).sum(), optimizer, backward_of);
  std::vector<at::Tensor> before;
  for (const auto& parameter : master_params(optimizer)) before.push_back(parameter.grad().clone());
  const auto failing = [](const at::Tensor& scaled) {
    scaled.backward();
    throw std::runtime_error("after backward");
  };
  EXPECT_THROW(scale_loss(forward(net, torch::ones({4, 8})).sum(), optimizer, failing), std::runtime_error);
  const auto after = master_params(optimizer);
  for (std::size_t i = 0; i < after.size(); ++i) EXPECT_TRUE(at::equal(after[i].grad(), before[i]));
  EXPECT_EQ(casts_enabled(), std::string(GetParam().name) == "O1");
  EXPECT_TRUE(step(optimizer));
}

TEST_P(EveryLevel, TheEnvironmentForcesTheLevel) {
  setenv("AMP_OPT_LEVEL", GetParam().name, 1);
  Net net;
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  initialize(net, optimizer, {.opt_level = "O1", .patch_torch_functions = true, .verbosity = 0});
  EXPECT_EQ(name_of(properties().opt_level), GetParam().name);
  EXPECT_EQ(properties().dropped_overrides.size(), std::string(GetParam().name) == "O1" ? 0U : 1U);
}

INSTANTIATE_TEST_SUITE_P(Levels, EveryLevel,
                         testing::Values(Level{"O0", kFloat}, Level{"O1", kFloat}, Level{"O2", kHalf},
                                         Level{"O3", kHalf}),
                         [](const auto& info) { return info.param.name; });

class SkippedStep : public Engine, public testing::WithParamInterface<const char*> {};

std::vector<at::Tensor> bits_of(Net& net, torch::optim::Adam& optimizer) {
  std::vector<at::Tensor> bits;
  for (const auto& parameter : net->parameters()) bits.push_back(parameter.detach().clone());
  for (const auto& master : master_params(optimizer)) {
    bits.push_back(master.detach().clone());
    const auto& state = static_cast<torch::optim::AdamParamState&>(*optimizer.state().at(master.unsafeGetTensorImpl()));
    bits.push_back(state.exp_avg().clone());
    bits.push_back(state.exp_avg_sq().clone());
    bits.push_back(torch::tensor(state.step()));
  }
  return bits;
}

TEST_P(SkippedStep, LeavesWeightsAndOptimizerBitIdentical) {
  Net net;
  torch::optim::Adam optimizer(net->parameters(), torch::optim::AdamOptions(0.01));
  initialize(net, optimizer, {.opt_level = GetParam(), .verbosity = 0, .max_loss_scale = 1024});
  ASSERT_TRUE(train_step(net, optimizer));
  const auto before = bits_of(net, optimizer);
  EXPECT_FALSE(train_step(net, optimizer, 131072.0));
  const auto after = bits_of(net, optimizer);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_TRUE(at::equal(before[i], after[i])) << i;
  EXPECT_EQ(loss_scale(), 512.0);
}

INSTANTIATE_TEST_SUITE_P(Levels, SkippedStep, testing::Values("O1", "O2"), [](const auto& info) { return info.param; });

TEST_F(Engine, ADirectStepAfterAnOverflowChangesNothingEither) {
  Net net;
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  initialize(net, optimizer, quiet("O1"));
  const at::Tensor before = net->fc1->weight.detach().clone();
  scale_loss(forward(net, torch::ones({4, 8}) * 131072.0).sum(), optimizer, backward_of);
  optimizer.step();
  EXPECT_TRUE(at::equal(net->fc1->weight, before));
}

TEST_F(Engine, SaysWhatItSkipsWhenStepIsCalled) {
  Net net;
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  testing::internal::CaptureStdout();
  initialize(net, optimizer, {.opt_level = "O1"});
  EXPECT_NE(testing::internal::GetCapturedStdout().find("Selected optimization level O1"), std::string::npos);
  testing::internal::CaptureStdout();
  scale_loss(forward(net, torch::ones({4, 8}) * 131072.0).sum(), optimizer, backward_of);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  testing::internal::CaptureStdout();
  step(optimizer);
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to 32768.0\n");
}

TEST_F(Engine, OfALaterRankSaysWhatItSkipsButNotItsLevel) {
  setenv("RANK", "1", 1);
  Net net;
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  testing::internal::CaptureStdout();
  initialize(net, optimizer, {.opt_level = "O1"});
  scale_loss(forward(net, torch::ones({4, 8}) * 131072.0).sum(), optimizer, backward_of);
  step(optimizer);
  unsetenv("RANK");
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to 32768.0\n");
}

TEST_F(Engine, AStaticScaleNeverSkips) {
  Net net;
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  Options options = quiet("O1");
  options.loss_scale = LossScale(128.0);
  initialize(net, optimizer, options);
  EXPECT_TRUE(train_step(net, optimizer, 131072.0));
  EXPECT_EQ(loss_scale(), 128.0);
}

TEST_F(Engine, DelayedGradientsAddUpScaledAndAreUnscaledOnce) {
  Net net;
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  Options options = quiet("O0");
  options.loss_scale = LossScale(8.0);
  initialize(net, optimizer, options);
  const at::Tensor& bias = net->fc2->bias;
  scale_loss(forward(net, torch::ones({4, 8})).sum(), optimizer, backward_of, {.delay_unscale = true});
  EXPECT_EQ(bias.grad()[0].item<double>(), 32.0);
  EXPECT_COMPLAINT(step(optimizer), "still scaled");
  scale_loss(forward(net, torch::ones({4, 8})).sum(), optimizer, backward_of);
  EXPECT_EQ(bias.grad()[0].item<double>(), 8.0);
}

TEST_F(Engine, NewParameterGroupsGetMastersToo) {
  Net net;
  torch::nn::Linear late(8, 2);
  late->to(kHalf);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  initialize(net, optimizer, {.opt_level = "O2", .verbosity = 0, .max_loss_scale = 8});
  optimizer.add_param_group(torch::optim::OptimizerParamGroup(late->parameters()));
  const at::Tensor before = late->weight.detach().clone();
  scale_loss(late->forward(torch::ones({4, 8}, kHalf)).to(kFloat).sum(), optimizer, backward_of);
  EXPECT_TRUE(step(optimizer));
  EXPECT_EQ(late->weight.scalar_type(), kHalf);
  EXPECT_EQ(master_params(optimizer).back().scalar_type(), kFloat);
  EXPECT_FALSE(at::equal(late->weight, before));
}

TEST_F(Engine, StateFromBeforeFollowsTheMasters) {
  Net net;
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
  net->forward(torch::randn({4, 8})).sum().backward();
  optimizer.step();
  initialize(net, optimizer, quiet("O2"));
  for (const auto& master : master_params(optimizer)) {
    EXPECT_TRUE(optimizer.state().count(master.unsafeGetTensorImpl()) == 1);
  }
}

TEST_F(Engine, RefusesWrongUseWithASentence) {
  Net net;
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  torch::optim::SGD stranger(Net()->parameters(), 0.1);
  EXPECT_COMPLAINT(step(optimizer), "before amp::initialize");
  EXPECT_COMPLAINT(scale_loss(torch::ones({}), optimizer, backward_of), "before amp::initialize");
  initialize(net, optimizer, quiet("O1"));
  EXPECT_COMPLAINT(initialize(net, optimizer, quiet("O1")), "already set up");
  EXPECT_COMPLAINT(initialize(net, stranger, quiet("O2")), "O1 is in force");
  EXPECT_COMPLAINT(step(stranger), "not passed to amp::initialize");
  EXPECT_COMPLAINT(scale_loss(torch::ones({}), stranger, backward_of), "not passed to amp::initialize");
  EXPECT_COMPLAINT(scale_loss(torch::ones({}), optimizer, backward_of, {.loss_id = 1}), "no loss_id 1");
}

TEST_F(Engine, RefusesAModelThatIsHalfAndNamesTheParameter) {
  Net net;
  net->fc2->to(kHalf);
  torch::optim::SGD optimizer(net->fc1->parameters(), 0.1);
  EXPECT_COMPLAINT(initialize(net, optimizer, quiet("O2")), "fc2.weight");
  Net other;
  torch::optim::SGD half_optimizer(net->fc2->parameters(), 0.1);
  EXPECT_COMPLAINT(initialize(other, half_optimizer, quiet("O2")), "must be FP32");
}

TEST_F(Engine, DisabledItIsNotThere) {
  Net net;
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  testing::internal::CaptureStdout();
  initialize(net, optimizer, {.opt_level = "O2", .enabled = false});
  EXPECT_TRUE(train_step(net, optimizer));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(net->fc1->weight.scalar_type(), kFloat);
}

TEST_F(Engine, ForwardReachesTensorsInContainers) {
  struct NestedImpl : torch::nn::Module {
    std::tuple<at::Tensor, std::vector<at::Tensor>, int> forward(const std::vector<at::Tensor>& xs,
                                                                 const std::map<std::string, at::Tensor>& named,
                                                                 std::optional<at::Tensor> maybe, int number) {
      for (const auto& x : xs) EXPECT_EQ(x.scalar_type(), x.is_floating_point() ? kHalf : torch::kLong);
      EXPECT_EQ(named.at("a").scalar_type(), kHalf);
      EXPECT_EQ(maybe->scalar_type(), kHalf);
      return {xs.front(), {xs.front()}, number};
    }
  };
  auto net = std::make_shared<NestedImpl>();
  initialize(net, {}, quiet("O2"));
  const std::vector<at::Tensor> xs{torch::ones({2}), torch::ones({2}, torch::kLong)};
  const std::map<std::string, at::Tensor> named{{"a", torch::ones({2})}};
  const auto [first, list, number] = forward(net, xs, named, std::optional(torch::ones({2})), 5);
  EXPECT_EQ(first.scalar_type(), kFloat);
  EXPECT_EQ(list.front().scalar_type(), kFloat);
  EXPECT_EQ(number, 5);
}

/// Logs events of the engine, one word each.
struct Log : Listener {
  Log() { add_listener(this); }
  ~Log() override { remove_listener(this); }

  void initialized(const Properties& properties) override { text << name_of(properties.opt_level) << ' '; }
  void master_created(const at::Tensor& model, const at::Tensor& master) override {
    EXPECT_EQ(model.scalar_type(), kHalf);
    EXPECT_EQ(master.scalar_type(), kFloat);
    ++masters;
  }
  void forward_begun(const void*) override { text << "forward "; }
  void forward_ended(const void*) override { text << "/forward "; }
  void loss_seen(int id, const at::Tensor& loss, double scale) override {
    EXPECT_EQ(loss.scalar_type(), kFloat);
    text << "loss" << id << '@' << scale << ' ';
  }
  void backward_ended(int) override { text << "/backward "; }
  void overflowed(const Overflow& overflow) override {
    text << "overflow " << overflow.scale_before << "->" << overflow.scale_after << (overflow.skipped ? "! " : " ");
    for (const auto& view : overflow.gradients) {
      EXPECT_EQ(view.parameter->sizes(), view.gradient->sizes());
      const bool is_master_pass = view.parameter->scalar_type() == kHalf;
      EXPECT_EQ(view.factor, is_master_pass ? 1.0 : overflow.scale_before);
    }
    views = overflow.gradients.size();
  }
  void scale_updated(int, double before, double after, bool overflow) override {
    text << "scale " << before << "->" << after << (overflow ? "x " : " ");
  }
  void step_begun(const void*) override { text << "step "; }
  void step_ended(const void*, bool skipped) override { text << (skipped ? "/skipped " : "/step "); }

  std::ostringstream text;
  int masters = 0;
  std::size_t views = 0;
};

struct Story {
  const char* level;
  double input_factor;
  const char* events;
  int masters;
  std::size_t views;
};

void PrintTo(const Story& story, std::ostream* out) { *out << story.level << " x " << story.input_factor; }

class Events : public Engine, public testing::WithParamInterface<Story> {};

TEST_P(Events, AreReportedInOrder) {
  Log log;
  Net net;
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  initialize(net, optimizer, {.opt_level = GetParam().level, .verbosity = 0, .max_loss_scale = 8});
  train_step(net, optimizer, GetParam().input_factor);
  EXPECT_EQ(log.text.str(), GetParam().events);
  EXPECT_EQ(log.masters, GetParam().masters);
  EXPECT_EQ(log.views, GetParam().views);
}

INSTANTIATE_TEST_SUITE_P(
    Levels, Events,
    testing::Values(
        Story{"O0", 1, "O0 forward /forward loss0@1 /backward step /step ", 0, 0},
        Story{"O1", 1, "O1 forward /forward loss0@8 /backward scale 8->8 step /step ", 0, 0},
        Story{"O1", 131072, "O1 forward /forward loss0@8 /backward overflow 8->4! scale 8->4x step /skipped ", 0, 6},
        Story{"O2", 131072, "O2 forward /forward loss0@8 /backward overflow 8->4! scale 8->4x step /skipped ", 4, 6},
        Story{"O3", 131072, "O3 forward /forward loss0@1 /backward overflow 1->1 step /step ", 0, 6}),
    [](const auto& info) {
      return std::string(info.param.level) + (info.param.input_factor == 1 ? "_clean" : "_overflow");
    });

}  // namespace engine_test
}  // namespace amp
