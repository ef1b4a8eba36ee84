// SPDX-License-Identifier: Apache-2.0
// Runs op calls under recipes. Compares each function, forward and backward, with the products of its rounded operands;
// tests rules, types, and calls that recipes leave alone.
#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cstdlib>
#include <limits>

#include "amp_core/amp.h"
#include "amp_core/casts/autocast_rules.h"
#include "amp_core/casts/casts.h"
#include "precision/formats/products/convolution_matrices.h"
#include "precision/formats/products/matmuls.h"
#include "precision/recipes/delayed_scales.h"
#include "precision/recipes/random_keys.h"

namespace amp {
namespace running_test {

namespace products = ampprof::products;
using ampprof::Matmul;
using ampprof::recipes::Recipe;
using products::Second;
using Tensors = std::vector<at::Tensor>;

at::Tensor normal(c10::IntArrayRef sizes) { return at::randn(sizes, at::detail::createCPUGenerator(31)); }
at::Tensor leaf(c10::IntArrayRef sizes) { return normal(sizes).requires_grad_(); }

/// Enables a policy's casts on this thread until it is destroyed. Adds "use none", so that no cast list applies.
class InForce {
 public:
  explicit InForce(const std::string& policy) {
    enable_casts_on_this_thread(parse_policy("use none\n" + policy, "test"));
  }
  ~InForce() { disable_casts_on_this_thread(); }
};

/// Returns a function's result and the gradients of its arguments.
template <class Function>
Tensors results_of(const Tensors& arguments, Function function) {
  recipes::restart_random_keys();
  recipes::delayed_scales().forget();
  const at::Tensor y = function(arguments);
  Tensors results = torch::autograd::grad({y}, arguments, {normal(y.sizes()).to(y.scalar_type())});
  results.insert(results.begin(), y.detach());
  return results;
}

void expect_near(const at::Tensor& found, const at::Tensor& right, double within = 2e-6) {
  ASSERT_EQ(found.sizes(), right.sizes());
  EXPECT_LE((found - right).abs().max().item<double>(), within * right.abs().max().item<double>());
}

bool same(const Tensors& a, const Tensors& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return at::equal(x, y); });
}

// ---- functions ------------------------------------------------------------------------------------------------------

class InEachRecipe : public testing::TestWithParam<const char*> {
 protected:
  Recipe recipe_ = ampprof::recipes::recipe_named(GetParam());
  const InForce in_force_{"recipe " + std::string(GetParam())};

  at::Tensor product(Matmul matmul, const at::Tensor& a, const at::Tensor& b, Second second = Second::Weight) const {
    return products::product(recipe_, matmul, a, b, {.second = second}).values;
  }
};

TEST_P(InEachRecipe, ALinearLayerHasItsThreeProducts) {
  const Tensors arguments{leaf({4, 16, 64}), leaf({32, 64}), leaf({32})};
  const auto found = results_of(arguments, [](const Tensors& t) { return torch::linear(t[0], t[1], t[2]); });
  const at::Tensor x = arguments[0].detach().flatten(0, 1);
  const at::Tensor w = arguments[1].detach();
  const at::Tensor dy = normal({4, 16, 32}).flatten(0, 1);
  expect_near(found[0].flatten(0, 1), product(Matmul::Fprop, x, w) + arguments[2].detach());
  expect_near(found[1].flatten(0, 1), product(Matmul::Dgrad, dy, w));
  expect_near(found[2], product(Matmul::Wgrad, dy, x));
  expect_near(found[3], dy.sum(0));
}

TEST_P(InEachRecipe, EveryCallOfALinearLayerInCppIsALinear) {
  const Tensors arguments{leaf({32, 64}), leaf({32, 64}), leaf({32})};
  const auto layer = results_of(arguments, [](const Tensors& t) { return torch::linear(t[0], t[1], t[2]); });
  const auto addmm = results_of(arguments, [](const Tensors& t) { return torch::addmm(t[2], t[0], t[1].t()); });
  EXPECT_TRUE(same(layer, addmm));
  const Tensors two{arguments[0], arguments[1]};
  const auto no_bias = results_of(two, [](const Tensors& t) { return torch::linear(t[0], t[1]); });
  EXPECT_TRUE(same(no_bias, results_of(two, [](const Tensors& t) { return torch::mm(t[0], t[1].t()); })));
  EXPECT_TRUE(same(no_bias, results_of(two, [](const Tensors& t) { return torch::matmul(t[0], t[1].t()); })));
  const auto turned = results_of(two, [](const Tensors& t) { return torch::matmul(t[1], t[0].t().contiguous()).t(); });
  EXPECT_TRUE(same(no_bias, turned)) << "a weight that stands first";
}

TEST_P(InEachRecipe, ProductsOfActivationsRoundBothAsInputs) {
  const Tensors arguments{leaf({3, 32, 64}), leaf({3, 64, 96})};
  const auto doubled = [](const at::Tensor& t) { return t * 1; };  // makes operands that are not parameters
  const auto found = results_of(arguments, [&](const Tensors& t) { return torch::bmm(doubled(t[0]), doubled(t[1])); });
  const at::Tensor a = arguments[0].detach();
  const at::Tensor b = arguments[1].detach().transpose(1, 2).contiguous();
  const at::Tensor dy = normal({3, 32, 96});
  expect_near(found[0], product(Matmul::Fprop, a, b, Second::Activation));
  if (recipe_.operands[2].rounding == ampprof::recipes::Rounding::Stochastic) return;
  expect_near(found[1], product(Matmul::Dgrad, dy, b, Second::Activation));
  expect_near(found[2].transpose(1, 2), product(Matmul::Wgrad, dy, a, Second::Activation));
  const auto other =
      results_of(arguments, [&](const Tensors& t) { return torch::matmul(doubled(t[0]), doubled(t[1])); });
  EXPECT_TRUE(same(found, other));
  const auto sum = results_of(arguments, [&](const Tensors& t) {
    return torch::baddbmm(at::ones({3, 32, 96}), doubled(t[0]), doubled(t[1]), 2, 1);
  });
  expect_near(sum[0], found[0] + 2);
}

TEST_P(InEachRecipe, ConvolutionsHaveTheirThreeProducts) {
  const Tensors arguments{leaf({2, 32, 8, 8}), leaf({32, 32, 3, 3}), leaf({32})};
  const auto found = results_of(
      arguments, [](const Tensors& t) { return torch::conv2d(t[0], t[1], t[2], /*stride=*/2, /*padding=*/1); });
  const at::Tensor x = arguments[0].detach();
  const at::Tensor w = arguments[1].detach();
  const products::ConvolutionMatrices matrices(x.sizes(), w.sizes(), {.stride = {2}, .padding = {1}});
  const at::Tensor dy = normal({2, 32, 4, 4});
  expect_near(found[0], matrices.output(product(Matmul::Fprop, matrices.input(x), matrices.weight(w))) +
                            arguments[2].detach().view({1, -1, 1, 1}));
  expect_near(found[1], matrices.grad_input(product(Matmul::Dgrad, matrices.grad_output(dy), matrices.weight(w))));
  expect_near(found[2], matrices.grad_weight(product(Matmul::Wgrad, matrices.grad_output(dy), matrices.input(x))));
  expect_near(found[3], dy.sum({0, 2, 3}));
}

INSTANTIATE_TEST_SUITE_P(Recipes, InEachRecipe,
                         testing::Values("bf16", "fp8_current", "mxfp8", "nvfp4,nearest,no_hadamard", "nvfp4,nearest"));

/// Functions with sizes that every recipe converts. The result under a recipe has to be near the plain result.
struct Function {
  const char* name;
  std::vector<std::vector<std::int64_t>> arguments;
  at::Tensor (*run)(const Tensors&);
};

void PrintTo(const Function& function, std::ostream* out) { *out << function.name; }

class Functions : public testing::TestWithParam<Function> {};

TEST_P(Functions, InBf16AreNearThemselves) {
  Tensors arguments;
  for (const auto& sizes : GetParam().arguments) arguments.push_back(leaf(sizes));
  const auto run = [](const Tensors& tensors) { return GetParam().run(tensors); };
  const Tensors plain = results_of(arguments, run);
  const InForce in_force("recipe bf16");
  const Tensors found = results_of(arguments, run);
  EXPECT_FALSE(same(plain, found)) << "no recipe was used";
  for (std::size_t i = 0; i < plain.size(); ++i) expect_near(found[i], plain[i], 0.03);
}

TEST_P(Functions, InBf16OverBf16AreNearThemselves) {
  Tensors arguments;
  for (const auto& sizes : GetParam().arguments) arguments.push_back(leaf(sizes));
  const auto run = [](const Tensors& tensors) { return GetParam().run(tensors).to(at::kFloat); };
  enable_casts_on_this_thread(parse_policy("low_type bf16", "test"));
  const Tensors plain = results_of(arguments, run);
  disable_casts_on_this_thread();
  enable_casts_on_this_thread(parse_policy("low_type bf16\nrecipe bf16", "test"));
  const Tensors found = results_of(arguments, run);
  disable_casts_on_this_thread();
  for (std::size_t i = 0; i < plain.size(); ++i) expect_near(found[i], plain[i], 0.03);
}

INSTANTIATE_TEST_SUITE_P(
    All, Functions,
    testing::Values(
        Function{"linear_of_a_vector", {{32}, {16, 32}}, [](const Tensors& t) { return torch::linear(t[0], t[1]); }},
        Function{"addmm",
                 {{4, 8}, {4, 16}, {16, 8}},
                 [](const Tensors& t) { return torch::addmm(t[0], t[1], t[2], 0.5, 2); }},
        Function{"matmul_broadcast",
                 {{2, 1, 4, 16}, {3, 16, 8}},
                 [](const Tensors& t) { return torch::matmul(t[0], t[1]); }},
        Function{"conv1d", {{2, 8, 12}, {8, 8, 3}}, [](const Tensors& t) { return torch::conv1d(t[0], t[1]); }},
        Function{"conv2d_same",
                 {{2, 8, 6, 6}, {8, 8, 3, 3}},
                 [](const Tensors& t) { return torch::conv2d(t[0], t[1], {}, 1, "same"); }},
        Function{"conv2d_of_an_image",
                 {{8, 6, 6}, {8, 8, 3, 3}},
                 [](const Tensors& t) { return torch::conv2d(t[0], t[1]); }},
        Function{
            "conv3d", {{1, 4, 4, 5, 5}, {8, 4, 2, 2, 2}}, [](const Tensors& t) { return torch::conv3d(t[0], t[1]); }},
        Function{"conv_transpose2d",
                 {{2, 8, 5, 5}, {8, 4, 3, 3}, {8}},
                 [](const Tensors& t) { return torch::conv_transpose2d(t[0], t[1], t[2], 2, 1, 1, 2); }},
        Function{"attention",
                 {{2, 3, 8, 16}, {2, 3, 8, 16}, {2, 3, 8, 16}},
                 [](const Tensors& t) { return torch::scaled_dot_product_attention(t[0], t[1], t[2]); }},
        Function{"causal_attention",
                 {{2, 3, 8, 16}, {2, 3, 8, 16}, {2, 3, 8, 16}},
                 [](const Tensors& t) {
                   return torch::scaled_dot_product_attention(t[0], t[1], t[2], {}, 0.0, /*is_causal=*/true);
                 }},
        Function{"masked_attention",
                 {{2, 4, 8, 16}, {2, 2, 8, 16}, {2, 2, 8, 16}},
                 [](const Tensors& t) {
                   const at::Tensor mask = at::ones({8, 8}, at::kBool).tril(2);
                   return torch::scaled_dot_product_attention(t[0], t[1], t[2], mask, 0.0, false, 0.1, true);
                 }},
        Function{"einsum",
                 {{2, 8, 16}, {2, 4, 16}},
                 [](const Tensors& t) {
                   return torch::einsum("bik,bjk->bij", Tensors{t[0], t[1]});
                 }}),
    [](const auto& info) { return info.param.name; });

// ---- calls that recipes leave alone ---------------------------------------------------------------------------------

Tensors of_linear(c10::IntArrayRef x, c10::IntArrayRef w) {
  return results_of({leaf(x), leaf(w)}, [](const Tensors& t) { return torch::linear(t[0], t[1]); });
}

TEST(Left, AreLayersOfSizesThatARecipeDoesNotTake) {
  const Tensors plain = of_linear({32, 64}, {31, 64});
  const InForce in_force("recipe mxfp8");
  testing::internal::CaptureStderr();
  EXPECT_TRUE(same(of_linear({32, 64}, {31, 64}), plain));
  EXPECT_EQ(
      testing::internal::GetCapturedStderr(),
      "amp: The recipe mxfp8 leaves linear unchanged: the weight's number of rows, 31, is not a multiple of 32; 32 "
      "is.\n");
}

TEST(Left, AreTensorsWithTangents) {
  const auto level = static_cast<std::int64_t>(torch::autograd::forward_ad::enter_dual_level());
  const at::Tensor x = at::_make_dual(normal({32, 64}), normal({32, 64}), level), w = normal({32, 64});
  const at::Tensor plain = torch::linear(x, w);
  const InForce in_force("recipe mxfp8");
  const at::Tensor y = torch::linear(x, w);
  EXPECT_TRUE(at::equal(std::get<0>(at::_unpack_dual(y, level)), std::get<0>(at::_unpack_dual(plain, level))));
  EXPECT_TRUE(at::equal(std::get<1>(at::_unpack_dual(y, level)), std::get<1>(at::_unpack_dual(plain, level))));
  torch::autograd::forward_ad::exit_dual_level(static_cast<std::uint64_t>(level));
}

TEST(Left, AreRecurrentNetworks) {
  torch::nn::LSTM net(torch::nn::LSTMOptions(32, 32).batch_first(true));
  const auto run = [&](const Tensors& t) { return std::get<0>(net->forward(t[0])); };
  const Tensors arguments{leaf({32, 4, 32})};
  const Tensors plain = results_of(arguments, run);
  const InForce in_force("recipe bf16");
  EXPECT_TRUE(same(results_of(arguments, run), plain));
}

#if TORCH_VERSION_MINOR < 15  // LibTorch has named dimensions up to 2.14
/// The result keeps the names, although a recipe's own ops do not support names.
TEST(Left, AreTensorsWithNamedDimensions) {
  const auto named = [](c10::IntArrayRef sizes, const char* first, const char* second) {
    std::vector<at::Dimname> names;
    for (const char* name : {first, second}) names.push_back(at::Dimname::fromSymbol(at::Symbol::dimname(name)));
    return normal(sizes).refine_names(names);
  };
  const at::Tensor plain = at::mm(normal({32, 64}), normal({64, 16}));
  const InForce in_force("recipe fp8_current");
  const at::Tensor y = torch::matmul(named({32, 64}, "N", "C"), named({64, 16}, "C", "K"));
  EXPECT_EQ(y.names()[1].symbol().toUnqualString(), std::string("K"));
  EXPECT_TRUE(at::equal(y.rename(std::nullopt), plain));
}
#endif

TEST(Left, AreFunctionsThatThePolicyWantsInFp32) {
  const Tensors plain = of_linear({32, 64}, {32, 64});
  const InForce in_force("recipe mxfp8\nlinear fp32");
  EXPECT_TRUE(same(of_linear({32, 64}, {32, 64}), plain));
}

TEST(Left, IsWhatRulesSayIsNotQuantized) {
  const Tensors plain = of_linear({32, 64}, {32, 64});
  for (const char* rule : {"linear bf16", "linear fprop fp32\nlinear dgrad bf16\nlinear wgrad bf16"}) {
    const InForce in_force("recipe mxfp8\n" + std::string(rule));
    EXPECT_TRUE(same(of_linear({32, 64}, {32, 64}), plain)) << rule;
  }
}

/// A rule for a function in one module does not change the function's parts in other modules: these follow the cast
/// list.
TEST(Left, AreNoPartsWithoutARecipe) {
  enable_casts_on_this_thread(parse_policy("einsum fp32 in head", "test"));
  const at::Tensor product = at::einsum("bij,bjk->bik", {normal({2, 4, 4}), normal({2, 4, 4})});
  disable_casts_on_this_thread();
  EXPECT_EQ(product.scalar_type(), at::kHalf);
}

TEST(Rules, NameSingleMatmuls) {
  const Tensors plain = of_linear({32, 64}, {32, 64});
  for (std::size_t kept = 0; kept < ampprof::kMatmuls.size(); ++kept) {
    const std::string name(name_of(ampprof::kMatmuls[kept]));
    const InForce in_force("recipe mxfp8\nlinear " + name + " bf16");
    const Tensors found = of_linear({32, 64}, {32, 64});
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(at::equal(found[i], plain[i]), i == kept) << name << ' ' << i;
  }
}

TEST(Rules, NameModules) {
  struct NetImpl : torch::nn::Module {
    torch::nn::Linear first = register_module("first", torch::nn::Linear(64, 64));
    torch::nn::Linear second = register_module("second", torch::nn::Linear(64, 64));
  };
  const auto net = std::make_shared<NetImpl>();
  name_modules(*net);
  const at::Tensor x = normal({32, 64});
  const auto outputs = [&] { return Tensors{net->first->forward(x).detach(), net->second->forward(x).detach()}; };
  const Tensors plain = outputs();
  const InForce in_force("recipe mxfp8\nsecond.* bf16\nsecond bf16");
  const Tensors found = outputs();
  EXPECT_FALSE(at::equal(found[0], plain[0]));
  EXPECT_TRUE(at::equal(found[1], plain[1]));
}

// ---- runs -----------------------------------------------------------------------------------------------------------

/// Trains two layers for some steps. Returns the losses and the weights.
Tensors trained(int steps = 8) {
  recipes::restart_random_keys();
  recipes::delayed_scales().forget();
  const Tensors weights{(normal({64, 32}) / 6).requires_grad_(), (normal({32, 64}) / 8).requires_grad_()};
  torch::optim::SGD optimizer(weights, 0.05);
  const at::Tensor x = normal({96, 32});
  Tensors results;
  for (int step = 0; step < steps; ++step) {
    optimizer.zero_grad();
    const at::Tensor loss = torch::mse_loss(torch::linear(torch::linear(x, weights[0]).relu(), weights[1]), x);
    loss.backward();
    optimizer.step();
    results.push_back(loss.detach());
  }
  for (const at::Tensor& weight : weights) results.push_back(weight.detach().clone());
  return results;
}

class Training : public testing::TestWithParam<const char*> {};

TEST_P(Training, FollowsThePlainRunAndIsTheSameAgain) {
  const Tensors plain = trained();
  const InForce in_force("recipe " + std::string(GetParam()));
  const Tensors found = trained();
  EXPECT_TRUE(same(found, trained())) << "the same seed gives other bits";
  EXPECT_FALSE(same(found, plain));
  EXPECT_LT(found[7].item<double>(), 0.95 * found[0].item<double>());
  EXPECT_NEAR(found[7].item<double>(), plain[7].item<double>(), 0.01 * plain[7].item<double>());
}

INSTANTIATE_TEST_SUITE_P(Recipes, Training,
                         testing::Values("bf16", "tf32", "fp8_current", "fp8_delayed", "mxfp8", "nvfp4"));

TEST(Runs, DrawFromNoGeneratorOfThePrograms) {
  const at::Tensor before = at::globalContext().defaultGenerator(at::kCPU).get_state();
  const InForce in_force("recipe nvfp4");
  trained(2);
  EXPECT_TRUE(at::equal(at::globalContext().defaultGenerator(at::kCPU).get_state(), before));
}

TEST(Runs, OfAnotherSeedRoundOtherwise) {
  const InForce in_force("recipe nvfp4");
  at::manual_seed(1);
  const Tensors first = trained(2);
  at::manual_seed(2);
  EXPECT_FALSE(same(trained(2), first));
}

TEST(Runs, KnowAParametersViewWithoutGradients) {
  const InForce in_force("recipe nvfp4");
  const at::Tensor x = normal({32, 64});
  const at::Tensor weight = leaf({32, 64});
  const at::Tensor trained_output = at::mm(x, weight.t()).detach();
  const at::NoGradGuard evaluation;
  EXPECT_TRUE(at::equal(at::mm(x, weight.t()), trained_output));
}

TEST(Runs, GiveZeroWhereAttentionIsMaskedOut) {
  const InForce in_force("recipe bf16");
  const at::Tensor q = normal({1, 2, 16, 32});
  at::Tensor mask = at::ones({16, 16}, at::kBool);
  mask[7].fill_(false);
  const at::Tensor y = at::scaled_dot_product_attention(q, q, q, mask);
  EXPECT_TRUE(y.isfinite().all().item<bool>());
  EXPECT_EQ(y.select(2, 7).abs().max().item<double>(), 0.0);
}

TEST(DelayedScales, ForgetAnOverflow) {
  recipes::DelayedScales scales;
  scales.exchange("layer", at::full({}, std::numeric_limits<float>::infinity()), 4);
  EXPECT_EQ(scales.exchange("layer", at::full({}, 2.0F), 4).item<float>(), 0.0F);
  EXPECT_EQ(scales.exchange("layer", at::full({}, 1.0F), 4).item<float>(), 2.0F);
}

TEST(Runs, RefuseASecondDerivative) {
  const InForce in_force("recipe mxfp8");
  const Tensors t{leaf({32, 32}), leaf({32, 32})};
  const at::Tensor y = torch::linear(t[0], t[1]).sum();
  EXPECT_THROW(torch::autograd::grad({y}, {t[0]}, {}, true, /*create_graph=*/true), Error);
}

TEST(Runs, CountInTheProgramsOwnAutocast) {
  add_rules_to_autocast(parse_policy("use none\nrecipe mxfp8\nlinear bf16 in nowhere", "test"));
  const at::Tensor x = normal({32, 64});
  const at::Tensor w = leaf({32, 64});
  at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
  at::autocast::set_autocast_enabled(at::kCPU, true);
  at::autocast::increment_nesting();
  const at::Tensor y = torch::linear(x, w);
  const at::Tensor again = [&] {
    const InForce alone("recipe nvfp4");  // autocast's rules come before this policy
    return torch::linear(x, w);
  }();
  at::autocast::decrement_nesting();
  at::autocast::clear_cache();
  EXPECT_EQ(y.scalar_type(), at::kBFloat16);
  const auto recipe = ampprof::recipes::recipe_named("mxfp8");
  const at::Tensor right =
      products::product(recipe, Matmul::Fprop, x.to(at::kBFloat16), w.detach().to(at::kBFloat16)).values;
  EXPECT_TRUE(at::equal(y, right.to(at::kBFloat16)));
  EXPECT_TRUE(at::equal(again, y));
  at::autocast::set_autocast_enabled(at::kCPU, false);
  add_rules_to_autocast(Policy());
}

// ---- initialize() ---------------------------------------------------------------------------------------------------

/// Returns the output of a layer under initialize(), in FP32.
at::Tensor initialized(const Options& options, torch::nn::Linear model, const at::Tensor& x) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  Options quiet = options;
  quiet.verbosity = 0;
  initialize(model, optimizer, quiet);
  const at::Tensor y = amp::forward(model, x).detach().to(at::kFloat);
  shutdown();
  return y;
}

TEST(Initialize, RunsARecipeOverFp32AndBf16) {
  torch::nn::Linear model(64, 32);
  const at::Tensor x = normal({32, 64});
  const auto recipe = ampprof::recipes::recipe_named("mxfp8");
  const auto right = [&](at::ScalarType type) {
    return (products::product(recipe, Matmul::Fprop, x.to(type), model->weight.detach().to(type)).values +
            model->bias.detach().to(type))
        .to(type)
        .to(at::kFloat);
  };
  EXPECT_TRUE(at::equal(initialized({.opt_level = "O0", .recipe = "mxfp8"}, model, x), right(at::kFloat)));
  EXPECT_TRUE(
      at::equal(initialized({.opt_level = "O1", .patch_torch_functions_type = ReducedType::BFloat16, .recipe = "mxfp8"},
                            model, x),
                right(at::kBFloat16)));
  const at::Tensor plain = initialized({.opt_level = "O0"}, model, x);
  EXPECT_FALSE(at::equal(plain, right(at::kFloat)));
  setenv("AMP_RECIPE", "mxfp8", 1);
  EXPECT_TRUE(at::equal(initialized({.opt_level = "O0"}, model, x), right(at::kFloat)));
  unsetenv("AMP_RECIPE");
  EXPECT_TRUE(at::equal(initialized({.opt_level = "O0"}, model, x), plain));
}

TEST(Initialize, SaysWhatIsWrongWithARecipe) {
  torch::nn::Linear model(8, 8);
  const auto sentence = [&](const Options& options) -> std::string {
    try {
      initialized(options, model, normal({2, 8}));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(sentence({.opt_level = "O0", .recipe = "mxfp9"}).find("Unknown recipe \"mxfp9\""), std::string::npos);
  EXPECT_NE(sentence({.opt_level = "O1", .recipe = "/nowhere/a.recipe"}).find("cannot be read"), std::string::npos);
  EXPECT_NE(sentence({.opt_level = "O2", .recipe = "mxfp8"}).find("does not work at O2"), std::string::npos);
}

}  // namespace running_test
}  // namespace amp
