// SPDX-License-Identifier: Apache-2.0
#include "amp_core/parallel/distributed_data_parallel.h"

#include <ATen/record_function.h>
#include <gtest/gtest.h>

#include <mutex>
#include <numeric>
#include <random>

#include "amp_core/base/listener.h"
#include "amp_core/parallel/reducer.h"
#include "tests/amp_core/parallel/ranks.h"
#include "tests/amp_core/parallel/replicas.h"

namespace amp::parallel {
namespace distributed_data_parallel_test {

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

Options quiet(const char* level) { return {.opt_level = level, .verbosity = 0}; }

DistributedOptions in(const ProcessGroup& group, DistributedOptions options = {}) {
  options.process_group = group;
  return options;
}

at::Tensor batch(int step, int rank) { return random_tensor({4, 6}, static_cast<std::uint64_t>(step * 16 + rank + 1)); }

/// The replica of the net on one rank.
struct Copy {
  Copy(const ProcessGroup& group, const Options& options, const DistributedOptions& distributed = {})
      : optimizer(model->parameters(), torch::optim::SGDOptions(0.125).momentum(0.5)) {
    amp::initialize(model, optimizer, options);
    parallel.emplace(model, in(group, distributed));
  }

  void zero_grad() {
    optimizer.zero_grad();
    model->zero_grad();
  }

  void pass(const at::Tensor& x, const ScaleLossOptions& options = {}) {
    const at::Tensor loss = amp::forward(*parallel, x).square().mean();
    amp::scale_loss(
        loss, optimizer, [](const at::Tensor& scaled) { scaled.backward(); }, options);
  }

  bool step(const at::Tensor& x) {
    zero_grad();
    pass(x);
    return amp::step(optimizer);
  }

  Net model{1};
  torch::optim::SGD optimizer;
  std::optional<DistributedDataParallel<Net>> parallel;
};

/// Collects a value from each rank, and expects all to be equal.
template <class Value>
class SameOnAllRanks {
 public:
  void say(const Value& value) {
    const std::lock_guard lock(mutex_);
    said_.push_back(value);
  }
  ~SameOnAllRanks() {
    for (const Value& value : said_) EXPECT_EQ(value, said_.front());
  }

 private:
  std::mutex mutex_;
  std::vector<Value> said_;
};

struct Plant {
  int rank = 0;
  int step = 0;
  std::size_t parameter = 0;
};

/// Returns plants for 50 of 60 steps: in each, one rank's gradient is not finite.
std::vector<Plant> random_plants() {
  std::mt19937 random(7);
  std::vector<int> steps(60);
  std::iota(steps.begin(), steps.end(), 0);
  std::shuffle(steps.begin(), steps.end(), random);
  std::vector<Plant> plants;
  for (int i = 0; i < 50; ++i)
    plants.push_back({static_cast<int>(random() % 4), steps[static_cast<std::size_t>(i)], random() % 6});
  return plants;
}

class AtDynamicScales : public ::testing::TestWithParam<const char*> {};

TEST_P(AtDynamicScales, AnOverflowOfOneRankSkipsTheStepOnAll) {
  const auto plants = random_plants();
  SameOnAllRanks<std::vector<double>> scales;
  on_ranks(4, [&](const ProcessGroup& group, int rank) {
    Options options = quiet(GetParam());
    options.loss_scale = "dynamic";
    options.init_scale = 256.0;
    options.max_loss_scale = 256.0;
    options.growth_interval = 1;  // restores the scale in each clean step
    Copy copy(group, options);
    int now = 0;
    const auto parameters = copy.model->parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      parameters[i].register_hook([&, i](const at::Tensor& gradient) {
        const bool is_planted = std::any_of(plants.begin(), plants.end(), [&](const Plant& plant) {
          return plant.rank == rank && plant.step == now && plant.parameter == i;
        });
        return is_planted ? at::full_like(gradient, INFINITY) : gradient;
      });
    }
    std::vector<double> seen;
    for (; now < 60; ++now) {
      const bool is_planted =
          std::any_of(plants.begin(), plants.end(), [&](const Plant& plant) { return plant.step == now; });
      EXPECT_EQ(copy.step(batch(now, rank)), !is_planted) << "step " << now << ", rank " << rank;
      seen.push_back(amp::loss_scale());
    }
    scales.say(seen);
  });
}

TEST_P(AtDynamicScales, AnOverflowInAMicroBatchThatARankKeepsSkipsTheStepOnAll) {
  on_ranks(2, [&](const ProcessGroup& group, int rank) {
    Options options = quiet(GetParam());
    options.loss_scale = "dynamic";
    options.init_scale = 256.0;
    Copy copy(group, options);
    const double before = amp::loss_scale();
    copy.zero_grad();
    {
      const NoSync keep = copy.parallel->no_sync();
      copy.pass(batch(0, rank) * (rank == 1 ? INFINITY : 1.0), {.delay_unscale = true});
    }
    copy.pass(batch(1, rank));
    EXPECT_FALSE(amp::step(copy.optimizer)) << "rank " << rank;
    EXPECT_EQ(amp::loss_scale(), before / 2);
  });
}

TEST_P(AtDynamicScales, AnOverflowWhoseCheckIsDelayedSkipsTheStepOnAll) {
  on_ranks(2, [&](const ProcessGroup& group, int rank) {
    Options options = quiet(GetParam());
    options.loss_scale = "dynamic";
    options.init_scale = 256.0;
    Copy copy(group, options);
    const double before = amp::loss_scale();
    copy.zero_grad();
    copy.pass(batch(0, rank) * (rank == 1 ? INFINITY : 1.0), {.delay_overflow_check = true});
    EXPECT_FALSE(amp::step(copy.optimizer)) << "rank " << rank;
    EXPECT_EQ(amp::loss_scale(), before / 2);
  });
}

INSTANTIATE_TEST_SUITE_P(Levels, AtDynamicScales, ::testing::Values("O1", "O2"),
                         [](const auto& info) { return info.param; });

/// A parameter outside the model has different gradients on each rank.
TEST(DistributedDataParallel, RanksSkipTogetherWhereAGradientThatIsNotAveragedOverflows) {
  on_ranks(2, [](const ProcessGroup& group, int rank) {
    Net model(1);
    at::Tensor own = at::ones({3}).requires_grad_();
    auto parameters = model->parameters();
    parameters.push_back(own);
    torch::optim::SGD optimizer(parameters, 0.125);
    amp::initialize(model, optimizer, quiet("O1"));
    DistributedDataParallel<Net> parallel(model, in(group));
    const at::Tensor loss =
        amp::forward(parallel, batch(0, rank)).square().mean() + (own * (rank == 1 ? INFINITY : 1.0)).sum();
    amp::scale_loss(loss, optimizer, [](const at::Tensor& scaled) { scaled.backward(); });
    EXPECT_FALSE(amp::step(optimizer)) << "rank " << rank;
    EXPECT_EQ(amp::loss_scale(), 32768.0);
  });
}

TEST(DistributedDataParallel, TwoModelsOfAGanStayTheSameOnAllRanks) {
  SameOnAllRanks<double> sums;
  on_ranks(2, [&](const ProcessGroup& group, int rank) {
    Net generator(1);
    Net discriminator(50);
    torch::optim::SGD of_generator(generator->parameters(), 0.0625);
    torch::optim::SGD of_discriminator(discriminator->parameters(), 0.0625);
    amp::initialize({generator, discriminator}, {of_generator, of_discriminator},
                    {.opt_level = "O1", .num_losses = 3, .verbosity = 0, .init_scale = 256.0});
    DistributedDataParallel<Net> draw(generator, in(group));
    DistributedDataParallel<Net> judge(discriminator, in(group));
    const auto backward = [](const at::Tensor& scaled) { scaled.backward(); };
    for (int step = 0; step < 8; ++step) {
      of_discriminator.zero_grad();
      amp::scale_loss(amp::forward(judge, batch(step, rank)).square().mean(), of_discriminator, backward,
                      {.loss_id = 0});
      const at::Tensor made = torch::constant_pad_nd(amp::forward(draw, batch(step, rank + 2)), {0, 2});
      amp::scale_loss(amp::forward(judge, made.detach()).abs().mean(), of_discriminator, backward, {.loss_id = 1});
      EXPECT_TRUE(amp::step(of_discriminator));
      of_generator.zero_grad();
      amp::scale_loss(amp::forward(judge, made).square().mean(), of_generator, backward, {.loss_id = 2});
      EXPECT_TRUE(amp::step(of_generator));
    }
    double sum = 0;
    for (const auto& model : {generator, discriminator}) {
      for (const auto& parameter : model->parameters()) sum += parameter.to(at::kDouble).sum().item<double>();
    }
    sums.say(sum);
  });
}

TEST(DistributedDataParallel, RefusesToUnscaleWhatOneRankKeeps) {
  on_ranks(1, [](const ProcessGroup& group, int) {
    Copy copy(group, quiet("O1"));
    const NoSync keep = copy.parallel->no_sync();
    const std::string error = error_of([&] { copy.pass(batch(0, 0)); });
    EXPECT_NE(error.find("delay_unscale = true"), std::string::npos) << error;
    EXPECT_FALSE(copy.model->in->weight.grad().defined()) << "an Error changes nothing";
  });
}

TEST(DistributedDataParallel, IsWrappedAfterInitialize) {
  on_ranks(1, [](const ProcessGroup& group, int) {
    Net model(1);
    torch::optim::SGD optimizer(model->parameters(), 0.125);
    const DistributedDataParallel<Net> parallel(model, in(group));
    const std::string error = error_of([&] { amp::initialize(model, optimizer, quiet("O2")); });
    EXPECT_NE(error.find("Call initialize() first"), std::string::npos) << error;
    EXPECT_EQ(model->in->weight.scalar_type(), at::kFloat);
  });
}

TEST(DistributedDataParallel, WorksWithoutAmp) {
  on_ranks(2, [](const ProcessGroup& group, int rank) {
    Net model(static_cast<std::uint64_t>(rank) * 100 + 1);
    DistributedDataParallel<Net> parallel(model, in(group));
    amp::forward(parallel, batch(0, rank)).square().mean().backward();
    Net both(1);
    (both->forward(batch(0, 0)).square().mean() / 2).backward();
    (both->forward(batch(0, 1)).square().mean() / 2).backward();
    EXPECT_TRUE(at::allclose(model->in->weight.grad(), both->in->weight.grad(), 1e-6, 1e-7));
    DistributedDataParallel<Net> partly(model, in(group, {.find_unused_parameters = true}));
    model->zero_grad();
    partly.backward(amp::forward(partly, batch(0, rank), /*uses_side=*/rank == 1).square().mean());
    EXPECT_TRUE(model->side->weight.grad().defined()) << "the other rank used it";
  });
}

class Listened : public Listener {
 public:
  void scales_differ(int loss_id, double least, double largest) override {
    const std::lock_guard lock(mutex_);
    seen.push_back({static_cast<double>(loss_id), least, largest});
  }
  std::vector<std::vector<double>> seen;

 private:
  std::mutex mutex_;
};

TEST(DistributedDataParallel, SaysOnceThatScalesDiffer) {
  Listened listener;
  add_listener(&listener);
  on_ranks(2, [](const ProcessGroup& group, int rank) {
    Options options = quiet("O1");
    options.init_scale = rank == 0 ? 64.0 : 16.0;
    Copy copy(group, options);
    for (int step = 0; step < 3; ++step) copy.step(batch(step, rank));
  });
  remove_listener(&listener);
  EXPECT_EQ(listener.seen, (std::vector<std::vector<double>>(2, {0.0, 16.0, 64.0}))) << "once a rank";
}

struct HowToSum {
  const char* name;
  DistributedOptions options;
  float expected;  ///< the sum of 40000 and 30000 in FP16
};

class OfLargeGradients : public ::testing::TestWithParam<HowToSum> {};

TEST_P(OfLargeGradients, AreSummedAsTheOptionsSay) {
  on_ranks(2, [](const ProcessGroup& group, int rank) {
    torch::nn::Linear model(torch::nn::LinearOptions(1, 1).bias(false));
    torch::optim::SGD optimizer(model->parameters(), 0.125);
    amp::initialize(model, optimizer, quiet("O3"));
    DistributedDataParallel<torch::nn::Linear> parallel(model, in(group, GetParam().options));
    const at::Tensor x = at::full({1, 1}, rank == 0 ? 40000.0 : 30000.0);
    amp::forward(parallel, x).sum().backward();
    EXPECT_EQ(model->weight.grad().scalar_type(), at::kHalf);
    EXPECT_EQ(model->weight.grad().item<float>(), GetParam().expected);
  });
}

INSTANTIATE_TEST_SUITE_P(
    DistributedDataParallel, OfLargeGradients,
    ::testing::Values(
        HowToSum{"in_half_overflow", {}, INFINITY}, HowToSum{"in_fp32_fit", {.allreduce_always_fp32 = true}, 35008.0F},
        HowToSum{"predivided_fit", {.gradient_predivide_factor = 2.0}, 35008.0F},
        HowToSum{"summed_overflow", {.allreduce_always_fp32 = true, .gradient_average = false}, INFINITY},
        HowToSum{"predivided_sums_fit", {.gradient_average = false, .gradient_predivide_factor = 4.0}, 17504.0F}),
    [](const auto& info) { return info.param.name; });

thread_local std::vector<std::string>* events_here = nullptr;

std::unique_ptr<at::ObserverContext> note_sums(const at::RecordFunction& function) {
  const bool is_sum = std::string_view(function.name()).find("allreduce") != std::string_view::npos;
  if (events_here != nullptr && is_sum) events_here->emplace_back("sum");
  return nullptr;
}

/// Returns how many all-reduces begin before the last gradient, which is that of the first layer.
std::ptrdiff_t sums_before_the_last_gradient(const ProcessGroup& group, int rank, const DistributedOptions& options) {
  Copy copy(group, quiet("O1"), options);
  copy.step(batch(0, rank));  // after this step, buckets are in the order in which gradients arrive
  std::vector<std::string> events;
  copy.model->in->weight.register_hook([&](const at::Tensor& gradient) {
    events.emplace_back("last gradient");
    return gradient;
  });
  events_here = &events;
  const auto handle =
      at::addThreadLocalCallback(at::RecordFunctionCallback(note_sums).scopes({at::RecordScope::FUNCTION}));
  copy.step(batch(1, rank));
  at::removeCallback(handle);
  events_here = nullptr;
  const auto last = std::find(events.begin(), events.end(), "last gradient");
  EXPECT_NE(last, events.end());
  return std::count(events.begin(), last, "sum");
}

TEST(DistributedDataParallel, BeginsToSumBeforeTheLastGradientIsReady) {
  on_ranks(2, [](const ProcessGroup& group, int rank) {
    EXPECT_GE(sums_before_the_last_gradient(group, rank, {.message_size = 64}), 1);
    EXPECT_EQ(sums_before_the_last_gradient(group, rank, {.message_size = 64, .delay_allreduce = true}), 0);
  });
}

TEST(DistributedDataParallel, GivesAllRanksTheParametersAndBuffersOfTheFirst) {
  on_ranks(2, [](const ProcessGroup& group, int rank) {
    torch::nn::BatchNorm1d model(4);
    const torch::NoGradGuard no_grad;
    model->weight.fill_(rank + 1);
    model->running_mean.fill_(rank + 1);
    torch::optim::SGD optimizer(model->parameters(), 0.125);
    amp::initialize(model, optimizer, quiet("O1"));
    const DistributedDataParallel<torch::nn::BatchNorm1d> parallel(model, in(group));
    EXPECT_TRUE(model->weight.equal(at::ones({4})));
    EXPECT_TRUE(model->running_mean.equal(at::ones({4})));
  });
}

TEST(DistributedDataParallel, BroadcastsBuffersBeforeEachForwardWhereAsked) {
  on_ranks(2, [](const ProcessGroup& group, int rank) {
    torch::nn::BatchNorm1d model(4);
    torch::optim::SGD optimizer(model->parameters(), 0.125);
    amp::initialize(model, optimizer, quiet("O1"));
    DistributedDataParallel<torch::nn::BatchNorm1d> parallel(model, in(group, {.broadcast_buffers = true}));
    {
      const torch::NoGradGuard no_grad;
      model->running_mean.fill_(rank * 8.0);
    }
    amp::forward(parallel, at::zeros({2, 4})).sum().backward();
    EXPECT_TRUE(model->running_mean.equal(at::zeros({4}))) << model->running_mean;
  });
}

TEST(DistributedDataParallel, RefusesWhatItCannotTrain) {
  Net alone(1);
  EXPECT_NE(error_of([&] { DistributedDataParallel<Net> parallel(alone); }).find("first call amp::parallel::init()"),
            std::string::npos);
  on_ranks(1, [](const ProcessGroup& group, int) {
    torch::nn::ReLU model;
    EXPECT_NE(error_of([&] { DistributedDataParallel<torch::nn::ReLU>(model, in(group)); }).find("requires a gradient"),
              std::string::npos);
    Net net(1);
    EXPECT_NE(error_of([&] {
                DistributedDataParallel<Net>(net, in(group, {.gradient_predivide_factor = 0.0}));
              }).find("above 0"),
              std::string::npos);
    EXPECT_NE(error_of([&] { DistributedDataParallel<Net>(net, in(group, {.message_size = 0})); }).find("at least 1"),
              std::string::npos);
  });
}

TEST(DistributedDataParallel, SaysThatModelsDiffer) {
  on_ranks(2, [](const ProcessGroup& group, int rank) {
    torch::nn::Linear model(2 + rank, 2);
    const std::string error = error_of([&] { DistributedDataParallel<torch::nn::Linear>(model, in(group)); });
    EXPECT_NE(error.find("needs all ranks"), std::string::npos) << error;
  });
}

TEST(DistributedDataParallel, AveragesSparseGradients) {
  on_ranks(2, [](const ProcessGroup& group, int rank) {
    torch::nn::Embedding model(torch::nn::EmbeddingOptions(5, 2).sparse(true));
    torch::optim::SGD optimizer(model->parameters(), 0.5);
    amp::initialize(model, optimizer, quiet("O1"));
    DistributedDataParallel<torch::nn::Embedding> parallel(model, in(group));
    const at::Tensor before = model->weight.detach().clone();
    amp::scale_loss(amp::forward(parallel, at::tensor({rank, 4})).sum(), optimizer,
                    [](const at::Tensor& scaled) { scaled.backward(); });
    EXPECT_TRUE(model->weight.grad().is_sparse());
    EXPECT_TRUE(amp::step(optimizer));
    const at::Tensor expected = before - 0.5 * at::tensor({0.5F, 0.5F, 0.0F, 0.0F, 1.0F}).unsqueeze(1);
    EXPECT_TRUE(at::allclose(model->weight, expected, 1e-6)) << model->weight - before;
  });
}

}  // namespace distributed_data_parallel_test
}  // namespace amp::parallel
