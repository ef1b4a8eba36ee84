// SPDX-License-Identifier: Apache-2.0
#include "amp_core/casts/casts.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <map>
#include <thread>

#include "amp_core/base/listener.h"
#include "amp_core/casts/thread_casts.h"

namespace amp {
namespace casts_test {

using torch::kFloat;
using torch::kHalf;
namespace F = torch::nn::functional;

/// Enables casts on this thread until it is destroyed.
struct O1 {
  O1() { enable_casts_on_this_thread(); }
  ~O1() { disable_casts_on_this_thread(); }
  O1(const O1&) = delete;
  O1& operator=(const O1&) = delete;
};

struct OpCase {
  const char* name;
  at::Tensor (*run)(const at::Tensor& x);  ///< x is [4, 4]
  at::ScalarType from_float;
  at::ScalarType from_half;
};

void PrintTo(const OpCase& op, std::ostream* out) { *out << op.name; }

at::Tensor weight() { return torch::ones({4, 4}); }
at::Tensor image(const at::Tensor& x) { return x.reshape({1, 1, 4, 4}); }
at::Tensor labels() { return torch::zeros({4}, torch::kLong); }

const OpCase kOps[]{
    {"mm", [](const at::Tensor& x) { return torch::mm(x, weight()); }, kHalf, kHalf},
    {"matmul", [](const at::Tensor& x) { return torch::matmul(x, weight()); }, kHalf, kHalf},
    {"bmm", [](const at::Tensor& x) { return torch::bmm(x.unsqueeze(0), weight().unsqueeze(0)); }, kHalf, kHalf},
    {"addmm", [](const at::Tensor& x) { return torch::addmm(weight(), x, weight()); }, kHalf, kHalf},
    {"linear", [](const at::Tensor& x) { return torch::linear(x, weight(), torch::ones({4})); }, kHalf, kHalf},
    {"functional_linear", [](const at::Tensor& x) { return F::linear(x, weight(), torch::ones({4})); }, kHalf, kHalf},
    {"linear_module", [](const at::Tensor& x) { return torch::nn::Linear(4, 3)->forward(x); }, kHalf, kHalf},
    {"conv2d",
     [](const at::Tensor& x) {
       return torch::conv2d(image(x), torch::ones({1, 1, 3, 3}));
     },
     kHalf, kHalf},
    {"conv_module", [](const at::Tensor& x) { return torch::nn::Conv2d(1, 1, 3)->forward(image(x)); }, kHalf, kHalf},
    {"conv_transpose2d",
     [](const at::Tensor& x) {
       return torch::conv_transpose2d(image(x), torch::ones({1, 1, 3, 3}));
     },
     kHalf, kHalf},
    {"prelu", [](const at::Tensor& x) { return torch::prelu(x, torch::ones({1})); }, kHalf, kHalf},
    {"lstm_cell", [](const at::Tensor& x) { return std::get<0>(torch::nn::LSTMCell(4, 2)->forward(x)); }, kHalf, kHalf},
    {"softmax", [](const at::Tensor& x) { return torch::softmax(x, 1); }, kFloat, kFloat},
    {"log_softmax", [](const at::Tensor& x) { return torch::log_softmax(x, 1); }, kFloat, kFloat},
    {"gelu", [](const at::Tensor& x) { return torch::gelu(x); }, kFloat, kFloat},
    {"layer_norm", [](const at::Tensor& x) { return torch::layer_norm(x, {4}); }, kFloat, kFloat},
    {"group_norm", [](const at::Tensor& x) { return torch::group_norm(x, 2); }, kFloat, kFloat},
    {"exp", [](const at::Tensor& x) { return torch::exp(x); }, kFloat, kFloat},
    {"pow", [](const at::Tensor& x) { return torch::pow(x, 2); }, kFloat, kFloat},
    {"pow_of_number", [](const at::Tensor& x) { return torch::pow(2, x); }, kFloat, kFloat},
    {"sum", [](const at::Tensor& x) { return torch::sum(x); }, kFloat, kFloat},
    {"sum_over_dim", [](const at::Tensor& x) { return torch::sum(x, 1); }, kFloat, kFloat},
    {"norm", [](const at::Tensor& x) { return torch::norm(x); }, kFloat, kFloat},
    {"vector_norm", [](const at::Tensor& x) { return torch::linalg_vector_norm(x, 2); }, kFloat, kFloat},
    {"interpolate",
     [](const at::Tensor& x) {
       return torch::upsample_nearest2d(image(x), {8, 8});
     },
     kFloat, kFloat},
    {"mse_loss", [](const at::Tensor& x) { return torch::mse_loss(x, weight()); }, kFloat, kFloat},
    {"cross_entropy", [](const at::Tensor& x) { return F::cross_entropy(x, labels()); }, kFloat, kFloat},
    {"nll_loss", [](const at::Tensor& x) { return F::nll_loss(x, labels()); }, kFloat, kFloat},
    {"bce_with_logits", [](const at::Tensor& x) { return torch::binary_cross_entropy_with_logits(x, weight()); },
     kFloat, kFloat},
    {"mse_module", [](const at::Tensor& x) { return torch::nn::MSELoss()->forward(x, weight()); }, kFloat, kFloat},
    {"add", [](const at::Tensor& x) { return x + weight(); }, kFloat, kFloat},
    {"add_of_zero_dim", [](const at::Tensor& x) { return x + torch::ones({}); }, kFloat, kFloat},
    {"add_of_number", [](const at::Tensor& x) { return x + 1.5; }, kFloat, kHalf},
    {"add_of_same", [](const at::Tensor& x) { return x + x; }, kFloat, kHalf},
    {"mul_by_half", [](const at::Tensor& x) { return x * weight().to(kHalf); }, kFloat, kHalf},
    {"cat",
     [](const at::Tensor& x) {
       return torch::cat({x, weight(), x});
     },
     kFloat, kFloat},
    {"stack_of_same",
     [](const at::Tensor& x) {
       return torch::stack({x, x});
     },
     kFloat, kHalf},
    {"add_in_place", [](const at::Tensor& x) { return x.clone().add_(weight()); }, kFloat, kHalf},
    {"addmm_in_place", [](const at::Tensor& x) { return x.clone().addmm_(weight(), weight()); }, kFloat, kHalf},
    {"relu", [](const at::Tensor& x) { return torch::relu(x); }, kFloat, kHalf},
    {"max_pool2d", [](const at::Tensor& x) { return torch::max_pool2d(image(x), 2); }, kFloat, kHalf},
    {"mean", [](const at::Tensor& x) { return torch::mean(x); }, kFloat, kHalf},
    {"batch_norm", [](const at::Tensor& x) { return torch::nn::BatchNorm1d(4)->forward(x); }, kFloat, kHalf},
    {"logsumexp_is_not_on_the_list", [](const at::Tensor& x) { return torch::logsumexp(x, 1); }, kFloat, kHalf},
};

at::Tensor run_plain(const OpCase& op) {
  torch::manual_seed(1);
  const at::Tensor x = torch::rand({4, 4});
  return op.run(x);
}

class CastTable : public testing::TestWithParam<OpCase> {
 protected:
  /// Computes LibTorch's results before the engine replaces any kernel.
  static void SetUpTestSuite() {
    for (const OpCase& op : kOps) before()[op.name] = run_plain(op);
  }

  static std::map<std::string, at::Tensor>& before() {
    static std::map<std::string, at::Tensor> results;
    return results;
  }
};

TEST_P(CastTable, OutputHasTheTypeOfTheList) {
  const O1 casts;
  const at::Tensor x = torch::full({4, 4}, 0.5);
  EXPECT_EQ(GetParam().run(x).scalar_type(), GetParam().from_float);
  EXPECT_EQ(GetParam().run(x.to(kHalf)).scalar_type(), GetParam().from_half);
}

TEST_P(CastTable, GradientKeepsTheTypeOfItsInput) {
  const O1 casts;
  for (const auto type : {kFloat, kHalf}) {
    const at::Tensor x = torch::full({4, 4}, 0.5, torch::dtype(type).requires_grad(true));
    GetParam().run(x).sum().backward();
    EXPECT_EQ(x.grad().scalar_type(), type);
  }
}

TEST_P(CastTable, ResultsAreBitIdenticalWhenCastsAreOff) {
  { const O1 casts; }
  EXPECT_TRUE(at::equal(run_plain(GetParam()), before().at(GetParam().name)));
}

INSTANTIATE_TEST_SUITE_P(Casts, CastTable, testing::ValuesIn(kOps), [](const auto& info) { return info.param.name; });

TEST(Casts, LeaveDoubleAlone) {
  const O1 casts;
  const at::Tensor x = torch::ones({4, 4}, torch::kDouble);
  EXPECT_EQ(torch::mm(x, x).scalar_type(), torch::kDouble);
  EXPECT_EQ(torch::exp(x).scalar_type(), torch::kDouble);
  EXPECT_EQ((x + torch::ones({4, 4})).scalar_type(), torch::kDouble);
}

TEST(Casts, InferenceModeCastsAsWell) {
  const O1 casts;
  const torch::InferenceMode inference;
  const at::Tensor x = torch::ones({4, 4});
  EXPECT_EQ(torch::mm(x, x).scalar_type(), kHalf);
  EXPECT_NO_THROW(torch::logsumexp(x.to(kHalf), 1));
}

TEST(Casts, AnInPlaceFunctionOfTheFp32ListRefusesHalf) {
  const O1 casts;
  at::Tensor x = torch::ones({4}, kHalf);
  EXPECT_THROW(x.exp_(), c10::Error);
  at::Tensor y = torch::ones({4});
  EXPECT_NO_THROW(y.exp_());
}

TEST(Casts, ABannedFunctionNamesThreeWaysOut) {
  const O1 casts;
  const at::Tensor x = torch::full({4}, 0.5);
  EXPECT_EQ(F::binary_cross_entropy(x, x).scalar_type(), kFloat);
  try {
    F::binary_cross_entropy(x.to(kHalf), x);
    FAIL() << "half must be refused";
  } catch (const c10::NotImplementedError& error) {
    const std::string text = error.what();
    for (const char* part : {"with_logits", "(1)", "(2)", "(3)"}) EXPECT_NE(text.find(part), std::string::npos);
  }
}

TEST(Casts, NothingIsCastInBackward) {
  const O1 casts;
  const at::Tensor x = torch::ones({4, 4}).requires_grad_();
  at::ScalarType inside = at::kInt;
  const at::Tensor y = x * 2;
  y.register_hook([&](const at::Tensor& gradient) {
    inside = torch::mm(gradient, gradient).scalar_type();
    return gradient;
  });
  y.sum().backward();
  EXPECT_EQ(inside, kFloat);
}

TEST(Casts, ADisabledScopeCastsNothingAndRestores) {
  const O1 casts;
  const at::Tensor x = torch::ones({4, 4});
  {
    const DisableCasts outer;
    EXPECT_FALSE(casts_enabled());
    { const DisableCasts inner; }
    EXPECT_EQ(torch::mm(x, x).scalar_type(), kFloat);
  }
  EXPECT_TRUE(casts_enabled());
  EXPECT_EQ(torch::mm(x, x).scalar_type(), kHalf);
}

TEST(Casts, AreAMatterOfTheThread) {
  const O1 casts;
  at::ScalarType elsewhere = at::kInt;
  std::thread([&] { elsewhere = torch::mm(torch::ones({4, 4}), torch::ones({4, 4})).scalar_type(); }).join();
  EXPECT_EQ(elsewhere, kFloat);
}

TEST(Casts, FollowAnotherPolicyFromThereOn) {
  const at::Tensor x = torch::ones({4, 4});
  EXPECT_FALSE(change_casts_on_this_thread({}));
  EXPECT_FALSE(any_thread_casts());
  const O1 casts;
  const at::Tensor weight = torch::ones({4, 4}).requires_grad_();
  EXPECT_EQ(torch::mm(x, weight).scalar_type(), kHalf);
  std::thread([] { EXPECT_TRUE(any_thread_casts()); }).join();
  Policy policy = casts_of_this_thread();
  policy.rules.push_back({"mm", CastPolicy::Fp32, ""});
  EXPECT_TRUE(change_casts_on_this_thread(policy));
  EXPECT_EQ(torch::mm(x, weight).scalar_type(), kFloat);
  EXPECT_EQ(torch::bmm(x.unsqueeze(0), x.unsqueeze(0)).scalar_type(), kHalf) << "as before";
  EXPECT_THROW(change_casts_on_this_thread({.rules = {{"no_such_op", CastPolicy::Fp32, ""}}}), Error);
  EXPECT_EQ(casts_of_this_thread(), policy);
}

TEST(Casts, TypeChecksFollowNoOtherPolicy) {
  enable_type_checks_on_this_thread();
  EXPECT_FALSE(any_thread_casts());
  EXPECT_FALSE(change_casts_on_this_thread({}));
  disable_casts_on_this_thread();
}

TEST(Casts, TheUsersOwnAutocastWorksAsBefore) {
  { const O1 casts; }
  at::autocast::set_autocast_enabled(at::kCPU, true);
  at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
  const at::Tensor x = torch::ones({4, 4});
  EXPECT_EQ(torch::mm(x, x).scalar_type(), at::kBFloat16);
  EXPECT_EQ(torch::exp(x.to(at::kBFloat16)).scalar_type(), at::kBFloat16) << "not on LibTorch's list for the CPU";
  EXPECT_EQ(torch::mse_loss(x.to(at::kBFloat16), x).scalar_type(), kFloat);
  at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(at::kCPU, false);
  EXPECT_EQ(torch::mm(x, x).scalar_type(), kFloat);
}

/// Counts the bytes that casts write, and the casts that the cache serves.
struct Counter : Listener {
  void cast_inserted(const InsertedCast& cast) override {
    written += cast.bytes;
    hits += cast.cache_hit ? 1 : 0;
  }
  Counter() { add_listener(this); }
  ~Counter() override { remove_listener(this); }

  std::int64_t written = 0;
  int hits = 0;
};

TEST(Casts, ARegionWithAutocastOffInsertsNone) {
  const O1 casts;
  const at::Tensor x = torch::ones({4, 4});
  const Counter counter;
  at::autocast::set_autocast_enabled(at::kCPU, false);  // as `with torch.autocast("cpu", enabled=False)` does
  EXPECT_EQ(torch::mm(x, x).scalar_type(), kFloat);
  at::autocast::set_autocast_enabled(at::kCPU, true);
  EXPECT_EQ(counter.written, 0);
  EXPECT_EQ(torch::mm(x, x).scalar_type(), kHalf);
  EXPECT_GT(counter.written, 0);
}

TEST(CastCache, AWeightIsCastOnce) {
  const O1 casts;
  const at::Tensor w = torch::ones({4, 4}).requires_grad_();
  const at::Tensor x = torch::ones({4, 4}, kHalf);
  const Counter counter;
  torch::mm(x, w);
  torch::mm(x, w);
  EXPECT_EQ(counter.written, 32);
  EXPECT_EQ(counter.hits, 1);
}

TEST(CastCache, HoldsLeavesThatNeedAGradientAndNothingElse) {
  const O1 casts;
  const at::Tensor w = torch::ones({4, 4}).requires_grad_();
  torch::mm(w.t(), torch::ones({4, 4}));
  EXPECT_EQ(casts_of_thread().cache.size(), 0U);
  const torch::NoGradGuard no_grad;
  torch::mm(w, w);
  EXPECT_EQ(casts_of_thread().cache.size(), 0U) << "without gradients a copy could not carry one later";
}

/// A way to change a weight whose cast is in the cache.
struct Change {
  const char* name;
  void (*apply)(at::Tensor& w);
};

void PrintTo(const Change& change, std::ostream* out) { *out << change.name; }

class StaleWeight : public testing::TestWithParam<Change> {};

TEST_P(StaleWeight, IsNeverServed) {
  const O1 casts;
  at::Tensor w = torch::ones({4, 4}).requires_grad_();
  const at::Tensor x = torch::eye(4);
  torch::mm(x, w);
  GetParam().apply(w);
  EXPECT_TRUE(at::equal(torch::mm(x, w), torch::full({4, 4}, 3.0, kHalf)));
}

TEST_P(StaleWeight, GradientFollowsTheNewWeight) {
  const O1 casts;
  at::Tensor w = torch::ones({4, 4}).requires_grad_();
  torch::mm(torch::eye(4), w).sum().backward();
  w.mutable_grad() = at::Tensor();
  GetParam().apply(w);
  torch::mm(torch::eye(4), w).pow(2).sum().backward();
  EXPECT_TRUE(at::equal(w.grad(), torch::full({4, 4}, 6.0)));
}

TEST(CastCache, AnOptimizerOfLibTorchWritesThroughDataAndEndsTheCopy) {
  const O1 casts;
  const at::Tensor w = torch::ones({4, 4}).requires_grad_();
  torch::optim::SGD optimizer({w}, /*lr=*/1.0);
  torch::mm(torch::eye(4), w).sum().backward();
  optimizer.step();
  EXPECT_TRUE(at::equal(torch::mm(torch::eye(4), w), torch::zeros({4, 4}, kHalf)));
}

INSTANTIATE_TEST_SUITE_P(CastCache, StaleWeight,
                         testing::Values(Change{"in_place",
                                                [](at::Tensor& w) {
                                                  const torch::NoGradGuard no_grad;
                                                  w.mul_(3);
                                                }},
                                         Change{"new_data", [](at::Tensor& w) { w.set_data(w.detach() * 3); }},
                                         Change{"new_tensor",
                                                [](at::Tensor& w) { w = (w.detach() * 3).requires_grad_(); }}),
                         [](const auto& info) { return info.param.name; });

}  // namespace casts_test
}  // namespace amp
