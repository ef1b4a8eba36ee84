// SPDX-License-Identifier: Apache-2.0
// Compares ranks that train replicas with one process that runs all shards one after the other and averages the
// gradients. AMPPROF_SEEDS=10 tries more seeds.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

#include "tests/amp_core/parallel/ranks.h"
#include "tests/amp_core/parallel/replicas.h"

namespace amp::parallel {
namespace against_one_process_test {

using Tensors = std::vector<at::Tensor>;

constexpr int kSteps = 20;
constexpr int kRows = 4;  // rows of a rank's shard

std::uint64_t seeds() {
  const char* asked = std::getenv("AMPPROF_SEEDS");
  return asked == nullptr ? 1 : std::strtoull(asked, nullptr, 10);
}

struct Case {
  const char* level;
  int world_size;
  int micro_batches = 1;
  bool clips = false;
  bool leaves_out = false;  ///< leaves out the side layer on some ranks in some steps
  bool in_fp32 = false;     ///< the option allreduce_always_fp32
};

void PrintTo(const Case& item, std::ostream* stream) {
  *stream << item.level << "_of_" << item.world_size << (item.micro_batches > 1 ? "_accumulated" : "")
          << (item.clips ? "_clipped" : "") << (item.leaves_out ? "_with_unused" : "")
          << (item.in_fp32 ? "_summed_in_fp32" : "");
}

bool uses_side(const Case& item, int step, int rank) { return !item.leaves_out || (step + rank) % 3 != 0; }

/// Returns options with a scale at which sums of four gradients are finite in FP16.
Options options_of(const Case& item) {
  Options options{.opt_level = item.level, .verbosity = 0};
  const std::string level = item.level;
  if (level == "O1" || level == "O2") options.init_scale = 256.0;
  return options;
}

/// Returns a rank's inputs in one micro-batch of a step.
at::Tensor inputs(std::uint64_t seed, int step, int micro_batch, int rank) {
  return random_tensor({kRows, 6},
                       seed * 1000003 + static_cast<std::uint64_t>(((step * 8 + micro_batch) * 8 + rank) * 2));
}

at::Tensor loss_of(const at::Tensor& outputs, const at::Tensor& x) {
  return torch::mse_loss(outputs, x.narrow(1, 0, 4)) / 2;
}

/// Observed values of one step.
struct Step {
  Tensors gradients;  ///< gradients of the model's parameters, averaged and scaled
  Tensors weights;    ///< weights of the model after the step
  double scale = 0;
};

template <class Optimizer>
void end_step(const Case& item, Optimizer& optimizer) {
  if (item.clips) torch::nn::utils::clip_grad_norm_(amp::master_params(optimizer), 0.5);
  EXPECT_TRUE(amp::step(optimizer));
}

Step train_step(const Case& item, std::uint64_t seed, int step, int rank, DistributedDataParallel<Net>& parallel,
                torch::optim::SGD& optimizer) {
  Step seen;
  optimizer.zero_grad();
  parallel.module()->zero_grad();
  for (int micro_batch = 0; micro_batch < item.micro_batches; ++micro_batch) {
    const bool is_last = micro_batch + 1 == item.micro_batches;
    const std::unique_ptr<NoSync> keep(is_last ? nullptr : new NoSync(parallel.no_sync()));
    const at::Tensor x = inputs(seed, step, micro_batch, rank);
    const at::Tensor loss = loss_of(amp::forward(parallel, x, uses_side(item, step, rank)), x);
    seen.scale = amp::loss_scale();
    const auto backward = [&](const at::Tensor& scaled) {
      scaled.backward();
      if (is_last) seen.gradients = copies(gradients_of(*parallel.module()));
    };
    amp::scale_loss(loss, optimizer, backward, {.delay_unscale = !is_last});
  }
  end_step(item, optimizer);
  seen.weights = copies(parallel.module()->parameters());
  return seen;
}

/// Trains on all ranks. Returns the observed steps of each rank.
std::vector<std::vector<Step>> train_ranks(const Case& item, std::uint64_t seed) {
  std::vector<std::vector<Step>> seen(static_cast<std::size_t>(item.world_size));
  on_ranks(item.world_size, [&](const ProcessGroup& group, int rank) {
    Net model(seed + static_cast<std::uint64_t>(rank) * 100);  // rank 0's parameters replace these
    torch::optim::SGD optimizer(model->parameters(), torch::optim::SGDOptions(0.125).momentum(0.5));
    amp::initialize(model, optimizer, options_of(item));
    DistributedDataParallel<Net> parallel(
        model,
        {.process_group = group, .allreduce_always_fp32 = item.in_fp32, .find_unused_parameters = item.leaves_out});
    for (int step = 0; step < kSteps; ++step) {
      seen[static_cast<std::size_t>(rank)].push_back(train_step(item, seed, step, rank, parallel, optimizer));
    }
  });
  return seen;
}

/// Returns the scaled gradients of one shard, as its rank computes them.
Tensors gradients_of_shard(const Case& item, std::uint64_t seed, int step, int rank, Net& model) {
  model->zero_grad();
  for (int micro_batch = 0; micro_batch < item.micro_batches; ++micro_batch) {
    const at::Tensor x = inputs(seed, step, micro_batch, rank);
    (loss_of(amp::forward(model, x, uses_side(item, step, rank)), x) * amp::loss_scale()).backward();
  }
  return copies(gradients_of(*model));
}

/// Returns the gradients of all shards of a step, by rank.
std::vector<Tensors> gradients_of_shards(const Case& item, std::uint64_t seed, int step, Net& model) {
  std::vector<Tensors> shards;
  for (int rank = 0; rank < item.world_size; ++rank) {
    shards.push_back(gradients_of_shard(item, seed, step, rank, model));
  }
  return shards;
}

/// Returns the gradients of one parameter for all shards that use it.
Tensors of_parameter(const std::vector<Tensors>& shards, std::size_t parameter) {
  Tensors gradients;
  for (const Tensors& shard : shards) {
    if (shard[parameter].defined()) gradients.push_back(shard[parameter]);
  }
  return gradients;
}

/// Averages gradients, summed in the order of ranks and in `type`. A shard that does not use the parameter counts as
/// zero.
at::Tensor mean_of(const Tensors& gradients, int world_size, at::ScalarType type) {
  at::Tensor sum = gradients.front().to(type, /*non_blocking=*/false, /*copy=*/true);
  for (std::size_t i = 1; i < gradients.size(); ++i) sum += gradients[i].to(type);
  return sum.mul_(1.0 / world_size);
}

/// Returns the distance between neighbouring numbers of the type at each of `values`.
at::Tensor ulps(const at::Tensor& values, at::ScalarType type) {
  const bool is_half = type == at::kHalf;
  const at::Tensor magnitude = values.to(at::kDouble).abs().clamp_min(is_half ? 0x1p-14 : 0x1p-126);
  return at::pow(2.0, magnitude.log2().floor()) * (is_half ? 0x1p-10 : 0x1p-23);
}

/// Expects the mean of the shards' gradients. With two ranks it is bitwise equal. With four ranks that sum in FP32, one
/// ulp of the gradient's type is allowed. With four ranks that sum in the gradient's type, more is allowed, because
/// Gloo adds in another order: each of three additions rounds a partial sum, which is at most the sum of magnitudes, by
/// half an ulp.
void expect_mean(const Case& item, const at::Tensor& seen, const Tensors& of_shards) {
  const at::ScalarType type = seen.scalar_type();
  if (item.world_size <= 2) {
    EXPECT_TRUE(seen.equal(mean_of(of_shards, item.world_size, item.in_fp32 ? at::kFloat : type).to(type)));
    return;
  }
  const at::Tensor exact = mean_of(of_shards, item.world_size, at::kDouble);
  const at::Tensor off = (seen.to(at::kDouble) - exact).abs();
  Tensors magnitudes;
  for (const at::Tensor& gradient : of_shards) magnitudes.push_back(gradient.abs());
  const at::Tensor bound = item.in_fp32 && type == at::kHalf
                               ? ulps(exact, type)
                               : 1.5 * ulps(mean_of(magnitudes, item.world_size, at::kDouble), type);
  EXPECT_TRUE((off <= bound).all().item<bool>()) << (off / bound).max().item<double>() << " of what may be";
}

void expect_means(const Case& item, const Tensors& seen, const std::vector<Tensors>& shards) {
  for (std::size_t i = 0; i < seen.size(); ++i) {
    SCOPED_TRACE("parameter " + std::to_string(i));
    const Tensors of_shards = of_parameter(shards, i);
    ASSERT_EQ(seen[i].defined(), !of_shards.empty());
    if (seen[i].defined()) expect_mean(item, seen[i], of_shards);
  }
}

/// Runs the same steps in this process. Compares the gradients with those of the ranks, then continues with the ranks'
/// gradients.
void expect_as_in_one_process(const Case& item, std::uint64_t seed, const std::vector<Step>& steps) {
  set_up_once();
  Net model(seed);
  torch::optim::SGD optimizer(model->parameters(), torch::optim::SGDOptions(0.125).momentum(0.5));
  amp::initialize(model, optimizer, options_of(item));
  for (int step = 0; step < kSteps; ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    const Step& seen = steps[static_cast<std::size_t>(step)];
    ASSERT_EQ(seen.scale, amp::loss_scale());
    expect_means(item, seen.gradients, gradients_of_shards(item, seed, step, model));
    if (::testing::Test::HasFailure()) return;
    optimizer.zero_grad();
    model->zero_grad();
    amp::scale_loss(at::zeros({}), optimizer, [&](const at::Tensor&) {
      const auto parameters = model->parameters();
      for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i].mutable_grad() = seen.gradients[i].clone();
    });
    end_step(item, optimizer);
    ASSERT_TRUE(same_bits(seen.weights, copies(model->parameters())));
  }
  amp::shutdown();
}

class AgainstOneProcess : public ::testing::TestWithParam<Case> {};

TEST_P(AgainstOneProcess, EachStepIsTheSameAndAllRanksAgree) {
  const Case& item = GetParam();
  for (std::uint64_t seed = 1; seed <= seeds(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto ranks = train_ranks(item, seed);
    for (int rank = 1; rank < item.world_size; ++rank) {
      for (int step = 0; step < kSteps; ++step) {
        const auto& own = ranks[static_cast<std::size_t>(rank)][static_cast<std::size_t>(step)];
        ASSERT_TRUE(same_bits(own.weights, ranks[0][static_cast<std::size_t>(step)].weights))
            << "rank " << rank << ", step " << step;
      }
    }
    expect_as_in_one_process(item, seed, ranks[0]);
    if (HasFailure()) return;
  }
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* level : {"O0", "O1", "O2", "O3"}) {
    for (const int world_size : {1, 2, 4}) {
      all.push_back({level, world_size});
      if (world_size == 1) continue;
      all.push_back({level, world_size, /*micro_batches=*/3});
      all.push_back({level, world_size, /*micro_batches=*/1, /*clips=*/true});
      all.push_back({level, world_size, /*micro_batches=*/1, /*clips=*/false, /*leaves_out=*/true});
      all.push_back({level, world_size, /*micro_batches=*/1, /*clips=*/false, /*leaves_out=*/false, /*in_fp32=*/true});
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Levels, AgainstOneProcess, ::testing::ValuesIn(cases()), [](const auto& info) {
  std::ostringstream name;
  PrintTo(info.param, &name);
  return name.str();
});

class OnTheJoinedBatch : public ::testing::TestWithParam<int> {};

TEST_P(OnTheJoinedBatch, WeightsAreTheSameAtO0) {
  const Case item{"O0", GetParam()};
  for (std::uint64_t seed = 1; seed <= seeds(); ++seed) {
    const auto ranks = train_ranks(item, seed);
    Net model(seed);
    torch::optim::SGD optimizer(model->parameters(), torch::optim::SGDOptions(0.125).momentum(0.5));
    for (int step = 0; step < kSteps; ++step) {
      Tensors parts;
      for (int rank = 0; rank < item.world_size; ++rank) parts.push_back(inputs(seed, step, 0, rank));
      const at::Tensor x = at::cat(parts);
      optimizer.zero_grad();
      loss_of(model->forward(x), x).backward();
      optimizer.step();
    }
    const auto parameters = model->parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const at::Tensor& seen = ranks[0].back().weights[i];
      EXPECT_LE(((seen - parameters[i]).norm() / parameters[i].norm()).item<double>(), 1e-6) << "seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, OnTheJoinedBatch, ::testing::Values(1, 2, 4),
                         [](const auto& info) { return std::to_string(info.param); });

}  // namespace against_one_process_test
}  // namespace amp::parallel
