// SPDX-License-Identifier: Apache-2.0
// Tests which arguments initialize() accepts and refuses, and that a refused call changes nothing.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "amp_core/amp.h"

namespace amp {
namespace initialize_test {

using torch::kBFloat16;
using torch::kFloat;
using torch::kHalf;

struct NetImpl : torch::nn::Module {
  at::Tensor forward(const at::Tensor& x) { return bn->forward(fc->forward(x)); }

  torch::nn::Linear fc = register_module("fc", torch::nn::Linear(4, 3));
  torch::nn::BatchNorm1d bn = register_module("bn", torch::nn::BatchNorm1d(3));
};
TORCH_MODULE(Net);

struct DistributedDataParallelImpl : torch::nn::Module {
  Net module = register_module("module", Net());
};
TORCH_MODULE(DistributedDataParallel);

struct OuterImpl : torch::nn::Module {
  DistributedDataParallel wrapped = register_module("wrapped", DistributedDataParallel());
};
TORCH_MODULE(Outer);

Options quiet(const char* level) { return {.opt_level = level, .verbosity = 0}; }

std::string complaint_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Models and optimizers, each invalid in a different way.
struct Parts {
  Net net;
  Net other;
  torch::optim::SGD optimizer{net->parameters(), 0.1};
  torch::optim::SGD other_optimizer{other->parameters(), 0.1};
};

struct Wrong {
  const char* name;
  std::function<void(Parts&)> initialize_wrongly;
  const char* complaint;
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.name; }

class RefusedUse : public testing::TestWithParam<Wrong> {
 protected:
  void TearDown() override { shutdown(); }
};

void initialize_with_optimizer_of(Parts& parts, at::ScalarType type) {
  torch::optim::SGD wrong({torch::ones({2}, torch::dtype(type).requires_grad(at::isFloatingType(type)))}, 0.1);
  initialize(parts.net, {parts.optimizer, wrong}, quiet("O2"));
}

TEST_P(RefusedUse, SaysWhyAndChangesNothing) {
  Parts parts;
  const std::string complaint = complaint_of([&] { GetParam().initialize_wrongly(parts); });
  EXPECT_NE(complaint.find(GetParam().complaint), std::string::npos) << complaint;
  EXPECT_EQ(parts.net->fc->weight.scalar_type(), kFloat);
  EXPECT_TRUE(master_params(parts.optimizer).front().is_same(parts.net->fc->weight));
  EXPECT_THROW(static_cast<void>(properties()), Error) << "nothing was set up";
  EXPECT_FALSE(casts_enabled());
  initialize({parts.net}, {parts.optimizer}, quiet("O2"));
}

INSTANTIATE_TEST_SUITE_P(
    Initialize, RefusedUse,
    testing::Values(
        Wrong{"same_optimizer_twice",
              [](Parts& s) {
                initialize(s.net, {s.optimizer, s.optimizer}, quiet("O2"));
              },
              "the same optimizer twice"},
        Wrong{"same_model_twice",
              [](Parts& s) {
                initialize({s.net, s.net}, s.optimizer, quiet("O2"));
              },
              "the same model twice"},
        Wrong{"half_parameter",
              [](Parts& s) {
                s.other->fc->to(kHalf);
                initialize({s.net, s.other}, s.optimizer, quiet("O2"));
              },
              "parameter fc.weight is Half"},
        Wrong{"bfloat_parameter",
              [](Parts& s) {
                s.other->fc->to(kBFloat16);
                initialize({s.net, s.other}, s.optimizer, quiet("O1"));
              },
              "parameter fc.weight is BFloat16"},
        Wrong{"half_buffer",
              [](Parts& s) {
                s.other->bn->running_mean.set_data(s.other->bn->running_mean.to(kHalf));
                initialize({s.net, s.other}, s.optimizer, quiet("O2"));
              },
              "buffer bn.running_mean is Half"},
        Wrong{"half_optimizer", [](Parts& s) { initialize_with_optimizer_of(s, kHalf); }, "type Half"},
        Wrong{"double_optimizer", [](Parts& s) { initialize_with_optimizer_of(s, torch::kDouble); }, "type Double"},
        Wrong{"bfloat_optimizer", [](Parts& s) { initialize_with_optimizer_of(s, kBFloat16); }, "type BFloat16"},
        Wrong{"integer_optimizer", [](Parts& s) { initialize_with_optimizer_of(s, torch::kLong); }, "type Long"},
        Wrong{"data_parallel",
              [](Parts& s) {
                DistributedDataParallel wrapped;
                initialize({s.net, wrapped}, s.optimizer, quiet("O2"));
              },
              "already wrapped for data parallelism (DistributedDataParallel)"},
        Wrong{"data_parallel_inside",
              [](Parts& s) {
                Outer outer;
                initialize({s.net, outer}, s.optimizer, quiet("O2"));
              },
              "wrapped for data parallelism"},
        Wrong{"wrong_properties",
              [](Parts& s) { initialize(s.net, s.optimizer, {.opt_level = "O2", .loss_scale = 4.0, .hysteresis = 2}); },
              "hysteresis is a setting"},
        Wrong{"no_losses", [](Parts& s) { initialize(s.net, s.optimizer, {.num_losses = 0}); }, "at least one loss"}),
    [](const auto& info) { return info.param.name; });

class Initialize : public testing::Test {
 protected:
  void TearDown() override { shutdown(); }
};

TEST_F(Initialize, RefusesInASecondCallWhatAFirstHasSetUp) {
  Parts s;
  initialize(s.net, s.optimizer, quiet("O1"));
  EXPECT_NE(complaint_of([&] { initialize(s.net, {}, quiet("O1")); }).find("model that it has already set up"),
            std::string::npos);
  EXPECT_NE(complaint_of([&] { initialize(s.other, s.optimizer, quiet("O1")); }).find("optimizer that it has already set up"),
            std::string::npos);
  EXPECT_NE(complaint_of([&] { initialize(s.other, {}, quiet("O2")); }).find("O1 is in force"), std::string::npos);
  EXPECT_NE(complaint_of([&] {
              initialize(s.other, {}, {.opt_level = "O1", .loss_scale = 8.0, .verbosity = 0});
            }).find("loss_scale = 8.0, but dynamic is in force"),
            std::string::npos);
  initialize(s.other, s.other_optimizer, quiet("O1"));
  shutdown();
  initialize(s.net, s.optimizer, quiet("O1"));
}

TEST_F(Initialize, DoesNotMistakeALaterModelOrOptimizerForOneThatDied) {
  for (int i = 0; i < 20; ++i) {
    auto net = std::make_unique<torch::nn::LinearImpl>(2, 2);
    auto optimizer = std::make_unique<torch::optim::SGD>(net->parameters(), 0.1);
    EXPECT_EQ(complaint_of([&] { initialize(*net, *optimizer, quiet("O2")); }), "") << i;
  }
}

TEST_F(Initialize, TakesAnOptimizerOfAModelThatIsHalfSinceAnEarlierCall) {
  Net net;
  initialize(net, {}, quiet("O2"));
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  initialize({}, optimizer, quiet("O2"));
  EXPECT_EQ(master_params(optimizer).front().scalar_type(), kFloat);
}

TEST_F(Initialize, LeavesTypesToTheProgramWhereTheModelIsUnchanged) {
  Net net;
  net->fc->to(kHalf);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  initialize(net, optimizer, {.opt_level = "O2", .cast_model_type = ModelType::Unchanged, .verbosity = 0});
  EXPECT_EQ(net->fc->weight.scalar_type(), kHalf);
  EXPECT_EQ(net->bn->weight.scalar_type(), kFloat);
  for (const auto& parameter : master_params(optimizer)) EXPECT_EQ(parameter.scalar_type(), kFloat);
}

TEST_F(Initialize, MakesBFloat16ModelsWithMastersAndNoScale) {
  Net net;
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  initialize(net, optimizer, {.opt_level = "O2", .cast_model_type = ReducedType::BFloat16, .verbosity = 0});
  EXPECT_EQ(net->fc->weight.scalar_type(), kBFloat16);
  EXPECT_EQ(net->bn->weight.scalar_type(), kFloat);
  EXPECT_EQ(loss_scale(), 1.0);
  const at::Tensor before = net->fc->weight.detach().clone();
  const at::Tensor out = forward(net, torch::randn({8, 4}));
  EXPECT_EQ(out.scalar_type(), kFloat);
  scale_loss((out * torch::arange(3)).pow(2).sum(), optimizer, [](const at::Tensor& scaled) { scaled.backward(); });
  EXPECT_EQ(master_params(optimizer).front().grad().scalar_type(), kFloat);
  EXPECT_TRUE(step(optimizer));
  EXPECT_FALSE(at::equal(net->fc->weight, before));
  EXPECT_TRUE(at::equal(net->fc->weight, master_params(optimizer).front().to(kBFloat16)));
}

TEST_F(Initialize, TakesSeveralModelsWithoutOptimizers) {
  Parts s;
  initialize({s.net, s.other}, {}, quiet("O3"));
  EXPECT_EQ(s.net->fc->weight.scalar_type(), kHalf);
  EXPECT_EQ(s.other->bn->weight.scalar_type(), kHalf);
}

TEST_F(Initialize, ChecksNothingWhereItIsDisabled) {
  Parts s;
  s.net->to(torch::kDouble);
  initialize({s.net, s.net}, {s.optimizer}, {.opt_level = "none", .enabled = false});
  EXPECT_FALSE(properties().enabled);
  EXPECT_EQ(loss_scale(), 1.0);
  EXPECT_EQ(s.net->fc->weight.scalar_type(), torch::kDouble);
}

TEST_F(Initialize, IsNotDisabledWhileOptimizersAreSetUp) {
  Net net;
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  initialize(net, optimizer, {.opt_level = "O2", .verbosity = 0});
  EXPECT_THROW(initialize(Models({}), {}, {.enabled = false}), Error);
  EXPECT_TRUE(properties().enabled);
}

TEST_F(Initialize, OfADeadOptimizerIsForgotten) {
  Net net;
  std::optional<torch::optim::SGD> optimizer(std::in_place, net->parameters(), 0.1);
  initialize(net, *optimizer, {.opt_level = "O2", .verbosity = 0});
  c10::weak_intrusive_ptr<c10::TensorImpl> master(master_params(*optimizer).front().getIntrusivePtr());
  forget(*optimizer);
  optimizer.reset();
  EXPECT_TRUE(master.expired());
}

TEST_F(Initialize, OwnScalerSettingsAreInForce) {
  Parts s;
  initialize(s.net, s.optimizer,
             {.opt_level = "O2",
              .num_losses = 2,
              .verbosity = 0,
              .init_scale = 512.0,
              .backoff_factor = 0.25,
              .hysteresis = 2});
  const auto overflow = [&] {
    scale_loss(forward(s.net, torch::randn({4, 4})).sum() * HUGE_VAL, s.optimizer,
               [](const at::Tensor& scaled) { scaled.backward(); }, {.loss_id = 1});
    EXPECT_FALSE(step(s.optimizer));
    return loss_scale(1);
  };
  EXPECT_EQ(overflow(), 512.0);
  EXPECT_EQ(overflow(), 128.0);
  EXPECT_EQ(loss_scale(0), 512.0);
}

}  // namespace initialize_test
}  // namespace amp
