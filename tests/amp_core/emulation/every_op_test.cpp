// SPDX-License-Identifier: Apache-2.0
// Tests that training ops in half on the CPU, forward and backward, agree with FP32 or fail with a message that names a
// remedy.
#include <ATen/core/dispatch/Dispatcher.h>
#include <gtest/gtest.h>
#include <torch/fft.h>
#include <torch/nn/functional.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "amp_core/emulation/half_on_cpu.h"
#include "amp_core/emulation/half_ops.h"
#include "amp_core/levels/properties.h"

namespace amp {
namespace every_op_test {

namespace F = torch::nn::functional;
using at::Tensor;

/// Returns the same random numbers for every type.
Tensor input(at::IntArrayRef shape, at::ScalarType type, std::uint64_t seed = 1) {
  torch::manual_seed(seed);
  return torch::randn(shape).to(torch::kHalf).to(type);
}

Tensor classes(at::IntArrayRef shape) {
  torch::manual_seed(7);
  return torch::randint(3, shape, torch::kLong);
}

struct Case {
  const char* name;
  std::vector<std::int64_t> shape;
  Tensor (*run)(const Tensor& x);
  double tolerance = 4e-3;  ///< relative to the largest result; LibTorch's own half kernels round more than once
};

void PrintTo(const Case& each, std::ostream* out) { *out << each.name; }

const Case kCases[]{
    // Losses.
    {"mse_loss", {4, 3}, [](const Tensor& x) { return torch::mse_loss(x, torch::zeros_like(x)); }},
    {"l1_loss", {4, 3}, [](const Tensor& x) { return torch::l1_loss(x, torch::zeros_like(x)); }},
    {"smooth_l1_loss", {4, 3}, [](const Tensor& x) { return torch::smooth_l1_loss(x, torch::zeros_like(x)); }},
    {"huber_loss", {4, 3}, [](const Tensor& x) { return torch::huber_loss(x, torch::zeros_like(x)); }},
    {"cross_entropy", {4, 3}, [](const Tensor& x) { return torch::cross_entropy_loss(x, classes({4})); }},
    {"nll_loss2d",
     {2, 3, 4, 4},
     [](const Tensor& x) {
       return torch::nll_loss2d(x, classes({2, 4, 4}));
     }},
    {"multi_margin_loss", {4, 3}, [](const Tensor& x) { return torch::multi_margin_loss(x, classes({4})); }},
    {"multilabel_margin_loss",
     {4, 3},
     [](const Tensor& x) {
       return torch::multilabel_margin_loss(x, classes({4, 3}));
     }},
    {"soft_margin_loss", {4, 3}, [](const Tensor& x) { return torch::soft_margin_loss(x, torch::ones_like(x)); }},
    {"kl_div", {4, 3}, [](const Tensor& x) { return torch::kl_div(x, torch::ones_like(x)); }},
    {"poisson_nll_loss",
     {4, 3},
     [](const Tensor& x) { return torch::poisson_nll_loss(x, torch::ones_like(x), true, false, 1e-3, 1); }},
    {"binary_cross_entropy_with_logits",
     {4, 3},
     [](const Tensor& x) { return torch::binary_cross_entropy_with_logits(x, torch::ones_like(x)); }},
    {"cosine_embedding_loss",
     {4, 3},
     [](const Tensor& x) { return torch::cosine_embedding_loss(x, x.flip(1), torch::ones({4}, x.options())); }},
    {"triplet_margin_loss",
     {4, 3},
     [](const Tensor& x) { return torch::triplet_margin_loss(x, x.flip(0), x.flip(1)); }},
    // Pools.
    {"avg_pool1d", {2, 3, 8}, [](const Tensor& x) { return torch::avg_pool1d(x, 2); }},
    {"avg_pool2d", {2, 3, 8, 8}, [](const Tensor& x) { return torch::avg_pool2d(x, 3, 2, 1); }},
    {"avg_pool3d", {2, 3, 4, 6, 6}, [](const Tensor& x) { return torch::avg_pool3d(x, 2); }},
    {"max_pool1d", {2, 3, 8}, [](const Tensor& x) { return torch::max_pool1d(x, 2); }},
    {"max_pool2d", {2, 3, 8, 8}, [](const Tensor& x) { return torch::max_pool2d(x, 2); }},
    {"max_pool3d", {2, 3, 4, 4, 4}, [](const Tensor& x) { return torch::max_pool3d(x, 2); }},
    {"adaptive_avg_pool2d",
     {2, 3, 8, 8},
     [](const Tensor& x) {
       return torch::adaptive_avg_pool2d(x, {3, 3});
     }},
    {"adaptive_avg_pool3d",
     {2, 3, 4, 4, 4},
     [](const Tensor& x) {
       return torch::adaptive_avg_pool3d(x, {3, 3, 3});
     }},
    {"adaptive_max_pool2d",
     {2, 3, 8, 8},
     [](const Tensor& x) {
       return std::get<0>(torch::adaptive_max_pool2d(x, {3, 3}));
     }},
    {"adaptive_max_pool3d",
     {2, 3, 4, 4, 4},
     [](const Tensor& x) {
       return std::get<0>(torch::adaptive_max_pool3d(x, {3, 3, 3}));
     }},
    {"fractional_max_pool2d",
     {2, 3, 8, 8},
     [](const Tensor& x) {
       const Tensor samples = torch::full({2, 3, 2}, 0.5, x.scalar_type());
       return std::get<0>(torch::fractional_max_pool2d(x, {2, 2}, {4, 4}, samples));
     }},
    {"max_unpool2d",
     {2, 3, 8, 8},
     [](const Tensor& x) {
       const auto [pooled, indices] = torch::max_pool2d_with_indices(x, 2);
       return torch::max_unpool2d(pooled, indices, {8, 8});
     }},
    {"lp_pool2d",
     {2, 3, 8, 8},
     [](const Tensor& x) { return F::lp_pool2d(x.abs() + 1, F::LPPool2dFuncOptions(2, 2)); }},
    // Activations and normalizations.
    {"rrelu", {4, 5}, [](const Tensor& x) { return torch::rrelu(x, 0.1, 0.3, /*training=*/true); }},
    {"rrelu_evaluating", {4, 5}, [](const Tensor& x) { return torch::rrelu(x, 0.1, 0.3); }},
    {"gelu", {4, 5}, [](const Tensor& x) { return torch::gelu(x); }},
    {"celu", {4, 5}, [](const Tensor& x) { return torch::celu(x); }},
    {"softplus", {4, 5}, [](const Tensor& x) { return torch::softplus(x); }},
    {"logsigmoid", {4, 5}, [](const Tensor& x) { return torch::log_sigmoid(x); }},
    {"prelu", {4, 5}, [](const Tensor& x) { return torch::prelu(x, torch::full({1}, 0.25, x.options())); }},
    {"glu", {4, 6}, [](const Tensor& x) { return torch::glu(x); }},
    {"mish", {4, 5}, [](const Tensor& x) { return torch::mish(x); }},
    {"hardswish", {4, 5}, [](const Tensor& x) { return torch::hardswish(x); }},
    {"softmax", {4, 5}, [](const Tensor& x) { return torch::softmax(x, 1); }},
    {"layer_norm", {4, 8}, [](const Tensor& x) { return torch::layer_norm(x, {8}); }, 1e-2},
    {"group_norm", {4, 8, 3}, [](const Tensor& x) { return torch::group_norm(x, 2); }, 1e-2},
    {"instance_norm",
     {4, 8, 6},
     [](const Tensor& x) { return torch::instance_norm(x, {}, {}, {}, {}, true, 0.1, 1e-5, false); },
     1e-2},
    {"local_response_norm",
     {2, 4, 3, 3},
     [](const Tensor& x) { return F::local_response_norm(x, F::LocalResponseNormFuncOptions(2)); }},
    // Transforms, distances, image ops.
    {"fft", {4, 8}, [](const Tensor& x) { return torch::view_as_real(torch::fft::fft(x)); }},
    {"rfft2", {4, 8, 8}, [](const Tensor& x) { return torch::view_as_real(torch::fft::rfft2(x)); }},
    {"rfft_and_back", {4, 8}, [](const Tensor& x) { return torch::fft::irfft(torch::fft::rfft(x)); }},
    {"trace", {4, 4}, [](const Tensor& x) { return torch::trace(x); }},
    {"cumsum", {4, 8}, [](const Tensor& x) { return torch::cumsum(x, 1); }},
    {"cumprod", {4, 4}, [](const Tensor& x) { return torch::cumprod(x, 1); }},
    {"logcumsumexp", {4, 8}, [](const Tensor& x) { return torch::logcumsumexp(x, 1); }},
    {"vector_norm", {4, 8}, [](const Tensor& x) { return torch::linalg_vector_norm(x); }},
    {"einsum",
     {4, 8},
     [](const Tensor& x) {
       return torch::einsum("ij,kj->ik", {x, x});
     }},
    {"kthvalue", {4, 8}, [](const Tensor& x) { return std::get<0>(torch::kthvalue(x, 2)); }},
    {"upsample_bilinear",
     {1, 2, 5, 5},
     [](const Tensor& x) {
       return torch::upsample_bilinear2d(x, {8, 8}, false);
     }},
    {"upsample_bicubic",
     {1, 2, 5, 5},
     [](const Tensor& x) {
       return torch::upsample_bicubic2d(x, {8, 8}, false);
     }},
    {"upsample_trilinear",
     {1, 2, 3, 3, 3},
     [](const Tensor& x) {
       return torch::upsample_trilinear3d(x, {5, 5, 5}, false);
     }},
    {"upsample_bilinear_antialias",
     {1, 2, 8, 8},
     [](const Tensor& x) {
       return at::_upsample_bilinear2d_aa(x, {3, 3}, false);
     }},
    {"upsample_bicubic_antialias",
     {1, 2, 8, 8},
     [](const Tensor& x) {
       return at::_upsample_bicubic2d_aa(x, {3, 3}, false);
     }},
    {"grid_sample",
     {1, 2, 5, 5},
     [](const Tensor& x) {
       const Tensor grid = input({1, 3, 3, 2}, x.scalar_type(), 2).tanh();
       return torch::grid_sampler(x, grid, 0, 0, false);
     }},
    {"pixel_shuffle", {1, 4, 3, 3}, [](const Tensor& x) { return torch::pixel_shuffle(x, 2); }},
    {"unfold",
     {1, 2, 5, 5},
     [](const Tensor& x) {
       return torch::im2col(x, {2, 2}, {1, 1}, {0, 0}, {1, 1});
     }},
    {"fold",
     {1, 8, 9},
     [](const Tensor& x) {
       return torch::col2im(x, {4, 4}, {2, 2}, {1, 1}, {0, 0}, {1, 1});
     }},
    {"reflection_pad3d",
     {1, 2, 3, 3, 3},
     [](const Tensor& x) {
       return torch::reflection_pad3d(x, {1, 1, 1, 1, 1, 1});
     }},
    // Embeddings and recurrent layers.
    {"embedding", {5, 4}, [](const Tensor& x) { return torch::embedding(x, classes({6})); }},
    {"embedding_bag",
     {5, 4},
     [](const Tensor& x) {
       return std::get<0>(
           torch::embedding_bag(x, classes({6}), torch::tensor({0, 3}, torch::kLong), false, /*mean*/ 1));
     }},
    {"lstm_cell",
     {4, 3},
     [](const Tensor& x) {
       const auto weights = [&](std::uint64_t seed) { return input({12, 3}, x.scalar_type(), seed) / 4; };
       return std::get<0>(torch::lstm_cell(x, {x * 0, x * 0}, weights(2), weights(3)));
     }},
    {"gru_cell",
     {4, 3},
     [](const Tensor& x) {
       const auto weights = [&](std::uint64_t seed) { return input({9, 3}, x.scalar_type(), seed) / 4; };
       return torch::gru_cell(x, x * 0, weights(2), weights(3));
     }},
};

/// Returns an op's result, and the gradient of a weighted sum of the result. Random weights prevent cancellation.
std::pair<Tensor, Tensor> run(const Case& each, at::ScalarType type) {
  const Tensor x = input(each.shape, type).requires_grad_();
  torch::manual_seed(3);  // for ops that draw random numbers
  const Tensor y = each.run(x);
  y.backward(input(y.sizes(), y.scalar_type(), 5));
  return {y.detach(), x.grad()};
}

void expect_near(const Tensor& half, const Tensor& fp32, double tolerance) {
  ASSERT_EQ(half.scalar_type(), torch::kHalf);
  ASSERT_EQ(half.sizes(), fp32.sizes());
  const double bound = tolerance * std::max(fp32.abs().max().item<double>(), 1e-3);
  EXPECT_LE((half.to(torch::kFloat) - fp32).abs().max().item<double>(), bound);
}

class EveryOp : public testing::TestWithParam<Case> {};

TEST_P(EveryOp, RunsInHalfForwardAndBackward) {
  emulate_half_on_cpu();
  const auto [y, gradient] = run(GetParam(), torch::kHalf);
  const auto [reference, reference_gradient] = run(GetParam(), torch::kFloat);
  expect_near(y, reference, GetParam().tolerance);
  expect_near(gradient, reference_gradient, GetParam().tolerance);
}

INSTANTIATE_TEST_SUITE_P(InHalf, EveryOp, testing::ValuesIn(kCases), [](const auto& info) { return info.param.name; });

// ---- refusals -------------------------------------------------------------------------------------------------------

struct Refusal {
  const char* function;
  Tensor (*run)(const Tensor& square);
};

void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.function; }

const Refusal kRefusals[]{
    {"cdist", [](const Tensor& x) { return torch::cdist(x, x); }},
    {"pdist", [](const Tensor& x) { return torch::pdist(x); }},
    {"ctc_loss",
     [](const Tensor& x) {
       const Tensor lengths = torch::full({1}, 2, torch::kLong);
       return torch::ctc_loss(x.log_softmax(1).unsqueeze(1), torch::ones({1, 2}, torch::kLong), lengths * 2, lengths);
     }},
    {"linalg.svd", [](const Tensor& x) { return std::get<1>(torch::linalg_svd(x)); }},
    {"linalg.eigh", [](const Tensor& x) { return std::get<0>(torch::linalg_eigh(x + x.t())); }},
    {"linalg.cholesky", [](const Tensor& x) { return torch::linalg_cholesky(torch::eye(4, x.options()) + x * 0); }},
    {"linalg.inv", [](const Tensor& x) { return torch::inverse(x); }},
    {"linalg.solve", [](const Tensor& x) { return torch::linalg_solve(x, x); }},
    {"linalg.qr", [](const Tensor& x) { return std::get<0>(torch::linalg_qr(x)); }},
    {"linalg.det", [](const Tensor& x) { return std::get<0>(at::_linalg_det(x)); }},
    {"special.erfcx", [](const Tensor& x) { return torch::special_erfcx(x); }},
};

class RefusedOps : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedOps, AreNamedWithWhatToDo) {
  emulate_half_on_cpu();
  try {
    GetParam().run(input({4, 4}, torch::kHalf));
    FAIL() << "computed in half";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.rfind(GetParam().function, 0), 0U) << text;
    EXPECT_NE(text.find("FP32"), std::string::npos) << text;
  }
  EXPECT_NO_THROW(GetParam().run(input({4, 4}, torch::kFloat)));
}

INSTANTIATE_TEST_SUITE_P(InHalf, RefusedOps, testing::ValuesIn(kRefusals), [](const auto& info) {
  std::string name = info.param.function;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

// ---- outputs and other written arguments ----------------------------------------------------------------------------

TEST(EmulatedOps, WriteTheirOutputs) {
  emulate_half_on_cpu();
  const Tensor x = input({4, 3}, torch::kHalf);
  Tensor out = torch::empty({0}, torch::kHalf);
  Tensor is_target = torch::empty({0}, torch::kHalf);
  at::multilabel_margin_loss_forward_out(out, is_target, x, classes({4, 3}), at::Reduction::None);
  const auto [expected, expected_target] = at::multilabel_margin_loss_forward(x, classes({4, 3}), at::Reduction::None);
  EXPECT_TRUE(at::equal(out, expected));
  EXPECT_TRUE(at::equal(is_target, expected_target));
  EXPECT_EQ(is_target.scalar_type(), torch::kHalf);
}

TEST(EmulatedOps, WriteTheirNoiseAndThemselves) {
  emulate_half_on_cpu();
  const Tensor x = input({64}, torch::kHalf);
  Tensor noise = torch::zeros_like(x);
  torch::manual_seed(3);
  const Tensor y = at::rrelu_with_noise(x, noise, 0.1, 0.3, /*training=*/true);
  // The noise holds rrelu's slopes. Noise and output are rounded separately, so the product only approximates y.
  EXPECT_TRUE(torch::allclose(y.to(torch::kFloat), (x * noise).to(torch::kFloat), 2e-3, 1e-4));
  EXPECT_FALSE(at::equal(noise, torch::zeros_like(x)));
  Tensor in_place = x.clone();
  torch::manual_seed(3);
  EXPECT_TRUE(at::rrelu_with_noise_(in_place, noise, 0.1, 0.3, /*training=*/true).is_same(in_place));
  EXPECT_TRUE(at::equal(in_place, y));
}

TEST(EmulatedOps, LeaveFp32AsItIs) {
  const Tensor x = input({4, 8}, torch::kFloat);
  emulate_half_on_cpu();
  EXPECT_EQ(torch::fft::fft(x).scalar_type(), torch::kComplexFloat);
  EXPECT_EQ(torch::fft::rfft(x.to(torch::kDouble)).scalar_type(), torch::kComplexDouble);
  EXPECT_EQ(torch::cdist(x, x).scalar_type(), torch::kFloat);
}

TEST(EmulatedOps, AddSparseTensors) {
  emulate_half_on_cpu();
  const Tensor x = torch::eye(4, torch::kHalf).to_sparse();
  EXPECT_TRUE(at::equal((x + x).to_dense(), 2 * torch::eye(4, torch::kHalf)));
  EXPECT_EQ((x + x).scalar_type(), torch::kHalf);
}

TEST(EmulatedOps, AllExist) {
  std::set<std::string> known;
  for (const auto& name : c10::Dispatcher::singleton().getAllOpNames()) known.insert(name.name);
  for (const char* name : missing_half_ops()) EXPECT_TRUE(known.contains(name)) << name;
  for (const char* name : missing_composite_half_ops()) EXPECT_TRUE(known.contains(name)) << name;
  for (const RefusedOp& refused : refused_half_ops()) EXPECT_TRUE(known.contains(refused.name)) << refused.name;
}

}  // namespace every_op_test
}  // namespace amp
