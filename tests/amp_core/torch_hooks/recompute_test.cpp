// SPDX-License-Identifier: Apache-2.0
// Tests activation checkpointing under O1: recomputed ops are cast as in the first forward, and backward's own ops are
// not cast.
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/sgd.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <thread>

#include "amp_core/amp.h"
#include "amp_core/base/listener.h"
#include "amp_core/casts/thread_casts.h"
#include "tests/amp_core/casts/in_force.h"
#include "tests/amp_core/torch_hooks/checkpointed.h"

namespace amp {
namespace recompute_test {

using torch::kFloat;
using torch::kHalf;

at::Tensor weight(std::uint64_t seed) {
  torch::manual_seed(seed);
  return (torch::randn({8, 8}) / 4).requires_grad_();
}

/// Two products with FP32 functions between them. Records each result, so that runs can be compared.
struct Block {
  at::Tensor operator()(const at::Tensor& x) {
    const at::Tensor hidden = torch::softmax(torch::linear(x, first), -1);
    at::Tensor y = torch::linear(hidden, second);
    seen.insert(seen.end(), {hidden.detach(), y.detach()});
    return y;
  }

  at::Tensor first = weight(1);
  at::Tensor second = weight(2);
  std::vector<at::Tensor> seen = {};
};

/// Expects the second half of the results to equal the first half, bit by bit.
void expect_second_half_repeats(const std::vector<at::Tensor>& seen, std::size_t runs_of_block) {
  ASSERT_EQ(seen.size(), 2 * runs_of_block);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const at::Tensor& first = seen[i % 2];
    EXPECT_EQ(seen[i].scalar_type(), first.scalar_type()) << "run " << i / 2;
    EXPECT_TRUE(at::equal(seen[i], first)) << "run " << i / 2;
  }
}

at::Tensor input() {
  torch::manual_seed(3);
  return torch::randn({4, 8}).requires_grad_();
}

struct CountCasts : Listener {
  CountCasts() { add_listener(this); }
  ~CountCasts() override { remove_listener(this); }
  void cast_inserted(const InsertedCast& cast) override { count += cast.cache_hit ? 0 : 1; }
  int count = 0;
};

/// A way to checkpoint a block, and the number of times that the block runs in forward and backward together.
struct Wrapped {
  const char* name;
  at::Tensor (*run)(const Part& part, const at::Tensor& x);
  std::size_t runs;
};

void PrintTo(const Wrapped& wrapped, std::ostream* out) { *out << wrapped.name; }

at::Tensor once(const Part& part, const at::Tensor& x) { return checkpointed(part, x); }
at::Tensor once_with_scope(const Part& part, const at::Tensor& x) { return checkpointed(part, x, true); }
at::Tensor nested(const Part& part, const at::Tensor& x) {
  return checkpointed([&part](const at::Tensor& y) { return checkpointed(part, y, true); }, x, true);
}
at::Tensor nested_thrice(const Part& part, const at::Tensor& x) {
  return checkpointed([&part](const at::Tensor& y) { return nested(part, y); }, x, true);
}

class Recompute : public testing::TestWithParam<Wrapped> {};

TEST_P(Recompute, GivesTheSameBitsAndTheSameGradients) {
  for (const char* policy : {"", "low_type bf16", "softmax fp16", "linear fp32"}) {
    SCOPED_TRACE(policy);
    const InForce casts(policy);
    Block plain;
    const at::Tensor x = input();
    plain(x).to(kFloat).pow(2).sum().backward();
    Block again;
    const at::Tensor same_x = input();
    const Part part = [&again](const at::Tensor& y) { return again(y); };
    GetParam().run(part, same_x).to(kFloat).pow(2).sum().backward();
    expect_second_half_repeats(again.seen, GetParam().runs);
    EXPECT_TRUE(at::equal(again.seen[1], plain.seen[1]));
    EXPECT_TRUE(at::equal(again.first.grad(), plain.first.grad()));
    EXPECT_TRUE(at::equal(again.second.grad(), plain.second.grad()));
    EXPECT_TRUE(at::equal(same_x.grad(), x.grad()));
  }
}

const Wrapped kWrapped[]{{"once", once, 2},
                         {"once_with_scope", once_with_scope, 2},
                         {"nested", nested, 3},
                         {"nested_thrice", nested_thrice, 4}};

INSTANTIATE_TEST_SUITE_P(Checkpoints, Recompute, testing::ValuesIn(kWrapped),
                         [](const auto& info) { return info.param.name; });

TEST(Recomputation, KeepsPartsWithoutGradientsInAScope) {
  const InForce casts;
  Block block;
  Block teacher;
  const Part part = [&](const at::Tensor& x) {
    const torch::NoGradGuard no_grad;
    const at::Tensor target = teacher(x);
    const at::AutoGradMode with_gradients(true);
    return block(x) - target;
  };
  checkpointed(part, input(), /*has_scope=*/true).to(kFloat).sum().backward();
  expect_second_half_repeats(teacher.seen, 2);
  expect_second_half_repeats(block.seen, 2);
}

TEST(Recomputation, LeavesDisabledPartsDisabled) {
  const InForce casts;
  Block block;
  const Part part = [&](const at::Tensor& x) {
    const DisableCasts off;
    return block(x);
  };
  checkpointed(part, input()).sum().backward();
  EXPECT_EQ(block.seen.at(3).scalar_type(), kFloat);
  expect_second_half_repeats(block.seen, 2);
}

TEST(Recomputation, LeavesBackwardsOwnProductsAlone) {
  const InForce casts;
  Block block;
  CountCasts counted;
  const at::Tensor y = checkpointed([&block](const at::Tensor& x) { return block(x); }, input());
  const int in_forward = std::exchange(counted.count, 0);
  y.to(kFloat).sum().backward();
  EXPECT_EQ(counted.count, in_forward) << "recomputation casts as often as forward, and backward not at all";
}

/// An autograd function whose backward multiplies in FP32 where O1 would multiply in half.
struct OwnProduct : torch::autograd::Function<OwnProduct> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x) {
    context->save_for_backward({x});
    return x * 2;
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    seen = torch::mm(gradients.front(), context->get_saved_variables().front()).scalar_type();
    return {gradients.front() * 2};
  }
  static inline at::ScalarType seen = at::kInt;
};

TEST(Recomputation, IsNotABackwardThatRecordsGradientsForASecondOne) {
  const InForce casts;
  CountCasts counted;
  const at::Tensor x = torch::ones({8, 8}).requires_grad_();
  const at::Tensor w = weight(1);
  const at::Tensor loss = torch::softmax(torch::linear(OwnProduct::apply(x), w), -1).pow(2).sum();
  counted.count = 0;
  const at::Tensor gradient = torch::autograd::grad({loss}, {x}, {}, std::nullopt, /*create_graph=*/true).front();
  EXPECT_EQ(OwnProduct::seen, kFloat);
  EXPECT_EQ(counted.count, 0) << "backward's own products were cast";
  gradient.to(kFloat).pow(2).sum().backward();
  EXPECT_EQ(counted.count, 0) << "the second backward was cast";
  EXPECT_TRUE(w.grad().isfinite().all().item<bool>());
}

TEST(Recomputation, IsKnownInAScopeWhereEveryNodeRecordsGradients) {
  const InForce casts;
  Block block;
  const at::Tensor x = input();
  const at::Tensor y = checkpointed([&block](const at::Tensor& z) { return block(z); }, x, /*has_scope=*/true);
  y.to(kFloat).pow(2).sum().backward({}, /*retain_graph=*/true, /*create_graph=*/true);
  expect_second_half_repeats(block.seen, 2);
}

TEST(Recomputation, LeavesNoCopyBehindThatAnUpdateWouldMakeStale) {
  const InForce casts;
  const at::Tensor w = weight(1);
  const at::Tensor x = input();
  const at::Tensor y = x * 2;
  // The hook runs a recomputed forward, but no backward through it follows.
  y.register_hook([&](const at::Tensor&) {
    const at::AutoGradMode records_gradients(true);
    torch::linear(x, w);
  });
  y.sum().backward();
  w.data().mul_(2);  // does not change the version counter, like LibTorch's optimizers
  const at::Tensor seen = torch::linear(x, w);
  EXPECT_TRUE(at::equal(seen, torch::linear(x.to(kHalf), w.to(kHalf))));
}

TEST(Recomputation, CastsAWeightOncePerNode) {
  const InForce casts;
  const at::Tensor w = weight(1);
  CountCasts counted;
  const Part part = [&w](const at::Tensor& x) { return torch::linear(torch::linear(torch::linear(x, w), w), w); };
  const at::Tensor y = checkpointed(part, input());
  counted.count = 0;
  y.to(kFloat).sum().backward();
  EXPECT_EQ(counted.count, 2) << "the input and the weight";
  EXPECT_LE(casts_of_thread().recompute_cache.size(), 1U);
}

TEST(Recomputation, OnAThreadOfAutogradsOwnCastsAsTheThreadOfForward) {
  const InForce casts("low_type bf16");
  Block block;
  std::vector<std::thread::id> threads;
  Part part = [&](const at::Tensor& x) {
    threads.push_back(std::this_thread::get_id());
    const at::Tensor y = block(x);
    const DisableCasts off;
    EXPECT_EQ(torch::linear(x.to(kFloat), block.first).scalar_type(), kFloat);
    return y;
  };
  // Autograd moves a backward pass to another thread when 60 are nested.
  for (int depth = 0; depth < 64; ++depth) {
    part = [inner = part](const at::Tensor& x) { return checkpointed(inner, x, true); };
  }
  part(input()).to(kFloat).sum().backward();
  EXPECT_NE(threads.back(), std::this_thread::get_id()) << "all on one thread: this test shows nothing";
  expect_second_half_repeats(block.seen, threads.size());
}

TEST(Recomputation, KnowsForwardCalledInsideANode) {
  torch::nn::Linear model(8, 8);
  std::vector<bool> seen;
  const at::Tensor x = input();
  const at::Tensor y = x * 2;
  y.register_hook([&](const at::Tensor&) {
    forward(model, x);
    seen.push_back(recomputes_forward());
    const RecomputeScope again;
    seen.push_back(recomputes_forward());
    const torch::NoGradGuard no_grad;
    seen.push_back(recomputes_forward());
  });
  const RecomputeScope outside;
  EXPECT_FALSE(recomputes_forward());
  y.sum().backward();
  EXPECT_EQ(seen, (std::vector<bool>{false, true, true}));
}

// ---- with the engine ------------------------------------------------------------------------------------------------

struct Net : torch::nn::Module {
  explicit Net(bool checkpoints) : is_checkpointed(checkpoints) {
    torch::manual_seed(5);
    register_module("first", first = torch::nn::Linear(8, 16));
    register_module("second", second = torch::nn::Linear(16, 8));
    register_module("head", head = torch::nn::Linear(8, 1));
  }
  at::Tensor forward(const at::Tensor& x) {
    const Part part = [this](const at::Tensor& y) { return second(torch::gelu(first(y))); };
    return head(is_checkpointed ? checkpointed(part, x) : part(x));
  }
  torch::nn::Linear first = nullptr;
  torch::nn::Linear second = nullptr;
  torch::nn::Linear head = nullptr;
  bool is_checkpointed;
};

std::vector<at::Tensor> trained(const char* level, bool checkpoints) {
  const auto net = std::make_shared<Net>(checkpoints);
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
  initialize(net, optimizer, {.opt_level = level, .verbosity = 0});
  for (int step = 0; step < 6; ++step) {
    torch::manual_seed(static_cast<std::uint64_t>(step));
    const at::Tensor x = torch::randn({4, 8}).requires_grad_();
    optimizer.zero_grad();
    const at::Tensor loss = amp::forward(net, x).to(kFloat).pow(2).mean();
    scale_loss(loss, optimizer, [](const at::Tensor& scaled) { scaled.backward(); });
    amp::step(optimizer);
  }
  shutdown();
  return net->parameters();
}

TEST(Recomputation, TrainsTheSameModelAtEveryLevel) {
  for (const char* level : {"O0", "O1", "O2", "O3"}) {
    const auto plain = trained(level, false);
    const auto again = trained(level, true);
    for (std::size_t i = 0; i < plain.size(); ++i) {
      EXPECT_TRUE(at::equal(plain[i], again[i])) << level << ", parameter " << i;
    }
  }
}

}  // namespace recompute_test
}  // namespace amp
