// SPDX-License-Identifier: Apache-2.0
// Compares converted models, in double precision, with unconverted models that get the joined batch.
#include "amp_core/parallel/convert_sync_batch_norm.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <string>
#include <vector>

#include "amp_core/levels/error.h"
#include "amp_core/parallel/sync_batch_norm.h"
#include "tests/amp_core/parallel/ranks.h"

namespace amp::parallel {
namespace convert_sync_batch_norm_test {

using torch::kDouble;
using ProcessGroup = c10::intrusive_ptr<c10d::ProcessGroup>;

struct BlockImpl : torch::nn::Module {
  at::Tensor forward(const at::Tensor& x) { return norm->forward(x).tanh(); }

  torch::nn::BatchNorm2d norm = register_module("norm", torch::nn::BatchNorm2d(4));
};
TORCH_MODULE(Block);

/// Holds batch norms as a typed member, in a container, and in a submodule.
struct NetImpl : torch::nn::Module {
  at::Tensor forward(const at::Tensor& x) { return tail->forward(norm->forward(conv->forward(x))); }

  torch::nn::Conv2d conv = register_module("conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(3, 4, 3)));
  torch::nn::BatchNorm2d norm = register_module("norm", torch::nn::BatchNorm2d(4));
  torch::nn::Sequential tail =
      register_module("tail", torch::nn::Sequential(torch::nn::ReLU(), torch::nn::BatchNorm2d(4), Block()));
};
TORCH_MODULE(Net);

Net seeded_net() {
  torch::manual_seed(5);
  Net net;
  net->to(kDouble);
  return net;
}

void expect_same(const at::Tensor& is, const at::Tensor& should, const std::string& what) {
  ASSERT_EQ(is.sizes(), should.sizes()) << what;
  EXPECT_TRUE(torch::allclose(is, should, 1e-10, 1e-10)) << what;
}

/// Runs forward and backward of converted nets, one on each rank. Returns their outputs.
std::vector<at::Tensor> train_converted(std::vector<Net>& nets, const std::vector<at::Tensor>& parts) {
  std::vector<at::Tensor> outputs(nets.size());
  on_ranks(static_cast<int>(nets.size()), [&](const ProcessGroup& group, int rank) {
    const auto place = static_cast<std::size_t>(rank);
    convert_sync_batchnorm(nets[place], group);
    outputs[place] = nets[place]->forward(parts[place]);
    outputs[place].pow(2).sum().backward();
  });
  return outputs;
}

TEST(ConvertSyncBatchnorm, TypedMembersAndContainersAreSynchronized) {
  std::vector<Net> nets{seeded_net(), seeded_net()};
  Net whole = seeded_net();
  const at::Tensor x = torch::randn({5, 3, 6, 6}, kDouble);
  const at::Tensor y = whole->forward(x);
  y.pow(2).sum().backward();

  const std::vector<at::Tensor> outputs = train_converted(nets, x.split_with_sizes({2, 3}));
  expect_same(at::cat(outputs), y, "output");
  const auto parameters = whole->named_parameters();
  for (const auto& parameter : parameters) {
    const auto gradient_of_rank = [&](Net& net) { return net->named_parameters()[parameter.key()].grad(); };
    expect_same(gradient_of_rank(nets[0]) + gradient_of_rank(nets[1]), parameter.value().grad(), parameter.key());
  }
  const auto buffers = whole->named_buffers();
  for (const auto& buffer : buffers) {
    for (Net& net : nets) expect_same(net->named_buffers()[buffer.key()], buffer.value(), buffer.key());
  }
}

TEST(ConvertSyncBatchnorm, AnOptimizerStaysValid) {
  std::vector<Net> nets{seeded_net(), seeded_net()};
  torch::optim::SGD optimizer(nets[0]->parameters(), 0.1);
  const at::Tensor before = nets[0]->norm->weight.detach().clone();
  train_converted(nets, torch::randn({4, 3, 6, 6}, kDouble).chunk(2));
  optimizer.step();
  EXPECT_FALSE(at::equal(nets[0]->norm->weight, before));
}

TEST(ConvertSyncBatchnorm, KeepsTensorsAndAsksForTheDefaultGroupOnlyToTrain) {
  Net net;
  const std::vector<at::Tensor> parameters = net->parameters();
  const std::vector<at::Tensor> buffers = net->buffers();
  convert_sync_batchnorm(net);
  for (std::size_t i = 0; i < parameters.size(); ++i) EXPECT_TRUE(net->parameters()[i].is_same(parameters[i]));
  for (std::size_t i = 0; i < buffers.size(); ++i) EXPECT_TRUE(net->buffers()[i].is_same(buffers[i]));
  const at::Tensor x = torch::ones({2, 3, 6, 6});
  EXPECT_THROW(net->forward(x), Error) << "init() was not called";
  net->eval();
  EXPECT_NO_THROW(net->forward(x));
}

TEST(ConvertSyncBatchnorm, ALayerWithoutRunningStatisticsIsKnownByItsWeight) {
  on_ranks(2, [](const ProcessGroup& group, int rank) {
    torch::nn::BatchNorm1d layer(torch::nn::BatchNorm1dOptions(1).track_running_stats(false));
    convert_sync_batchnorm(layer, group);
    layer->to(kDouble);
    const at::Tensor x = torch::full({2, 1}, rank, kDouble);
    EXPECT_NEAR(layer->forward(x)[0][0].item<double>(), 2 * rank - 1, 1e-4);
    layer->eval();
    EXPECT_NEAR(layer->forward(x)[0][0].item<double>(), 0, 1e-9) << "synchronized in eval mode";
  });
}

TEST(ConvertSyncBatchnorm, AnEmptyRankTakesPart) {
  on_ranks(2, [](const ProcessGroup& group, int rank) {
    torch::nn::BatchNorm1d layer(torch::nn::BatchNorm1dOptions(1).momentum(1.0));
    convert_sync_batchnorm(layer, group);
    const at::Tensor x = torch::arange(3.0).narrow(0, 0, 3 * rank).unsqueeze(1).requires_grad_();
    layer->forward(x).sum().backward();
    EXPECT_EQ(layer->running_mean.item<float>(), 1.0F);
    EXPECT_EQ(x.grad().sizes(), x.sizes());
    EXPECT_EQ(layer->bias.grad().item<float>(), 3.0F * static_cast<float>(rank)) << "of the rank's own values";
  });
}

TEST(ConvertSyncBatchnorm, RefusesALayerThatNothingTellsFromOthersAndChangesNothing) {
  const auto options = torch::nn::BatchNorm1dOptions(2).affine(false).track_running_stats(false);
  torch::nn::Sequential net(torch::nn::BatchNorm1d(2), torch::nn::BatchNorm1d(options));
  try {
    convert_sync_batchnorm(net);
    FAIL() << "no Error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("layer 1,"), std::string::npos) << error.what();
  }
  EXPECT_NO_THROW(net->forward(torch::ones({3, 2}))) << "the first layer was converted";
}

TEST(ConvertSyncBatchnorm, LeavesInstanceNormAloneAndGivesSyncBatchNormTheGroup) {
  on_ranks(1, [](const ProcessGroup& group, int) {
    SyncBatchNorm norm(2);
    torch::nn::InstanceNorm1d instance(torch::nn::InstanceNorm1dOptions(2).affine(true).track_running_stats(true));
    torch::nn::Sequential net(instance, norm);
    convert_sync_batchnorm(net, group);
    EXPECT_EQ(norm->options.process_group().get(), group.get());
    EXPECT_NO_THROW(net->forward(torch::ones({2, 2, 3})));
  });
}

TEST(CreateSyncbnProcessGroup, IsRefusedBeforeInit) { EXPECT_THROW(create_syncbn_process_group(2), Error); }

}  // namespace convert_sync_batch_norm_test
}  // namespace amp::parallel
