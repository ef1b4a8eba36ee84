// SPDX-License-Identifier: Apache-2.0
// Compares SyncBatchNorm with LibTorch's batch norm over the joined batch, in double precision.
#include "amp_core/parallel/sync_batch_norm.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <numeric>
#include <ostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "amp_core/engine/model_cast.h"
#include "amp_core/levels/error.h"
#include "tests/amp_core/parallel/ranks.h"

namespace amp::parallel {
namespace sync_batch_norm_test {

using torch::kBFloat16;
using torch::kDouble;
using torch::kFloat;
using torch::kHalf;
using ProcessGroup = c10::intrusive_ptr<c10d::ProcessGroup>;

constexpr std::int64_t kChannels = 3;

struct Case {
  const char* name;
  std::vector<std::int64_t> batches;   ///< batch size of each rank
  std::vector<std::int64_t> trailing;  ///< dimensions after the channels
  at::ScalarType type = kFloat;
  at::MemoryFormat format = at::MemoryFormat::Contiguous;
  bool affine = true;
  bool fuse_relu = false;  ///< adds an addend and fuses ReLU
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

/// A batch, or one rank's part of it.
struct Batch {
  at::Tensor x;
  at::Tensor addend;    ///< undefined if there is none
  at::Tensor upstream;  ///< gradient of the output
};

struct Outcome {
  at::Tensor output;
  at::Tensor x_gradient;
  at::Tensor addend_gradient;
  at::Tensor weight_gradient;
  at::Tensor bias_gradient;
  at::Tensor running_mean;
  at::Tensor running_var;
};

at::Tensor random_tensor(const Case& c) {
  std::vector<std::int64_t> shape{std::accumulate(c.batches.begin(), c.batches.end(), std::int64_t{0}), kChannels};
  shape.insert(shape.end(), c.trailing.begin(), c.trailing.end());
  return (torch::randn(shape) * 2 + 1).to(c.type).contiguous(c.format);
}

Batch random_batch(const Case& c) {
  torch::manual_seed(7);
  Batch batch{random_tensor(c), {}, random_tensor(c)};
  if (c.fuse_relu) batch.addend = random_tensor(c);
  return batch;
}

std::vector<Batch> parts_of(const Batch& batch, const std::vector<std::int64_t>& batches) {
  std::vector<Batch> parts;
  std::int64_t first = 0;
  for (const std::int64_t count : batches) {
    const auto part = [&](const at::Tensor& whole) { return whole.defined() ? whole.narrow(0, first, count) : whole; };
    parts.push_back({part(batch.x), part(batch.addend), part(batch.upstream)});
    first += count;
  }
  return parts;
}

at::Tensor leaf(const at::Tensor& tensor) {
  return tensor.defined() ? tensor.detach().clone().requires_grad_() : at::Tensor();
}

at::Tensor leaf_in_double(const at::Tensor& tensor) {
  return tensor.defined() ? leaf(tensor.to(kDouble)) : at::Tensor();
}

at::Tensor gradient_of(const at::Tensor& tensor) { return tensor.defined() ? tensor.grad() : at::Tensor(); }

at::Tensor initial_weight() { return torch::linspace(0.5, 1.5, kChannels); }
at::Tensor initial_bias() { return torch::linspace(-1, 1, kChannels); }

Outcome outcome_of_joined(const Case& c, const Batch& batch) {
  const at::Tensor x = leaf_in_double(batch.x);
  const at::Tensor addend = leaf_in_double(batch.addend);
  const at::Tensor weight = c.affine ? leaf_in_double(initial_weight()) : at::Tensor();
  const at::Tensor bias = c.affine ? leaf_in_double(initial_bias()) : at::Tensor();
  const at::Tensor mean = torch::zeros({kChannels}, kDouble);
  const at::Tensor var = torch::ones({kChannels}, kDouble);
  at::Tensor y = torch::batch_norm(x, weight, bias, mean, var, /*training=*/true, 0.1, 1e-5, /*cudnn_enabled=*/false);
  if (addend.defined()) y = (y + addend).relu();
  y.backward(batch.upstream.to(kDouble));
  return {y, x.grad(), gradient_of(addend), gradient_of(weight), gradient_of(bias), mean, var};
}

Outcome outcome_on_rank(const Case& c, const ProcessGroup& group, const Batch& part) {
  SyncBatchNorm layer(SyncBatchNormOptions(kChannels).affine(c.affine).fuse_relu(c.fuse_relu).process_group(group));
  if (c.affine) {
    const torch::NoGradGuard no_grad;
    layer->weight.copy_(initial_weight());
    layer->bias.copy_(initial_bias());
  }
  const at::Tensor x = leaf(part.x);
  const at::Tensor addend = leaf(part.addend);
  const at::Tensor y = layer->forward(x, addend);
  y.backward(part.upstream);
  return {y,
          x.grad(),
          gradient_of(addend),
          gradient_of(layer->weight),
          gradient_of(layer->bias),
          layer->running_mean,
          layer->running_var};
}

std::vector<at::Tensor> of_ranks(const std::vector<Outcome>& ranks, at::Tensor Outcome::*member) {
  std::vector<at::Tensor> tensors;
  for (const Outcome& rank : ranks) tensors.push_back(rank.*member);
  return tensors;
}

/// Returns the tolerance for values near 1: one ulp of a half type, or the error of a few roundings of another type.
double tolerance(at::ScalarType type) {
  switch (type) {
    case kHalf:
      return 0x1p-10;
    case kBFloat16:
      return 0x1p-7;
    case kFloat:
      return 1e-6;
    default:
      return 1e-12;
  }
}

void expect_close(const at::Tensor& is, const at::Tensor& should, const std::string& what) {
  ASSERT_EQ(is.sizes(), should.sizes()) << what;
  const at::Tensor error = (is.to(kDouble) - should.to(kDouble)).abs() / should.to(kDouble).abs().clamp_min(1);
  EXPECT_LE(error.max().item<double>(), tolerance(is.scalar_type())) << what;
}

void expect_sum(const std::vector<at::Tensor>& ranks, const at::Tensor& should, const char* what) {
  for (const at::Tensor& rank : ranks) EXPECT_EQ(rank.defined(), should.defined()) << what;
  if (should.defined()) expect_close(at::stack(ranks).sum(0), should, what);
}

class SyncBatchNormCases : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const Case& c = GetParam();
    const Batch batch = random_batch(c);
    const std::vector<Batch> parts = parts_of(batch, c.batches);
    joined = outcome_of_joined(c, batch);
    ranks.resize(parts.size());
    on_ranks(static_cast<int>(parts.size()), [&](const ProcessGroup& group, int rank) {
      const auto place = static_cast<std::size_t>(rank);
      ranks[place] = outcome_on_rank(c, group, parts[place]);
    });
  }

  Outcome joined;
  std::vector<Outcome> ranks;
};

TEST_P(SyncBatchNormCases, IsBatchNormOfTheJoinedBatch) {
  expect_close(at::cat(of_ranks(ranks, &Outcome::output)), joined.output, "output");
  for (const Outcome& rank : ranks) {
    EXPECT_EQ(rank.output.scalar_type(), GetParam().type);
    EXPECT_TRUE(rank.output.numel() == 0 || rank.output.is_contiguous(GetParam().format));
  }
}

TEST_P(SyncBatchNormCases, HasItsGradients) {
  expect_close(at::cat(of_ranks(ranks, &Outcome::x_gradient)), joined.x_gradient, "input");
  if (GetParam().fuse_relu) {
    expect_close(at::cat(of_ranks(ranks, &Outcome::addend_gradient)), joined.addend_gradient, "addend");
  }
  expect_sum(of_ranks(ranks, &Outcome::weight_gradient), joined.weight_gradient, "weight");
  expect_sum(of_ranks(ranks, &Outcome::bias_gradient), joined.bias_gradient, "bias");
}

TEST_P(SyncBatchNormCases, AllRanksKeepItsRunningStatisticsBitForBit) {
  for (const Outcome& rank : ranks) {
    expect_close(rank.running_mean, joined.running_mean, "running mean");
    expect_close(rank.running_var, joined.running_var, "running variance");
    EXPECT_TRUE(at::equal(rank.running_mean, ranks.front().running_mean));
    EXPECT_TRUE(at::equal(rank.running_var, ranks.front().running_var));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, SyncBatchNormCases,
    testing::Values(Case{.name = "TwoRanks", .batches = {4, 4}, .trailing = {}},
                    Case{.name = "FourRanks", .batches = {3, 1, 2, 5}, .trailing = {}},
                    Case{.name = "Series", .batches = {2, 3}, .trailing = {7}},
                    Case{.name = "Images", .batches = {2, 1, 3, 2}, .trailing = {4, 5}},
                    Case{.name = "Volumes", .batches = {2, 3}, .trailing = {2, 3, 4}},
                    Case{.name = "AnEmptyRank", .batches = {0, 3}, .trailing = {4, 4}},
                    Case{.name = "AnEmptyRankAmongFour", .batches = {2, 0, 1, 3}, .trailing = {4, 5}},
                    Case{.name = "Double", .batches = {2, 3}, .trailing = {4, 5}, .type = kDouble},
                    Case{.name = "Half", .batches = {2, 3}, .trailing = {4, 5}, .type = kHalf},
                    Case{.name = "HalfWithAnEmptyRank", .batches = {3, 0}, .trailing = {4, 5}, .type = kHalf},
                    Case{.name = "BFloat16", .batches = {2, 3}, .trailing = {4, 5}, .type = kBFloat16},
                    Case{.name = "ChannelsLast",
                         .batches = {2, 3},
                         .trailing = {4, 5},
                         .type = kHalf,
                         .format = at::MemoryFormat::ChannelsLast},
                    Case{.name = "ChannelsLast3d",
                         .batches = {2, 3},
                         .trailing = {2, 3, 4},
                         .format = at::MemoryFormat::ChannelsLast3d},
                    Case{.name = "NotAffine", .batches = {2, 3}, .trailing = {4, 5}, .affine = false},
                    Case{.name = "FusedRelu", .batches = {2, 3}, .trailing = {4, 5}, .fuse_relu = true},
                    Case{.name = "FusedReluWithAnEmptyRank", .batches = {2, 0}, .trailing = {6}, .fuse_relu = true}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(SyncBatchNorm, GroupsShareNothing) {
  std::vector<float> means(4);
  const auto run_group = [&](int first) {
    on_ranks(2, [&](const ProcessGroup& group, int rank) {
      SyncBatchNorm layer(SyncBatchNormOptions(1).momentum(1.0).process_group(group));
      layer->forward(torch::full({2, 1}, static_cast<double>(first + rank)));
      means[static_cast<std::size_t>(first + rank)] = layer->running_mean.item<float>();
    });
  };
  {
    const std::jthread second([&] { run_group(2); });
    run_group(0);
  }
  EXPECT_EQ(means, (std::vector<float>{0.5, 0.5, 2.5, 2.5}));
}

TEST(SyncBatchNorm, WithoutMomentumRunningStatisticsAreAverages) {
  on_ranks(2, [](const ProcessGroup& group, int rank) {
    SyncBatchNorm layer(SyncBatchNormOptions(1).momentum(std::nullopt).process_group(group));
    for (const double value : {1.0, 4.0}) layer->forward(torch::full({2, 1}, value + 2 * rank));
    EXPECT_FLOAT_EQ(layer->running_mean.item<float>(), 3.5F) << "of 2 and 5";
    EXPECT_FLOAT_EQ(layer->running_var.item<float>(), 4.0F / 3.0F);
    EXPECT_EQ(layer->num_batches_tracked.item<int>(), 2);
  });
}

TEST(SyncBatchNorm, OnOneRankItIsBatchNorm) {
  torch::manual_seed(1);
  const at::Tensor x = torch::randn({4, kChannels, 5, 5});
  on_ranks(1, [&](const ProcessGroup& group, int) {
    SyncBatchNorm layer(SyncBatchNormOptions(kChannels).process_group(group));
    torch::nn::BatchNorm2d reference(kChannels);
    EXPECT_TRUE(at::equal(layer->forward(x), reference->forward(x)));
    EXPECT_TRUE(at::equal(layer->running_mean, reference->running_mean));
    EXPECT_TRUE(at::equal(layer->running_var, reference->running_var));
    EXPECT_TRUE(at::equal(layer->num_batches_tracked, reference->num_batches_tracked));
  });
}

TEST(SyncBatchNorm, InEvalModeItIsBatchNormAndAsksForNoGroup) {
  torch::manual_seed(2);
  const at::Tensor x = torch::randn({4, kChannels});
  SyncBatchNorm layer(kChannels);
  layer->running_mean.fill_(0.5);
  torch::nn::Sequential net(layer);
  net->eval();
  EXPECT_TRUE(at::equal(net->forward(x), torch::batch_norm(x, layer->weight, layer->bias, layer->running_mean,
                                                           layer->running_var, false, 0.1, 1e-5, false)));
  EXPECT_EQ(layer->num_batches_tracked.item<int>(), 0);
}

TEST(SyncBatchNorm, InAContainerItTakesTheInputAlone) {
  on_ranks(2, [](const ProcessGroup& group, int rank) {
    torch::nn::Sequential net(SyncBatchNorm(SyncBatchNormOptions(1).process_group(group)));
    EXPECT_NEAR(net->forward(torch::full({2, 1}, rank, kFloat))[0][0].item<float>(), 2 * rank - 1, 1e-4);
  });
}

TEST(SyncBatchNorm, ReadsCheckpointsOfBatchNorm) {
  torch::nn::BatchNorm2d saved(kChannels);
  saved->running_mean.fill_(2);
  std::stringstream file;
  torch::save(saved, file);
  SyncBatchNorm layer(kChannels);
  torch::load(layer, file);
  EXPECT_TRUE(at::equal(layer->running_mean, saved->running_mean));
  EXPECT_EQ(layer->named_parameters().keys(), saved->named_parameters().keys());
  EXPECT_EQ(layer->named_buffers().keys(), saved->named_buffers().keys());
}

TEST(SyncBatchNorm, StaysFp32AtO2) {
  torch::nn::Linear linear(4, kChannels);
  SyncBatchNorm norm(kChannels);
  torch::nn::Sequential net(linear, norm);
  cast_model(*net, kHalf, /*keep_batchnorm=*/true);
  EXPECT_EQ(linear->weight.scalar_type(), kHalf);
  EXPECT_EQ(norm->weight.scalar_type(), kFloat);
  EXPECT_EQ(norm->running_mean.scalar_type(), kFloat);
}

TEST(SyncBatchNorm, RefusesBatchesWithoutAVariance) {
  on_ranks(2, [](const ProcessGroup& group, int rank) {
    SyncBatchNorm layer(SyncBatchNormOptions(kChannels).process_group(group));
    EXPECT_THROW(layer->forward(torch::ones({0, kChannels})), Error) << "no values";
    EXPECT_THROW(layer->forward(torch::ones({rank, kChannels})), Error) << "one value";
    EXPECT_EQ(layer->num_batches_tracked.item<int>(), 0);
    EXPECT_TRUE(at::equal(layer->running_mean, torch::zeros({kChannels})));
  });
  on_ranks(1, [](const ProcessGroup& group, int) {
    SyncBatchNorm layer(SyncBatchNormOptions(kChannels).process_group(group));
    EXPECT_THROW(layer->forward(torch::ones({1, kChannels})), Error);
  });
}

TEST(SyncBatchNorm, RefusesASecondDerivative) {
  on_ranks(2, [](const ProcessGroup& group, int) {
    SyncBatchNorm layer(SyncBatchNormOptions(kChannels).process_group(group));
    const at::Tensor loss = layer->forward(torch::ones({2, kChannels})).sum();
    EXPECT_THROW(loss.backward({}, /*retain_graph=*/true, /*create_graph=*/true), Error);
  });
}

TEST(SyncBatchNorm, RefusesOtherShapes) {
  SyncBatchNorm layer(kChannels);
  layer->eval();
  EXPECT_THROW(layer->forward(torch::ones({kChannels})), Error);
  EXPECT_THROW(layer->forward(torch::ones({2, kChannels + 1})), Error);
  EXPECT_THROW(layer->forward(torch::ones({2, kChannels}), torch::ones({kChannels})), Error);
}

}  // namespace sync_batch_norm_test
}  // namespace amp::parallel
