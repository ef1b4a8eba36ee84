// SPDX-License-Identifier: Apache-2.0
#include "amp_core/casts/scopes.h"

#include <gtest/gtest.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

#include "amp_core/casts/decorators.h"
#include "tests/amp_core/casts/in_force.h"

namespace amp {
namespace scopes_test {

using torch::kBFloat16;
using torch::kFloat;
using torch::kHalf;

at::Tensor ones(at::ScalarType type = kFloat) { return torch::ones({4, 4}, type); }

at::ScalarType mm() { return torch::mm(ones(), ones()).scalar_type(); }
at::ScalarType softmax() { return torch::softmax(ones(kHalf), 1).scalar_type(); }
at::ScalarType add(at::ScalarType type = kHalf) { return (ones() + ones(type)).scalar_type(); }

TEST(Scopes, FloatRunsEveryListedFunctionInFp32) {
  const InForce casts;
  const FloatFunction scope;
  EXPECT_EQ(mm(), kFloat);
  EXPECT_EQ((ones(kHalf) + ones(kHalf)).scalar_type(), kFloat);
  EXPECT_EQ(torch::relu(ones(kHalf)).scalar_type(), kHalf) << "not on the list";
}

TEST(Scopes, HalfRunsEveryListedFunctionInTheLowType) {
  for (const auto& [policy, low] : {std::pair("", kHalf), std::pair("low_type bf16", kBFloat16)}) {
    const InForce casts(policy);
    const HalfFunction scope;
    EXPECT_EQ(softmax(), low);
    EXPECT_EQ(add(low), low);
    EXPECT_EQ(torch::relu(ones()).scalar_type(), kFloat) << "not on the list";
  }
}

TEST(Scopes, PromoteRunsEveryListedFunctionInTheWidestType) {
  const InForce casts;
  const PromoteFunction scope;
  EXPECT_EQ(mm(), kFloat);
  EXPECT_EQ(torch::mm(ones(kHalf), ones(kHalf)).scalar_type(), kHalf);
  EXPECT_EQ(torch::mm(ones(), ones(kHalf)).scalar_type(), kFloat);
  EXPECT_EQ(softmax(), kHalf);
}

TEST(Scopes, NestAndTheInnermostCounts) {
  const InForce casts;
  {
    const FloatFunction outer;
    {
      const HalfFunction inner;
      EXPECT_EQ(softmax(), kHalf);
    }
    EXPECT_EQ(mm(), kFloat);
  }
  EXPECT_EQ(mm(), kHalf);
  EXPECT_EQ(softmax(), kFloat);
}

TEST(Scopes, ADisabledScopeInsideWins) {
  const InForce casts;
  const HalfFunction half;
  const DisableCasts off;
  EXPECT_EQ(mm(), kFloat);
  EXPECT_EQ(add(kFloat), kFloat);
}

TEST(Scopes, BeatRulesForModules) {
  const InForce casts("mm fp16 in decoder");
  const FloatFunction scope;
  EXPECT_EQ(mm(), kFloat);
}

TEST(Scopes, InPlaceFunctionsFollowAsFromAList) {
  const InForce casts;
  at::Tensor x = ones(kHalf);
  {
    const FloatFunction scope;
    EXPECT_THROW(x.add_(ones()), c10::Error);
  }
  const HalfFunction scope;
  EXPECT_NO_THROW(x.exp_());
  EXPECT_EQ(x.addmm_(ones(), ones()).scalar_type(), kHalf);
}

TEST(Scopes, OnlyFloatLiftsABan) {
  const InForce casts;
  const auto bce = [] { return torch::binary_cross_entropy(ones(kHalf), ones(kHalf)).scalar_type(); };
  {
    const FloatFunction scope;
    EXPECT_EQ(bce(), kFloat);
  }
  const HalfFunction scope;
  EXPECT_THROW(bce(), c10::NotImplementedError);
}

TEST(Scopes, ChangeNothingWithoutCasts) {
  const HalfFunction scope;
  EXPECT_EQ(mm(), kFloat);
}

TEST(Scopes, AnExceptionLeavesNoneBehind) {
  const InForce casts;
  try {
    const FloatFunction outer;
    const HalfFunction inner;
    torch::mm(ones(), torch::ones({3, 3}));
  } catch (const c10::Error&) {
  }
  EXPECT_EQ(mm(), kHalf);
  EXPECT_EQ(softmax(), kFloat);
}

// ---- decorators -----------------------------------------------------------------------------------------------------

at::ScalarType type_in(const at::Tensor& x) { return x.scalar_type(); }

TEST(Decorators, CastTheTensorsOfACall) {
  const InForce casts;
  EXPECT_EQ(half_function(type_in)(ones()), kHalf);
  EXPECT_EQ(float_function(type_in)(ones(kHalf)), kFloat);
  EXPECT_EQ(float_function(type_in)(ones(kBFloat16)), kFloat);
  EXPECT_EQ(half_function(type_in)(ones(torch::kDouble)), torch::kDouble);
  EXPECT_EQ(half_function(type_in)(ones(torch::kLong)), torch::kLong);
}

TEST(Decorators, LookIntoContainersAndPassTheRestOn) {
  const InForce casts;
  const auto inside =
      half_function([](const std::vector<at::Tensor>& list, const std::map<std::string, at::Tensor>& map,
                       std::optional<at::Tensor> maybe, std::unique_ptr<int> owned, int& counter) {
        counter += *owned;
        return std::vector{list.at(0).scalar_type(), map.at("x").scalar_type(), maybe->scalar_type()};
      });
  int counter = 1;
  const auto types = inside(std::vector{ones()}, std::map<std::string, at::Tensor>{{"x", ones()}},
                            std::optional(ones()), std::make_unique<int>(2), counter);
  EXPECT_EQ(types, std::vector(3, kHalf));
  EXPECT_EQ(counter, 3);
}

TEST(Decorators, PromoteToFp32WhereTypesMeet) {
  const InForce casts;
  const auto types = promote_function([](const at::Tensor& x, const std::vector<at::Tensor>& list) {
    return std::pair(x.scalar_type(), list.front().scalar_type());
  });
  EXPECT_EQ(types(ones(), std::vector{ones(kHalf)}), std::pair(kFloat, kFloat));
  EXPECT_EQ(types(ones(kHalf), std::vector{ones()}), std::pair(kFloat, kFloat));
  EXPECT_EQ(types(ones(kHalf), std::vector{ones(kHalf)}), std::pair(kHalf, kHalf));
}

TEST(Decorators, AreInertWhileCastsAreNotInForce) {
  EXPECT_EQ(half_function(type_in)(ones()), kFloat);
  const InForce casts;
  const DisableCasts off;
  EXPECT_EQ(float_function(type_in)(ones(kHalf)), kHalf);
}

TEST(Decorators, TheFunctionsInsideAreCastAsEverywhere) {
  const InForce casts;
  const auto product = float_function([](const at::Tensor& x) { return torch::mm(x, x); });
  EXPECT_EQ(product(ones(kHalf)).scalar_type(), kHalf);
}

/// Multiplies a tensor by itself and records the types of the inputs.
struct Square : torch::autograd::Function<Square> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x) {
    context->save_for_backward({x});
    seen = x.scalar_type();
    return x * x;
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const at::Tensor x = context->get_saved_variables().front();
    seen_in_backward = torch::mm(gradients.front(), x).scalar_type();
    return {gradients.front() * x * 2};
  }
  static inline at::ScalarType seen = at::kInt;
  static inline at::ScalarType seen_in_backward = at::kInt;
};

TEST(Decorators, MarkACustomAutogradFunction) {
  const InForce casts;
  const at::Tensor x = torch::full({4, 4}, 0.5, kHalf).requires_grad_();
  const auto square = float_function([](const at::Tensor& input) { return Square::apply(input); });
  const at::Tensor y = square(x);
  EXPECT_EQ(Square::seen, kFloat);
  EXPECT_EQ(y.scalar_type(), kFloat);
  y.sum().backward();
  EXPECT_EQ(Square::seen_in_backward, kFloat) << "nothing is cast in a custom backward";
  EXPECT_TRUE(at::equal(x.grad(), ones(kHalf)));
}

}  // namespace scopes_test
}  // namespace amp
