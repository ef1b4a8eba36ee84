// SPDX-License-Identifier: Apache-2.0
// C++ code blocks of the manual (amp_core/README.md, docs/reference/amp_core/, docs/reference/cpp/), copied verbatim.
// An architecture test compares them with the documents.
#include <gtest/gtest.h>
#include <torch/torch.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "amp_core/amp.h"
#include "amp_core/modules.h"
#include "amp_core/optimizers.h"
#include "amp_core/parallel.h"

namespace batch_of_a_program {

struct Batch {
  at::Tensor image;
  at::Tensor label;
};

Batch cast_floating(const Batch& batch, at::ScalarType type) {
  const at::Tensor image = amp::cast(batch.image, type);
  return {image, batch.label};
}

}  // namespace batch_of_a_program

namespace amp {
namespace manual_test {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

const auto backward = [](const at::Tensor& scaled) { scaled.backward(); };

struct Cube : torch::autograd::Function<Cube> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x) {
    context->save_for_backward({x});
    return x * x * x;
  }
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const at::Tensor x = context->get_saved_variables().front();
    return {gradients.front() * 3 * x * x};
  }
};

const auto cube = amp::float_function([](const at::Tensor& x) { return Cube::apply(x); });
const auto fast_cube = amp::half_function([](const at::Tensor& x) { return Cube::apply(x); });

/// Recomputes `part` in backward.
struct Checkpoint : torch::autograd::Function<Checkpoint> {
  static inline std::function<at::Tensor(const at::Tensor&)> part;

  static at::Tensor forward(AutogradContext* context, const at::Tensor& x) {
    context->save_for_backward({x});
    return part(x);
  }
  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const at::Tensor x = context->get_saved_variables().front().detach().requires_grad_();
    const at::Tensor y = [&] {
      const at::AutoGradMode records_gradients(true);
      const amp::RecomputeScope again;
      return part(x);
    }();
    y.backward(gradients.front());
    return {x.grad()};
  }
};

/// 32 points in a plane and their targets.
struct Batch {
  at::Tensor inputs;
  at::Tensor targets;
};

const Batch kBatch = [] {
  torch::manual_seed(0);
  const at::Tensor inputs = torch::randn({32, 4});
  return Batch{inputs, inputs.sum(1, /*keepdim=*/true)};
}();

/// Returns the mean squared error of a fitted model.
double error_of(torch::nn::Linear& model) {
  const DisableCasts fp32;
  const at::Tensor outputs = model->forward(kBatch.inputs.to(model->weight.scalar_type()));
  return torch::mse_loss(outputs.to(at::kFloat), kBatch.targets).item<double>();
}

/// Runs each test at every level, in an empty folder of its own.
class Manual : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    torch::manual_seed(1);
    std::filesystem::create_directories(folder);
    std::filesystem::current_path(folder);
    std::cout.setstate(std::ios::failbit);  // hides the settings that initialize() prints
  }
  void TearDown() override {
    shutdown();
    std::cout.clear();
    std::filesystem::current_path(folder.parent_path());
    std::filesystem::remove_all(folder);
  }

  at::ScalarType type_at_o1(at::ScalarType at_o1, at::ScalarType elsewhere) const {
    return level == "O1" ? at_o1 : elsewhere;
  }

  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("amp_manual_" + std::to_string(getpid()));
  const std::string level = GetParam();
  const std::vector<Batch> batches = std::vector<Batch>(60, kBatch);
};

TEST_P(Manual, Simple) {
  torch::nn::Linear model(4, 1);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  amp::initialize(model, optimizer, {.opt_level = level});
  for (const auto& [inputs, targets] : batches) {
    optimizer.zero_grad();
    auto loss = torch::mse_loss(amp::forward(model, inputs), targets);
    amp::scale_loss(loss, optimizer, [](const at::Tensor& scaled) { scaled.backward(); });
    amp::step(optimizer);
  }
  EXPECT_LT(error_of(model), 0.01);
}

TEST_P(Manual, ManyRanks) {
  torch::nn::Linear model(4, 1);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  amp::parallel::init();
  amp::initialize(model, optimizer, {.opt_level = level});
  amp::parallel::DistributedDataParallel parallel(model);
  for (const auto& [inputs, targets] : batches) {
    optimizer.zero_grad();
    auto loss = torch::mse_loss(amp::forward(parallel, inputs), targets);
    amp::scale_loss(loss, optimizer, backward);
    amp::step(optimizer);
  }
  amp::parallel::shutdown();
  EXPECT_LT(error_of(model), 0.01);
}

TEST_P(Manual, Accumulation) {
  torch::nn::Linear model(4, 1);
  torch::optim::SGD optimizer(model->parameters(), 0.2);
  amp::initialize(model, optimizer, {.opt_level = level});
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const auto& [inputs, targets] = batches[i];
    const bool is_last = i % 2 == 1;
    auto loss = torch::mse_loss(amp::forward(model, inputs), targets) / 2;
    amp::scale_loss(loss, optimizer, backward, {.delay_unscale = !is_last});
    if (is_last) {
      amp::step(optimizer);
      optimizer.zero_grad();
    }
  }
  EXPECT_LT(error_of(model), 0.01);
}

TEST_P(Manual, SeveralModelsOptimizersAndLosses) {
  torch::nn::Linear model0(4, 1), model1(4, 1);
  torch::optim::SGD optimizer0(model0->parameters(), 0.05), optimizer1(model1->parameters(), 0.05);
  const auto backward = [](const at::Tensor& scaled) { scaled.backward({}, /*retain_graph=*/true); };
  amp::initialize({model0, model1}, {optimizer0, optimizer1}, {.opt_level = level, .num_losses = 3});
  for (const auto& [inputs, targets] : batches) {
    optimizer0.zero_grad();
    optimizer1.zero_grad();
    auto output0 = amp::forward(model0, inputs);
    auto output1 = amp::forward(model1, inputs);
    amp::scale_loss(torch::mse_loss(output0, targets), optimizer0, backward, {.loss_id = 0});
    amp::scale_loss(torch::mse_loss(output1, targets), optimizer1, backward, {.loss_id = 1});
    amp::scale_loss(torch::mse_loss(output0, output1), {optimizer0, optimizer1}, backward, {.loss_id = 2});
    amp::step(optimizer0);
    amp::step(optimizer1);
  }
  EXPECT_LT(error_of(model0), 0.05);
  EXPECT_LT(error_of(model1), 0.05);
}

TEST_P(Manual, Gan) {
  torch::nn::Linear generator(4, 1), discriminator(1, 1);
  const auto adam = torch::optim::AdamOptions(0.01).eps(1e-4);
  torch::optim::Adam optimizer_g(generator->parameters(), adam), optimizer_d(discriminator->parameters(), adam);
  torch::nn::BCEWithLogitsLoss criterion;
  const at::Tensor one = torch::ones({32, 1}), zero = torch::zeros({32, 1});
  double loss_d = 0;
  double loss_g = 0;
  amp::initialize({discriminator, generator}, {optimizer_d, optimizer_g}, {.opt_level = level, .num_losses = 3});
  for (const auto& [noise, truth] : batches) {
    optimizer_d.zero_grad();
    auto real = criterion(amp::forward(discriminator, truth), one);
    amp::scale_loss(real, optimizer_d, backward, {.loss_id = 0});
    auto made = amp::forward(generator, noise);
    auto fake = criterion(amp::forward(discriminator, made.detach()), zero);
    amp::scale_loss(fake, optimizer_d, backward, {.loss_id = 1});
    amp::step(optimizer_d);

    optimizer_g.zero_grad();
    auto fooled = criterion(amp::forward(discriminator, made), one);
    amp::scale_loss(fooled, optimizer_g, backward, {.loss_id = 2});
    amp::step(optimizer_g);
    loss_d = (real + fake).item<double>();
    loss_g = fooled.item<double>();
  }
  EXPECT_TRUE(std::isfinite(loss_d) && std::isfinite(loss_g));
  EXPECT_GT(loss_d, 0.5);
}

TEST_P(Manual, Clipping) {
  torch::nn::Linear model(4, 1);
  torch::optim::SGD optimizer(model->parameters(), 0.2);
  amp::initialize(model, optimizer, {.opt_level = level});
  for (const auto& [inputs, targets] : batches) {
    optimizer.zero_grad();
    auto loss = torch::mse_loss(amp::forward(model, inputs), targets);
    amp::scale_loss(loss, optimizer, backward);
    torch::nn::utils::clip_grad_norm_(amp::master_params(optimizer), 1.0);
    amp::step(optimizer);
  }
  EXPECT_LT(error_of(model), 0.01);
}

TEST_P(Manual, CustomFunction) {
  torch::nn::Linear model(4, 1);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  amp::initialize(model, optimizer, {.opt_level = level});
  const at::Tensor low = torch::full({8}, 0.5, at::kHalf).requires_grad_();
  const at::Tensor fp32 = torch::full({8}, 0.5).requires_grad_();
  const at::Tensor from_low = cube(low);
  const at::Tensor from_fp32 = fast_cube(fp32);
  EXPECT_EQ(from_low.scalar_type(), type_at_o1(at::kFloat, at::kHalf));
  EXPECT_EQ(from_fp32.scalar_type(), type_at_o1(at::kHalf, at::kFloat));
  const double scale = amp::loss_scale() / 8;  // three times the gradient has to fit into half
  amp::scale_loss((from_low.sum() + from_fp32.sum()) / 8, optimizer, backward);
  for (const at::Tensor& x : {low, fp32}) {
    EXPECT_TRUE(at::equal(x.grad().to(at::kFloat), torch::full({8}, 0.75 * scale))) << "3 x^2, still scaled";
  }
}

TEST_P(Manual, ActivationCheckpointing) {
  torch::nn::Linear model(4, 1);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  amp::initialize(model, optimizer, {.opt_level = level});
  std::vector<at::Tensor> results;
  Checkpoint::part = [&](const at::Tensor& x) { return results.emplace_back(amp::forward(model, x)); };
  for (const auto& [inputs, targets] : batches) {
    optimizer.zero_grad();
    auto loss = torch::mse_loss(Checkpoint::apply(inputs.detach().requires_grad_()), targets);
    amp::scale_loss(loss, optimizer, backward);
    amp::step(optimizer);
  }
  EXPECT_LT(error_of(model), 0.01);
  for (std::size_t i = 0; i < results.size(); i += 2) EXPECT_TRUE(at::equal(results[i], results[i + 1]));
}

TEST_P(Manual, TypeOfTheProgram) {
  torch::nn::Linear model(4, 1);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  amp::initialize(model, optimizer, {.opt_level = level});
  const batch_of_a_program::Batch batch{kBatch.inputs, kBatch.targets};
  const auto cast = amp::cast(batch, at::kHalf);
  EXPECT_EQ(cast.image.scalar_type(), at::kHalf);
  EXPECT_EQ(cast.label.scalar_type(), at::kFloat) << "the program leaves it alone";
}

TEST_P(Manual, OptimizersAndModules) {
  torch::nn::Linear model(4, 1);
  amp::FusedAdam optimizer(model->parameters(), amp::FusedAdamOptions(1e-3).weight_decay(0.01));
  const at::Tensor x = torch::randn({8, 512});
  amp::FusedLayerNorm norm(torch::nn::LayerNormOptions({512}).eps(1e-6));
  at::Tensor y = norm->forward(x);  // x: (..., 512)
  EXPECT_EQ(y.sizes(), x.sizes());
  EXPECT_EQ(static_cast<amp::FusedAdamOptions&>(optimizer.defaults()).weight_decay(), 0.01);
}

TEST_P(Manual, Registration) {
  std::ofstream("run.amp") << "exp fp16\n";
  torch::nn::Sequential model({{"body", torch::nn::Linear(4, 4)}, {"head", torch::nn::Linear(4, 1)}});
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  amp::register_half_function("softmax");
  amp::register_float_function("linear", "head");  // in this module and all inside it
  amp::load_policy("run.amp");
  amp::initialize(model, optimizer, {.opt_level = level});
  if (level == "O2" || level == "O3") return;  // O2 and O3 cast models, not functions
  const at::Tensor hidden = model[0]->as<torch::nn::Linear>()->forward(kBatch.inputs);
  const at::Tensor output = model[1]->as<torch::nn::Linear>()->forward(hidden.to(at::kFloat));
  EXPECT_EQ(hidden.scalar_type(), type_at_o1(at::kHalf, at::kFloat)) << "as the list says";
  EXPECT_EQ(output.scalar_type(), at::kFloat) << "as registered for the head";
  EXPECT_EQ(torch::softmax(output, 0).scalar_type(), type_at_o1(at::kHalf, at::kFloat)) << "as registered";
  EXPECT_EQ(torch::exp(output).scalar_type(), type_at_o1(at::kHalf, at::kFloat)) << "as the policy file says";
}

void train(torch::nn::Linear& model, torch::optim::Optimizer& optimizer, std::size_t steps) {
  for (std::size_t i = 0; i < steps; ++i) {
    optimizer.zero_grad();
    auto loss = torch::mse_loss(amp::forward(model, kBatch.inputs), kBatch.targets);
    amp::scale_loss(loss, optimizer, backward);
    amp::step(optimizer);
  }
}

TEST_P(Manual, Checkpoint) {
  const auto sgd = torch::optim::SGDOptions(0.05).momentum(0.5);
  at::Tensor expected;
  {
    torch::nn::Linear model(4, 1);
    torch::optim::SGD optimizer(model->parameters(), sgd);
    amp::initialize(model, optimizer, {.opt_level = level});
    train(model, optimizer, 5);
    torch::serialize::OutputArchive archive;
    amp::save_model(model, archive);
    archive.save_to("model.pt");
    torch::save(optimizer, "optimizer.pt");
    torch::save(amp::state_dict(), "amp.pt");
    train(model, optimizer, 5);
    expected = model->weight.detach().clone();
    amp::shutdown();
  }
  torch::nn::Linear model(4, 1);
  torch::optim::SGD optimizer(model->parameters(), sgd);
  amp::initialize(model, optimizer, {.opt_level = level});
  torch::serialize::InputArchive archive;
  archive.load_from("model.pt");
  amp::load_model(model, archive);
  torch::load(optimizer, "optimizer.pt");
  amp::StateDict state;
  torch::load(state, "amp.pt");
  amp::load_state_dict(state);
  train(model, optimizer, 5);
  EXPECT_TRUE(at::equal(model->weight, expected)) << "bit for bit";
}

INSTANTIATE_TEST_SUITE_P(Levels, Manual, testing::Values("O0", "O1", "O2", "O3"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace manual_test
}  // namespace amp
