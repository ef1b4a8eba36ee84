// SPDX-License-Identifier: Apache-2.0
// Tests that 10,000 steps need no more memory than 1,000: no cache, map or list of the engine may grow with the steps.
#include <gtest/gtest.h>
#include <malloc.h>
#include <torch/torch.h>

#include <string>

#include "amp_core/amp.h"
#include "tests/repetitions.h"

namespace amp {
namespace memory_growth_test {

/// Returns the bytes that the program has allocated and not freed.
std::size_t bytes_in_use() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

struct NetImpl : torch::nn::Module {
  at::Tensor forward(const at::Tensor& x) { return out->forward(torch::relu(norm->forward(in->forward(x)))); }

  torch::nn::Linear in = register_module("in", torch::nn::Linear(4, 4));
  torch::nn::BatchNorm1d norm = register_module("norm", torch::nn::BatchNorm1d(4));
  torch::nn::Linear out = register_module("out", torch::nn::Linear(4, 2));
};
TORCH_MODULE(Net);

class MemoryGrowth : public testing::TestWithParam<const char*> {
 protected:
  void TearDown() override { shutdown(); }
};

/// Runs two passes in a step. In every other step, the first one delays unscaling; every seventh step overflows.
void train_step(int number, Net& net, torch::optim::Optimizer& optimizer, const at::Tensor& x) {
  optimizer.zero_grad();
  const auto pass = [&](bool is_delayed, bool overflows) {
    const at::Tensor loss = torch::softmax(forward(net, x), 1).pow(2).sum();
    const auto backward = [&](const at::Tensor& scaled) {
      scaled.backward();
      if (overflows) net->in->weight.mutable_grad()[0][0] = INFINITY;
    };
    scale_loss(loss, optimizer, backward, {.delay_unscale = is_delayed});
  };
  pass(number % 2 == 0, false);
  pass(false, number % 7 == 0);
  step(optimizer);
  if (number % 100 == 0) static_cast<void>(forward(net, x));  // a forward pass without backward
}

TEST_P(MemoryGrowth, IsNoneOver10000Steps) {
  // O1 also caches casts, and O2 has masters. O0 and O3 keep no state beyond what these levels keep.
  const std::string level = GetParam();
  if (level == "O0" || level == "O3") AMPPROF_REPETITION();
  torch::manual_seed(1);
  at::set_num_threads(1);  // a step is too small for several threads
  Net net;
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(1e-3).momentum(0.5));
  initialize(net, optimizer, {.opt_level = GetParam(), .verbosity = 0, .min_loss_scale = 1.0});
  const at::Tensor x = torch::randn({4, 4});
  for (int i = 1; i <= 1000; ++i) train_step(i, net, optimizer, x);
  const std::size_t after_1000 = bytes_in_use();
  for (int i = 1; i <= 9000; ++i) train_step(i, net, optimizer, x);
  const std::size_t after_10000 = bytes_in_use();
  RecordProperty("bytes_after_1000", std::to_string(after_1000));
  RecordProperty("bytes_after_10000", std::to_string(after_10000));
  // If each step kept a pointer, 9,000 steps would need 72,000 bytes. The allocator's own bookkeeping takes some
  // hundreds.
  EXPECT_LT(after_10000, after_1000 + 16384) << after_1000 << " bytes after 1,000 steps";
}

INSTANTIATE_TEST_SUITE_P(Levels, MemoryGrowth, testing::Values("O0", "O1", "O2", "O3"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace memory_growth_test
}  // namespace amp
