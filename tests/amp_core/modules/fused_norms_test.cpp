// SPDX-License-Identifier: Apache-2.0
// Compares fused norms with their formulas in double precision.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <sstream>

#include "amp_core/amp.h"
#include "amp_core/modules.h"

namespace amp {
namespace fused_norms_test {

using torch::kBFloat16;
using torch::kDouble;
using torch::kFloat;
using torch::kHalf;
using torch::nn::LayerNormOptions;

struct Types {
  at::ScalarType input;
  at::ScalarType weight;
  at::ScalarType output;
};

/// Returns the tolerance for values below 8: one final rounding to `type`, and one or two more if the kernel computes
/// in `type`.
double tolerance(at::ScalarType type) {
  switch (type) {
    case kHalf:
      return 8 * 0x1p-10;
    case kBFloat16:
      return 8 * 0x1p-7;
    case kFloat:
      return 16 * 0x1p-23;
    default:
      return 32 * 0x1p-52;
  }
}

void PrintTo(const Types& types, std::ostream* out) { *out << types.input << " with " << types.weight; }

class FusedNorms : public testing::TestWithParam<Types> {
 protected:
  void SetUp() override {
    torch::manual_seed(3);
    input = torch::randn({5, 3, 8}) * 2 + 1;
  }

  at::Tensor input;

  static at::Tensor exact_copy(const at::Tensor& x) { return x.detach().to(kDouble); }

  static at::Tensor layer_norm(const at::Tensor& x) {
    const at::Tensor centred = x - x.mean(-1, true);
    return centred / (centred.pow(2).mean(-1, true) + 1e-5).sqrt();
  }

  static at::Tensor rms_norm(const at::Tensor& x) { return x / (x.pow(2).mean(-1, true) + 1e-5).sqrt(); }

  static void set(at::Tensor& parameter, const at::Tensor& value) {
    const torch::NoGradGuard no_grad;
    parameter.set_data(value);
  }

  /// Compares the output and input gradient of `module` with those of `formula(input, weight)` in double precision.
  template <class Module, class Formula>
  void expect_as(Module& module, const Formula& formula) {
    const Types& types = GetParam();
    const at::Tensor x = input.to(types.input).requires_grad_();
    const at::Tensor y = module->forward(x);
    ASSERT_EQ(y.scalar_type(), types.output);
    y.to(kDouble).pow(2).sum().backward();
    ASSERT_EQ(x.grad().scalar_type(), types.input);

    const at::Tensor exact_x = exact_copy(x).requires_grad_();
    const at::Tensor exact_y = formula(exact_x, exact_copy(module->weight));
    exact_y.pow(2).sum().backward();
    const auto close = [&](const at::Tensor& is, const at::Tensor& should) {
      return (is.to(kDouble) - should).abs().max().template item<double>();
    };
    EXPECT_LT(close(y, exact_y), tolerance(types.output));
    EXPECT_LT(close(x.grad(), exact_x.grad()), std::max(tolerance(types.input), tolerance(types.output)));
    EXPECT_EQ(module->weight.grad().scalar_type(), types.weight);
  }
};

TEST_P(FusedNorms, LayerNormIsTheFormula) {
  FusedLayerNorm module(LayerNormOptions({8}));
  set(module->weight, torch::linspace(0.5, 1.5, 8).to(GetParam().weight));
  set(module->bias, torch::linspace(-1, 1, 8).to(GetParam().weight));
  const at::Tensor bias = exact_copy(module->bias);
  expect_as(module, [&](const at::Tensor& x, const at::Tensor& weight) { return layer_norm(x) * weight + bias; });
}

TEST_P(FusedNorms, RmsNormIsTheFormula) {
  FusedRMSNorm module(LayerNormOptions({8}));
  set(module->weight, torch::linspace(0.5, 1.5, 8).to(GetParam().weight));
  expect_as(module, [](const at::Tensor& x, const at::Tensor& weight) { return rms_norm(x) * weight; });
}

TEST_P(FusedNorms, WithoutParametersKeepTheInputsType) {
  const auto plain = LayerNormOptions({3, 8}).elementwise_affine(false);
  const at::Tensor x = input.to(GetParam().input);
  EXPECT_EQ(FusedLayerNorm(plain)->forward(x).scalar_type(), GetParam().input);
  const at::Tensor y = FusedRMSNorm(plain)->forward(x);
  EXPECT_EQ(y.scalar_type(), GetParam().input);
  const at::Tensor exact = rms_norm(exact_copy(x).flatten(1)).reshape(x.sizes());
  EXPECT_LT((y.to(kDouble) - exact).abs().max().item<double>(), tolerance(GetParam().input));
}

INSTANTIATE_TEST_SUITE_P(Types, FusedNorms,
                         testing::Values(Types{kFloat, kFloat, kFloat}, Types{kHalf, kHalf, kHalf},
                                         Types{kBFloat16, kBFloat16, kBFloat16}, Types{kHalf, kFloat, kFloat},
                                         Types{kBFloat16, kFloat, kFloat}, Types{kFloat, kHalf, kHalf},
                                         Types{kDouble, kDouble, kDouble}),
                         [](const auto& info) {
                           return std::string(toString(info.param.input)) + "With" + toString(info.param.weight);
                         });

TEST(FusedNormModules, AreClonedSavedAndPrinted) {
  FusedLayerNorm module(std::vector<std::int64_t>{4});
  {
    const torch::NoGradGuard no_grad;
    module->weight.fill_(3);
  }
  const auto clone = std::dynamic_pointer_cast<FusedLayerNormImpl>(module->clone());
  EXPECT_TRUE(at::equal(clone->weight, module->weight));
  EXPECT_FALSE(clone->weight.is_same(module->weight));

  std::stringstream file;
  torch::save(module, file);
  FusedLayerNorm loaded(std::vector<std::int64_t>{4});
  torch::load(loaded, file);
  EXPECT_TRUE(at::equal(loaded->weight, module->weight));

  std::ostringstream text;
  text << *module;
  EXPECT_EQ(text.str(), "amp::FusedLayerNorm([4], eps=1e-05, elementwise_affine=1)");
}

TEST(FusedNormModules, RunInFp32AtO1AndFollowTheModelAtO2) {
  FusedLayerNorm module(std::vector<std::int64_t>{4});
  torch::optim::SGD optimizer(module->parameters(), 0.1);
  initialize(module, optimizer, {.opt_level = "O1", .verbosity = 0});
  EXPECT_EQ(module->forward(torch::ones({2, 4}).to(kHalf)).scalar_type(), kFloat);
  shutdown();
  torch::optim::SGD again(module->parameters(), 0.1);
  initialize(module, again, {.opt_level = "O2", .verbosity = 0});
  EXPECT_EQ(module->weight.scalar_type(), kHalf);
  EXPECT_EQ(forward(module, torch::ones({2, 4})).scalar_type(), kFloat);
  shutdown();
}

}  // namespace fused_norms_test
}  // namespace amp
