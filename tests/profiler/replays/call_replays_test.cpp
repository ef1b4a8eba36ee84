// SPDX-License-Identifier: Apache-2.0
// Follows whole training steps with a shadow, and compares the shadow with models that run in the shadow's precision.
#include "profiler/replays/call_replays.h"

#include <gtest/gtest.h>
#include <torch/library.h>
#include <torch/torch.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <ostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "amp_core/casts/casts.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "profiler/recorder/missing_notes.h"
#include "profiler/torch_hooks/observer_key.h"
#include "profiler/torch_hooks/torch_state.h"
#include "tests/exact_variant.h"

namespace ampprof::profiler {
namespace call_replays_test {

using at::Tensor;
namespace nn = torch::nn;

// The observer, without stages ----------------------------------------------------------------------------------------

struct Watch {
  variant::Variant* step = nullptr;
  std::atomic<std::int64_t> leaves = 0;
  MissingNotes missing;

  /// Returns the distinct reasons why ops were not followed.
  std::vector<std::string> missed() {
    std::vector<std::string> causes;
    for (const Missing& note : missing.take()) causes.push_back(note.cause);
    return causes;
  }
};
Watch g_watch;

void watch(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
  const auto below = keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, kObserverKey);
  if (is_inside_leaves()) return run_inner(op, below, *stack);
  const bool runs_backward = op.operator_name().name == "aten::_backward";
  if (g_watch.step == nullptr || runs_backward) return op.redispatchBoxed(below, stack);
  const bool is_backward = inside_backward();
  const std::string name = display_name(op.schema());
  const ReplayedFrom from{name, is_backward ? Phase::Backward : Phase::Forward};
  VariantLeaves leaves(*g_watch.step, g_watch.missing, from);
  run_in_leaves({&leaves}, op, below, *stack);
  g_watch.leaves += leaves.replayed();
}
TORCH_LIBRARY_IMPL(_, TESTING_ONLY_GenericMode, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&watch>());
}

/// Follows the ops of this thread until it is destroyed.
class Following {
 public:
  explicit Following(variant::Variant& step) {
    g_watch.step = &step;
    g_watch.leaves = 0;
    (void)g_watch.missed();
    observe_this_thread();
  }
  ~Following() {
    c10::impl::tls_set_dispatch_key_included(kObserverKey, false);
    g_watch.step = nullptr;
  }
  Following(const Following&) = delete;
  Following& operator=(const Following&) = delete;
};

Tensor of(variant::Variant& shadow, const Tensor& tensor) {
  const tensors::ObserverDisabledGuard guard;
  return shadow.memory().of(tensor);
}

/// Gives tensors shadow values equal to their own. Otherwise the ops of an FP32 run would not be followed, because the
/// run does not diverge.
void mark(variant::Variant& shadow, const std::vector<Tensor>& tensors) {
  const tensors::ObserverDisabledGuard guard;
  for (const Tensor& tensor : tensors) shadow.memory().to_write(tensor);
}

// Models --------------------------------------------------------------------------------------------------------------

/// A model, its input, and the computation of its loss.
struct Model {
  std::shared_ptr<nn::Module> module;
  std::function<Tensor(const Tensor& input)> loss;
  Tensor input;
};

struct ModelCase {
  const char* name;
  Model (*make)();
  /// True if a model entirely in FP64 gives the same results. False if the shadow uses integers of the run (argmax of a
  /// pool), random numbers are drawn, or an op exists only in FP32.
  bool equals_fp64;
  std::string missed = "";  ///< the op that the shadow cannot follow once the op's inputs diverge
};

void PrintTo(const ModelCase& model, std::ostream* out) { *out << model.name; }

Model perceptron() {
  nn::Sequential net(nn::Linear(12, 16), nn::Tanh(), nn::Linear(16, 5));
  return {net.ptr(), [net](const Tensor& x) mutable { return net->forward(x).square().mean(); }, at::randn({8, 12})};
}

Model convolutions() {
  nn::Sequential net(nn::Conv2d(nn::Conv2dOptions(3, 8, 3).padding(1)), nn::BatchNorm2d(8),
                     nn::ReLU(nn::ReLUOptions(true)), nn::Conv2d(nn::Conv2dOptions(8, 4, 3).stride(2)),
                     nn::BatchNorm2d(4), nn::Sigmoid(), nn::Flatten(), nn::Linear(4 * 3 * 3, 5));
  return {
      net.ptr(),
      [net](const Tensor& x) mutable { return torch::cross_entropy_loss(net->forward(x), at::arange(4, at::kLong)); },
      at::randn({4, 3, 8, 8})};
}

Model pooled_and_dropped() {
  nn::Sequential net(nn::Conv2d(nn::Conv2dOptions(3, 8, 3).padding(1)), nn::BatchNorm2d(8), nn::ReLU(),
                     nn::MaxPool2d(2), nn::Dropout(0.3), nn::Flatten(), nn::Linear(8 * 4 * 4, 5));
  return {
      net.ptr(),
      [net](const Tensor& x) mutable { return torch::cross_entropy_loss(net->forward(x), at::arange(4, at::kLong)); },
      at::randn({4, 3, 8, 8})};
}

/// A model with views, slices written in place, detached tensors, lists, and .data().
Model sliced() {
  nn::Sequential net(nn::Linear(12, 12));
  const auto loss = [net](const Tensor& x) mutable {
    Tensor y = net->forward(x).clone();
    y.slice(0, 1, 3).mul_(0.3);
    y.select(1, 2).add_(y.select(1, 3).detach());
    const auto parts = y.chunk(3, 1);
    const Tensor joined = at::cat({parts[2], parts[0].t().contiguous().t(), parts[1].exp()}, 1);
    const auto rows = joined.split(2, 0);
    const Tensor scale = net->parameters().front().variable_data().abs().mean();
    const Tensor table = at::zeros({2, 12}, x.options());
    table.copy_(rows.front().detach());
    return (at::stack({rows.front(), table}).mean() / scale + rows.back().view({-1}).square().sum()) * 0.1;
  };
  return {net.ptr(), loss, at::randn({8, 12})};
}

Model recurrent() {
  nn::LSTM net(nn::LSTMOptions(6, 7).num_layers(2));
  return {net.ptr(), [net](const Tensor& x) mutable { return std::get<0>(net->forward(x)).square().mean(); },
          at::randn({5, 3, 6})};
}

Model attention() {
  nn::TransformerEncoderLayer net(nn::TransformerEncoderLayerOptions(8, 2).dim_feedforward(16).dropout(0.1));
  return {net.ptr(), [net](const Tensor& x) mutable { return net->forward(x).square().sum(-1).sqrt().mean(); },
          at::randn({5, 3, 8})};
}

const ModelCase kModels[]{
    {"perceptron", &perceptron, true},
    {"convolutions", &convolutions, true},
    {"pooled_and_dropped", &pooled_and_dropped, false},
    {"sliced", &sliced, true},
    {"recurrent", &recurrent, false,
     "mkldnn_rnn_layer_backward: it reads a buffer that the forward op laid out for its own type"},
    {"attention", &attention, false},
};

struct Optimizer {
  const char* name;
  std::unique_ptr<torch::optim::Optimizer> (*make)(std::vector<Tensor> parameters);
};

const Optimizer kOptimizers[]{
    {"sgd",
     [](std::vector<Tensor> parameters) -> std::unique_ptr<torch::optim::Optimizer> {
       return std::make_unique<torch::optim::SGD>(parameters,
                                                  torch::optim::SGDOptions(0.05).momentum(0.9).weight_decay(1e-3));
     }},
    {"adam",
     [](std::vector<Tensor> parameters) -> std::unique_ptr<torch::optim::Optimizer> {
       return std::make_unique<torch::optim::Adam>(parameters, torch::optim::AdamOptions(0.01).amsgrad(true));
     }},
};

void train(const Model& model, torch::optim::Optimizer& optimizer, int steps) {
  for (int step = 0; step < steps; ++step) {
    optimizer.zero_grad(/*set_to_none=*/step % 2 == 0);
    model.loss(model.input).backward();
    optimizer.step();
  }
}

std::vector<Tensor> state_of(const Model& model) {
  std::vector<Tensor> state = model.module->parameters();
  for (const auto& buffer : model.module->named_buffers()) {
    if (!buffer.key().ends_with("num_batches_tracked")) state.push_back(buffer.value());
  }
  return state;
}

// The same precision --------------------------------------------------------------------------------------------------

class OfAModel : public testing::TestWithParam<std::tuple<ModelCase, Optimizer>> {
 protected:
  static Model make() {
    torch::manual_seed(11);
    return std::get<0>(GetParam()).make();
  }
  static auto optimizer_for(const Model& model) { return std::get<1>(GetParam()).make(model.module->parameters()); }
};

TEST_P(OfAModel, AnFp32ShadowOfAnFp32RunIsBitIdenticalToIt) {
  const Model model = make();
  const auto optimizer = optimizer_for(model);
  ExactVariant shadow(at::kFloat);
  mark(shadow, state_of(model));
  mark(shadow, {model.input});
  {
    const Following following(shadow);
    train(model, *optimizer, 4);
  }
  const std::string& may_miss = std::get<0>(GetParam()).missed;
  const std::vector<std::string> all_missed = g_watch.missed();
  for (const std::string& missed : all_missed) EXPECT_EQ(missed, may_miss);
  EXPECT_EQ(all_missed.empty(), may_miss.empty());
  EXPECT_GT(g_watch.leaves, 40);
  for (const Tensor& tensor : state_of(model)) {
    const Tensor counterpart = of(shadow, tensor);
    ASSERT_TRUE(counterpart.defined());
    EXPECT_TRUE(at::equal(counterpart, tensor));
  }
}

TEST_P(OfAModel, TheRunIsTheSameWithAndWithoutIt) {
  const Model plain = make();
  const auto optimizer = optimizer_for(plain);
  train(plain, *optimizer, 3);
  const Tensor random = at::detail::getDefaultCPUGenerator().get_state();

  const Model followed = make();
  const auto again = optimizer_for(followed);
  ExactVariant shadow(at::kDouble);
  {
    const Following following(shadow);
    train(followed, *again, 3);
  }
  const auto expected = state_of(plain);
  const auto state = state_of(followed);
  for (std::size_t i = 0; i < state.size(); ++i) EXPECT_TRUE(at::equal(state[i], expected[i])) << i;
  EXPECT_TRUE(at::equal(at::detail::getDefaultCPUGenerator().get_state(), random));
}

TEST_P(OfAModel, AnFp64ShadowOfAnFp32RunIsTheFp64Model) {
  if (!std::get<0>(GetParam()).equals_fp64) GTEST_SKIP() << "its FP64 twin takes other decisions";
  const Model model = make();
  const auto optimizer = optimizer_for(model);
  ExactVariant shadow(at::kDouble);
  {
    const Following following(shadow);
    train(model, *optimizer, 4);
  }
  EXPECT_EQ(g_watch.missed(), std::vector<std::string>{});

  Model twin = make();
  twin.module->to(at::kDouble);
  twin.input = twin.input.to(at::kDouble);
  const auto of_twin = optimizer_for(twin);
  train(twin, *of_twin, 4);
  const auto state = state_of(model);
  const auto expected = state_of(twin);
  for (std::size_t i = 0; i < state.size(); ++i) {
    ASSERT_TRUE(of(shadow, state[i]).defined()) << i;
    EXPECT_TRUE(at::equal(of(shadow, state[i]), expected[i])) << i;
    EXPECT_FALSE(at::equal(state[i].to(at::kDouble), expected[i])) << "nothing to tell apart";
  }
}

INSTANTIATE_TEST_SUITE_P(Shadow, OfAModel, testing::Combine(testing::ValuesIn(kModels), testing::ValuesIn(kOptimizers)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) + "_" + std::get<1>(info.param).name;
                         });

// Half runs -----------------------------------------------------------------------------------------------------------

/// Loss and gradients of the FP32 model, the reference for the model in half.
struct Truth {
  Tensor loss;
  std::vector<Tensor> gradients;
};

Truth truth_of(Model (*make)()) {
  torch::manual_seed(11);
  const Model model = make();
  Truth truth{model.loss(model.input), {}};
  truth.loss.backward();
  for (const Tensor& parameter : model.module->parameters()) truth.gradients.push_back(parameter.grad());
  return truth;
}

void expect_equal(variant::Variant& shadow, const Tensor& loss, const Model& model, const Truth& truth) {
  EXPECT_EQ(g_watch.missed(), std::vector<std::string>{});
  EXPECT_NE(loss.item<double>(), truth.loss.item<double>()) << "nothing was rounded";
  EXPECT_EQ(of(shadow, loss).item<double>(), truth.loss.item<double>());
  const auto parameters = model.module->parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    EXPECT_FALSE(at::equal(parameters[i].grad().to(at::kFloat), truth.gradients[i])) << i;
    EXPECT_TRUE(at::equal(of(shadow, parameters[i].grad()), truth.gradients[i])) << i;
  }
}

TEST(ShadowOfAHalfRun, AtO1IsTheFp32Model) {
  for (const auto make : {&perceptron, &sliced}) {
    const Truth truth = truth_of(make);
    torch::manual_seed(11);
    const Model model = make();
    ExactVariant shadow(at::kFloat);
    Tensor loss;
    amp::enable_casts_on_this_thread();
    {
      const Following following(shadow);
      loss = model.loss(model.input);
      loss.backward();
    }
    amp::disable_casts_on_this_thread();
    expect_equal(shadow, loss, model, truth);
  }
}

TEST(ShadowOfAHalfRun, AtO2IsTheFp32ModelOnTheMasters) {
  const Truth truth = truth_of(&perceptron);
  torch::manual_seed(11);
  const Model model = perceptron();
  ExactVariant shadow(at::kFloat);
  std::vector<Tensor> masters;
  for (Tensor& parameter : model.module->parameters()) {
    masters.push_back(parameter.detach());
    parameter.set_data(parameter.detach().to(at::kHalf));
    shadow.memory().link(parameter, masters.back());
  }
  Tensor loss;
  {
    const Following following(shadow);
    loss = model.loss(model.input.to(at::kHalf));
    loss.backward();
  }
  expect_equal(shadow, loss, model, truth);
}

// Ops that call ops ---------------------------------------------------------------------------------------------------

TEST(CallReplays, FollowsTheCastsThatAutocastPutsBeforeALeaf) {
  const Tensor weight = at::randn({6, 6}).requires_grad_();
  const Tensor x = at::randn({4, 6}).requires_grad_();
  ExactVariant shadow(at::kFloat);
  amp::enable_casts_on_this_thread();
  {
    const Following following(shadow);
    at::mm(x, weight).sum().backward();
  }
  amp::disable_casts_on_this_thread();
  const Tensor ones = at::ones({4, 6});
  EXPECT_TRUE(at::equal(of(shadow, x.grad()), ones.mm(weight.detach().t()))) << "backward must not see a half weight";
  EXPECT_FALSE(at::equal(x.grad(), ones.mm(weight.detach().t())));
}

TEST(CallReplays, LeavesTheThreadAsItWasWhenAnOpThrows) {
  ExactVariant shadow(at::kDouble);
  const Following following(shadow);
  const Tensor a = at::ones({2, 3});
  EXPECT_THROW(at::matmul(a, a), c10::Error);
  EXPECT_FALSE(is_inside_leaves());
  EXPECT_EQ(of(shadow, at::matmul(a, a.t())).sum().item<double>(), 12);
}

// Memory and threads --------------------------------------------------------------------------------------------------

TEST(ShadowOfASteadyRun, StaysAsLargeAsItWas) {
  torch::manual_seed(11);
  const Model model = convolutions();
  torch::optim::SGD optimizer(model.module->parameters(), 0.05);
  ExactVariant shadow(at::kDouble);
  std::size_t early = 0;
  std::int64_t early_bytes = 0;
  for (int step = 0; step < 100; ++step) {
    {
      const Following following(shadow);
      train(model, optimizer, 1);
    }
    if (step < 10) {
      early = std::max(early, shadow.memory().size());
      early_bytes = std::max(early_bytes, shadow.memory().bytes());
    } else {
      ASSERT_LE(shadow.memory().size(), early) << step;
      ASSERT_LE(shadow.memory().bytes(), early_bytes) << step;
    }
  }
  EXPECT_LT(early, 60u) << "between steps, parameters, buffers and gradients are left";
}

TEST(ShadowOfThreads, EachTrainsAsItWouldAlone) {
  ExactVariant shadow(at::kDouble);
  const Following following(shadow);
  // The model draws no random numbers: threads with a common generator would draw in a different order each time.
  std::vector<nn::Sequential> nets;
  for (int i = 0; i < 3; ++i) nets.emplace_back(nn::Linear(12, 16), nn::Tanh(), nn::Linear(16, 5));
  const auto work = [&](nn::Sequential& net, std::vector<Tensor>& state) {
    observe_this_thread();
    {
      const torch::NoGradGuard no_grad;
      for (Tensor& parameter : net->parameters())
        parameter.fill_(0.01).add_(at::arange(parameter.numel()).view_as(parameter), 1e-3);
    }
    torch::optim::SGD optimizer(net->parameters(), 0.05);
    for (int step = 0; step < 20; ++step) {
      optimizer.zero_grad();
      net->forward(at::ones({3, 12}) * 0.1).square().mean().backward();
      optimizer.step();
    }
    for (const Tensor& parameter : net->parameters()) state.push_back(of(shadow, parameter).clone());
  };
  std::vector<Tensor> alone, first, second;
  work(nets[0], alone);
  std::thread one([&] { work(nets[1], first); });
  std::thread two([&] { work(nets[2], second); });
  one.join();
  two.join();
  ASSERT_EQ(first.size(), alone.size());
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_TRUE(at::equal(first[i], alone[i])) << i;
    EXPECT_TRUE(at::equal(second[i], alone[i])) << i;
  }
}

/// Fails like a GPU without free memory.
struct NoMemory final : reference::Exact {
  NoMemory() : Exact(at::kFloat) {}
  bool computes(const c10::OperatorHandle& op) const override { return op.operator_name().name == "aten::mm"; }
  void compute(const reference::ReplayedCall&, std::vector<Tensor>&) override { throw std::runtime_error("no memory"); }
};

TEST(CallReplays, IsLostWhereFollowingItFailed) {
  NoMemory none;
  variant::Variant shadow(none);
  const Tensor x = at::randn({4, 4});
  mark(shadow, {x});
  Tensor of_mm, beside;
  {
    const Following following(shadow);
    of_mm = x.mm(x).mul(2);
    beside = x.add(1);
  }
  EXPECT_FALSE(shadow.of(of_mm).defined());
  EXPECT_TRUE(shadow.of(beside).defined());
  EXPECT_EQ(g_watch.missed(), std::vector<std::string>{"mm: no memory"});
}

}  // namespace call_replays_test
}  // namespace ampprof::profiler
