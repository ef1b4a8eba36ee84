// SPDX-License-Identifier: Apache-2.0
// Compares sparse gradients of embeddings with dense gradients in the same model.
#include <gtest/gtest.h>
#include <torch/nn/functional/embedding.h>
#include <torch/nn/module.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/utils/clip_grad.h>
#include <torch/optim/adagrad.h>
#include <torch/optim/sgd.h>
#include <torch/types.h>

#include <cmath>

#include "amp_core/amp.h"
#include "amp_core/base/listener.h"
#include "amp_core/engine/gradients.h"
#include "amp_core/multi_tensor/multi_tensor.h"
#include "amp_core/optimizers.h"

namespace amp {
namespace sparse_gradients_test {

/// Returns indices that occur once, twice or never.
const at::Tensor& words() {
  static const at::Tensor indices = torch::tensor({1, 4, 1, 2}, torch::kLong);
  return indices;
}

struct NetImpl : torch::nn::Module {
  explicit NetImpl(bool is_sparse) {
    torch::manual_seed(1);
    register_module("words", table = torch::nn::Embedding(torch::nn::EmbeddingOptions(6, 4).sparse(is_sparse)));
    register_module("head", head = torch::nn::Linear(4, 2));
  }
  at::Tensor forward(const at::Tensor& indices) { return head(table(indices)); }

  torch::nn::Embedding table = nullptr;
  torch::nn::Linear head = nullptr;
};
TORCH_MODULE(Net);

void backward_of(const at::Tensor& scaled) { scaled.backward(); }

at::Tensor loss_of(Net& net) { return forward(net, words()).to(torch::kFloat).pow(2).sum() / 8; }

struct Listening : Listener {
  Listening() { add_listener(this); }
  ~Listening() override { remove_listener(this); }
  void overflowed(const Overflow& overflow) override {
    ++overflows;
    for (const GradientView& view : overflow.gradients) {
      EXPECT_EQ(view.gradient->layout(), torch::kStrided);
      not_finite += view.gradient->isfinite().logical_not().sum().item<std::int64_t>();
    }
  }
  int overflows = 0;
  std::int64_t not_finite = 0;
};

struct Case {
  const char* level;
  bool delays;  ///< two passes in a step, unscaled together
  bool listens;
  bool accumulates;  ///< two passes in a step, each unscaled separately
};

void PrintTo(const Case& each, std::ostream* out) {
  *out << each.level << (each.delays ? " delayed" : "") << (each.accumulates ? " accumulated" : "")
       << (each.listens ? " listened" : "");
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* level : {"O0", "O1", "O2", "O3"}) {
    for (const bool listens : {false, true}) {
      all.push_back({level, false, listens, false});
      all.push_back({level, true, listens, false});
      all.push_back({level, false, listens, true});
    }
  }
  return all;
}

class SparseGradients : public testing::TestWithParam<Case> {
 protected:
  void TearDown() override { shutdown(); }

  void train(Net& net, torch::optim::Optimizer& optimizer) const {
    const bool is_dynamic = *GetParam().level == 'O' && GetParam().level[1] != '0';
    initialize(net, optimizer,
               {.opt_level = GetParam().level,
                .loss_scale = is_dynamic ? LossScale("dynamic") : LossScale(1.0),
                .verbosity = 0,
                .init_scale = is_dynamic ? std::optional(1024.0) : std::nullopt});
    for (int step = 0; step < 4; ++step) {
      optimizer.zero_grad();
      if (GetParam().delays || GetParam().accumulates) {
        scale_loss(loss_of(net), optimizer, backward_of, {.delay_unscale = GetParam().delays});
      }
      scale_loss(loss_of(net), optimizer, backward_of);
      EXPECT_TRUE(amp::step(optimizer));
    }
    shutdown();
  }
};

TEST_P(SparseGradients, TrainAsDenseOnesDo) {
  const std::unique_ptr<Listening> listening = GetParam().listens ? std::make_unique<Listening>() : nullptr;
  Net sparse(true);
  Net dense(false);
  torch::optim::SGD of_sparse(sparse->parameters(), torch::optim::SGDOptions(0.25).momentum(0.5));
  torch::optim::SGD of_dense(dense->parameters(), torch::optim::SGDOptions(0.25).momentum(0.5));
  train(sparse, of_sparse);
  train(dense, of_dense);
  // Sums in half are added in different orders, so they are rounded differently.
  const double tolerance = std::string(GetParam().level) == "O3" ? 2e-3 : 1e-6;
  for (std::size_t i = 0; i < 3; ++i) {
    const at::Tensor difference = sparse->parameters()[i].sub(dense->parameters()[i]).to(torch::kFloat).abs().max();
    EXPECT_LE(difference.item<double>(), tolerance) << "parameter " << i;
  }
  if (listening) {
    EXPECT_EQ(listening->overflows, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, SparseGradients, testing::ValuesIn(cases()), [](const auto& info) {
  return std::string(info.param.level) + (info.param.delays ? "_delayed" : "") +
         (info.param.accumulates ? "_accumulated" : "") + (info.param.listens ? "_listened" : "");
});

/// Returns a parameter with a sparse gradient in which one index occurs twice.
at::Tensor with_gradient(double first, double second, at::ScalarType type) {
  const at::Tensor parameter = torch::ones({3, 1}, type).requires_grad_();
  const at::Tensor indices = torch::tensor({1, 1}, torch::kLong).reshape({1, 2});
  const at::Tensor values = torch::tensor({first, second}).to(type).reshape({2, 1});
  parameter.mutable_grad() = torch::sparse_coo_tensor(indices, values, {3, 1});
  return parameter;
}

struct Sum {
  const char* name;
  at::ScalarType type;
  bool has_master;
  bool overflows;
};

void PrintTo(const Sum& sum, std::ostream* out) { *out << sum.name; }

class SumOfAnIndex : public testing::TestWithParam<Sum> {};

TEST_P(SumOfAnIndex, IsCheckedForOverflow) {
  torch::optim::SGD optimizer({with_gradient(32768, 32768, GetParam().type)}, 0.1);
  OptimizerState state;
  state.optimizer = &optimizer;
  if (GetParam().has_master) make_masters(state);
  auto gradients = gradients_of_pass(state);
  EXPECT_EQ(unscale(gradients, 8).is_set(), GetParam().overflows);
  merge_gradients(state, gradients);
  const at::Tensor gradient = optimizer.param_groups().front().params().front().grad();
  EXPECT_TRUE(gradient.is_coalesced());
  EXPECT_EQ(gradient._nnz(), 1);
  EXPECT_EQ(gradient.to_dense()[1].item<double>(), GetParam().overflows ? INFINITY : 8192);
}

const Sum kSums[]{{"half", torch::kHalf, false, true},
                  {"half_with_master", torch::kHalf, true, false},
                  {"bfloat16", torch::kBFloat16, false, false},
                  {"fp32", torch::kFloat, false, false}};

INSTANTIATE_TEST_SUITE_P(Types, SumOfAnIndex, testing::ValuesIn(kSums),
                         [](const auto& info) { return info.param.name; });

struct SparseTraining : testing::TestWithParam<const char*> {
  void SetUp() override {
    Options options{.opt_level = GetParam(), .loss_scale = "dynamic", .verbosity = 0, .init_scale = 8.0};
    if (std::string(GetParam()) == "O0") options = {.opt_level = "O0", .verbosity = 0};
    initialize(net, optimizer, options);
  }
  void TearDown() override { shutdown(); }

  /// Runs a backward in which the table's gradient has a NaN.
  void overflow() {
    const auto backward = [this](const at::Tensor& scaled) {
      scaled.backward();
      net->table->weight.grad()._values()[0][0] = NAN;
    };
    scale_loss(loss_of(net), optimizer, backward);
  }

  Net net{true};
  torch::optim::SGD optimizer{net->parameters(), 0.5};
};

TEST_P(SparseTraining, SkipsAnOverflowAndTellsListenersTheValues) {
  const Listening listening;
  overflow();
  EXPECT_EQ(listening.overflows, 1);
  EXPECT_EQ(listening.not_finite, 1);
  if (std::string(GetParam()) == "O0") return;
  EXPECT_EQ(loss_scale(), 4.0);
  EXPECT_FALSE(amp::step(optimizer));
}

TEST_P(SparseTraining, TakesAGradientWithoutRows) {
  const auto backward = [this](const at::Tensor& scaled) {
    scaled.backward();
    const at::Tensor& weight = net->table->weight;
    const at::Tensor none = torch::zeros({1, 0}, torch::kLong);
    weight.mutable_grad() = torch::sparse_coo_tensor(none, torch::zeros({0, 4}, weight.scalar_type()), {6, 4});
  };
  const Listening listening;
  const at::Tensor before = net->table->weight.detach().clone();
  scale_loss(loss_of(net), optimizer, backward);
  EXPECT_TRUE(amp::step(optimizer));
  EXPECT_TRUE(at::equal(net->table->weight, before));
  EXPECT_EQ(listening.overflows, 0);
}

TEST_P(SparseTraining, AddsToADenseGradientAndTheOtherWayRound) {
  const std::vector<at::Tensor> updated = master_params(optimizer);
  const auto dense = [this](const at::Tensor& scaled) {
    scaled.backward();
    at::Tensor& gradient = net->table->weight.mutable_grad();
    gradient = gradient.to_dense();
  };
  scale_loss(loss_of(net), optimizer, backward_of);
  const at::Tensor once = updated.front().grad().to_dense();
  scale_loss(loss_of(net), optimizer, dense);
  scale_loss(loss_of(net), optimizer, backward_of);
  const double tolerance = 4e-3 * once.to(torch::kFloat).abs().max().item<double>();
  EXPECT_LE((updated.front().grad().to_dense() - 3 * once).to(torch::kFloat).abs().max().item<double>(), tolerance);
}

TEST_P(SparseTraining, ClipsMasters) {
  scale_loss(loss_of(net), optimizer, backward_of);
  for (const at::Tensor& parameter : master_params(optimizer)) {
    const at::Tensor values = values_of(parameter.grad());
    EXPECT_TRUE(values.isfinite().all().item<bool>());
  }
  EXPECT_TRUE(amp::step(optimizer));
}

TEST_P(SparseTraining, KeepsGradientsAsTheyWereWhereBackwardThrows) {
  scale_loss(loss_of(net), optimizer, backward_of);
  const at::Tensor before = master_params(optimizer).front().grad().to_dense().clone();
  const auto throwing = [](const at::Tensor& scaled) {
    scaled.backward();
    throw std::runtime_error("no");
  };
  EXPECT_THROW(scale_loss(loss_of(net), optimizer, throwing), std::runtime_error);
  EXPECT_TRUE(at::equal(master_params(optimizer).front().grad().to_dense(), before));
}

TEST_P(SparseTraining, RefusesOtherLayoutsByTheParametersNameAndLeavesGradientsAsTheyWere) {
  if (std::string(GetParam()) == "O0") GTEST_SKIP() << "nothing is unscaled";
  scale_loss(loss_of(net), optimizer, backward_of);
  const at::Tensor table = master_params(optimizer).front().grad().to_dense().clone();
  const at::Tensor bias = master_params(optimizer).back().grad().clone();
  const auto compressed = [this](const at::Tensor& scaled) {
    scaled.backward();
    at::Tensor& gradient = net->table->weight.mutable_grad();
    gradient = gradient.to_dense().to_sparse_csr();
  };
  try {
    scale_loss(loss_of(net), optimizer, compressed);
    FAIL() << "a compressed gradient was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("words.weight"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("SparseCsr"), std::string::npos) << error.what();
  }
  EXPECT_TRUE(at::equal(master_params(optimizer).front().grad().to_dense(), table));
  EXPECT_TRUE(at::equal(master_params(optimizer).back().grad(), bias));
  EXPECT_EQ(loss_scale(), 8.0);
}

INSTANTIATE_TEST_SUITE_P(Levels, SparseTraining, testing::Values("O0", "O1", "O2", "O3"),
                         [](const auto& info) { return info.param; });

TEST(SparseGradient, IsTakenByAdagrad) {
  for (const char* level : {"O1", "O2"}) {
    std::vector<at::Tensor> tables;
    for (const bool is_sparse : {true, false}) {
      Net net(is_sparse);
      torch::optim::Adagrad optimizer(net->parameters(), torch::optim::AdagradOptions(0.1));
      initialize(net, optimizer, {.opt_level = level, .verbosity = 0, .init_scale = 1024.0});
      for (int step = 0; step < 3; ++step) {
        optimizer.zero_grad();
        scale_loss(loss_of(net), optimizer, backward_of);
        EXPECT_TRUE(amp::step(optimizer));
      }
      tables.push_back(master_params(optimizer).front().detach());
      shutdown();
    }
    EXPECT_TRUE(torch::allclose(tables[0], tables[1], 0, 1e-3)) << level;
  }
}

TEST(SparseGradient, IsRefusedByFusedOptimizersByItsName) {
  Net net(true);
  FusedSGD optimizer(net->parameters(), FusedSGDOptions(0.1));
  initialize(net, optimizer, {.opt_level = "O1", .verbosity = 0});
  scale_loss(loss_of(net), optimizer, backward_of);
  const at::Tensor head = net->head->weight.detach().clone();
  try {
    amp::step(optimizer);
    FAIL() << "a sparse gradient was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("words.weight"), std::string::npos) << error.what();
  }
  EXPECT_TRUE(at::equal(net->head->weight, head)) << "a part of the parameters was updated";
  shutdown();
}

TEST(SparseGradient, IsRefusedByMultiTensor) {
  const at::Tensor sparse = torch::ones({2, 2}).to_sparse();
  const at::Tensor flag = torch::zeros({1});
  EXPECT_THROW(multi_tensor::scale({sparse}, {torch::ones({2, 2})}, 1.0, flag), Error);
  EXPECT_THROW(static_cast<void>(multi_tensor::l2norm({sparse})), Error);
}

TEST(SparseGradient, IsLeftAsItIsAtO0WithAnyListener) {
  std::vector<at::Tensor> gradients;
  for (const bool listens : {false, true}) {
    Net net(true);
    torch::optim::SGD optimizer(net->parameters(), 0.5);
    initialize(net, optimizer, {.opt_level = "O0", .verbosity = 0});
    const std::unique_ptr<Listening> listening = listens ? std::make_unique<Listening>() : nullptr;
    scale_loss(loss_of(net), optimizer, backward_of);
    gradients.push_back(net->table->weight.grad());
    shutdown();
  }
  EXPECT_FALSE(gradients[0].is_coalesced());
  EXPECT_FALSE(gradients[1].is_coalesced()) << "a listener changes what the optimizer adds up";
  EXPECT_EQ(gradients[0]._nnz(), gradients[1]._nnz());
}

}  // namespace sparse_gradients_test
}  // namespace amp
