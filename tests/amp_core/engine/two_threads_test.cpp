// SPDX-License-Identifier: Apache-2.0
// Compares two threads that train at different levels in one process with the same two trainings one after the other.
// `make tsan` runs this under ThreadSanitizer.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <thread>

#include "amp_core/amp.h"
#include "amp_core/base/listener.h"

namespace amp {
namespace two_threads_test {

struct NetImpl : torch::nn::Module {
  NetImpl() {
    const torch::NoGradGuard no_grad;
    float value = 0;
    for (at::Tensor& parameter : parameters()) parameter.fill_(value += 0.125F);
  }
  at::Tensor forward(const at::Tensor& x) { return out->forward(torch::relu(in->forward(x))); }

  torch::nn::Linear in = register_module("in", torch::nn::Linear(4, 8));
  torch::nn::Linear out = register_module("out", torch::nn::Linear(8, 2));
};
TORCH_MODULE(Net);

struct Trained {
  std::vector<at::Tensor> weights;
  double scale = 0;
};

Trained train(const std::string& level, const std::string& fp32_function) {
  Net net;
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.0625).momentum(0.5));
  if (!fp32_function.empty()) register_float_function(fp32_function);
  initialize(net, optimizer, {.opt_level = level, .loss_scale = "dynamic", .verbosity = 0, .growth_interval = 5});
  for (int i = 0; i < 40; ++i) {
    optimizer.zero_grad();
    const at::Tensor x = torch::full({2, 4}, 0.5 + 0.125 * (i % 3));
    const at::Tensor loss = torch::log_softmax(forward(net, x), 1).pow(2).mean();
    scale_loss(loss, optimizer, [&](const at::Tensor& scaled) {
      scaled.backward();
      if (i % 11 == 3) net->in->weight.mutable_grad()[0][0] = NAN;
    });
    EXPECT_EQ(step(optimizer), i % 11 != 3);
  }
  Trained trained;
  for (const auto& parameter : net->parameters()) trained.weights.push_back(parameter.detach().clone());
  trained.scale = loss_scale();
  shutdown();
  return trained;
}

struct Pair {
  const char* first;
  const char* second;
};

void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.first << "_and_" << pair.second; }

class TwoThreads : public testing::TestWithParam<Pair> {};

TEST_P(TwoThreads, TrainAsEachDoesAlone) {
  const Pair levels = GetParam();
  const Trained first_alone = train(levels.first, "");
  const Trained second_alone = train(levels.second, levels.second == std::string("O1") ? "linear" : "");
  for (int repeat = 0; repeat < 3; ++repeat) {
    Trained first;
    Trained second;
    std::thread one([&] { first = train(levels.first, ""); });
    std::thread other([&] { second = train(levels.second, levels.second == std::string("O1") ? "linear" : ""); });
    one.join();
    other.join();
    EXPECT_EQ(first.scale, first_alone.scale);
    EXPECT_EQ(second.scale, second_alone.scale);
    for (std::size_t i = 0; i < first.weights.size(); ++i) {
      EXPECT_TRUE(at::allclose(first.weights[i], first_alone.weights[i], 0, 0, /*equal_nan=*/true)) << i;
      EXPECT_TRUE(at::allclose(second.weights[i], second_alone.weights[i], 0, 0, /*equal_nan=*/true)) << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, TwoThreads,
                         testing::Values(Pair{"O1", "O1"}, Pair{"O1", "O2"}, Pair{"O2", "O3"}, Pair{"O0", "O1"},
                                         Pair{"O2", "O2"}),
                         [](const auto& info) { return std::string(info.param.first) + "And" + info.param.second; });

TEST(TwoThreads, ListenersMayComeAndGoMeanwhile) {
  struct Counter : Listener {
    void scale_updated(int, double, double, bool) override { ++updates; }
    std::atomic<int> updates = 0;
  };
  std::thread training([] { static_cast<void>(train("O2", "")); });
  // A listener must outlive its removal, because a snapshot may still hold it.
  Counter counter;
  for (int i = 0; i < 200; ++i) {
    add_listener(&counter);
    std::this_thread::yield();
    remove_listener(&counter);
  }
  training.join();
  EXPECT_LE(counter.updates, 40);
}

}  // namespace two_threads_test
}  // namespace amp
