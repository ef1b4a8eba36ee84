// SPDX-License-Identifier: Apache-2.0
// Canaries for autograd's nodes of casts, and for hooks on nodes.
#include "profiler/torch_hooks/cast_operands.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <vector>

#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {
namespace cast_operands_test {

struct CastOperands : testing::Test {
  at::Tensor x = torch::rand({3, 4}, torch::requires_grad());
  at::Tensor weight = torch::rand({5, 4}, torch::requires_grad());
  std::uint64_t first = next_sequence_number();

  std::vector<CastOperand> of(const at::Tensor& output, const std::vector<c10::IValue>& arguments) const {
    return cast_operands(output, first, arguments);
  }
};

at::Tensor low(const at::Tensor& tensor) { return tensor.to(at::kBFloat16); }

TEST_F(CastOperands, AreThoseThatTheCallCasts) {
  const at::Tensor output = at::linear(low(x), low(weight));
  const auto casts = of(output, {x, weight});
  ASSERT_EQ(casts.size(), 2u);
  for (const CastOperand& cast : casts) EXPECT_EQ(cast.type, at::kBFloat16);
  EXPECT_FALSE(casts[0].operand.is_same(casts[1].operand));
}

TEST_F(CastOperands, BringTheGradientOfTheirUse) {
  const at::Tensor output = at::linear(low(x), low(weight));
  std::vector<at::Tensor> gradients;
  for (const CastOperand& cast : of(output, {x, weight})) {
    const bool is_x = cast.operand.is_same(x);
    when_gradient_comes(cast, [&, is_x](const at::Tensor& gradient) {
      EXPECT_EQ(gradient.sizes(), is_x ? x.sizes() : weight.sizes());
      gradients.push_back(gradient.to(at::kFloat));
    });
  }
  (output.sum() + (x * x).sum()).backward();  // also uses x in another op
  ASSERT_EQ(gradients.size(), 2u);
  for (const at::Tensor& gradient : gradients) {
    const at::Tensor expected = gradient.sizes() == x.sizes() ? x.grad() - 2 * x.detach() : weight.grad();
    EXPECT_TRUE(at::allclose(gradient, expected, 1e-3, 1e-3));
  }
}

TEST_F(CastOperands, MayHaveBeenCastBefore) {
  const at::Tensor cached = low(weight);
  const at::Tensor other_use = at::linear(low(x), cached);
  first = next_sequence_number();
  const at::Tensor output = at::linear(low(x), cached);
  const auto casts = of(output, {x, weight});
  ASSERT_EQ(casts.size(), 2u);
  const CastOperand& cast = casts[0].operand.is_same(weight) ? casts[0] : casts[1];
  int arrived = 0;
  when_gradient_comes(cast, [&](const at::Tensor& gradient) {
    ++arrived;
    EXPECT_TRUE(at::allclose(gradient.to(at::kFloat), x.detach().sum(0).expand({5, 4}), 0.05, 0.05))
        << "of this call alone";
  });
  (output.sum() + other_use.sum()).backward();
  EXPECT_EQ(arrived, 1);
}

TEST_F(CastOperands, UsedTwiceInACallBringTheSum) {
  const at::Tensor cached = low(weight);
  const at::Tensor output = at::linear(low(x), cached) + at::linear(low(x), cached);
  int arrived = 0;
  for (const CastOperand& cast : of(output, {weight})) {
    when_gradient_comes(cast, [&](const at::Tensor& gradient) {
      ++arrived;
      EXPECT_TRUE(at::allclose(gradient.to(at::kFloat), 2 * x.detach().sum(0).expand({5, 4}), 0.05, 0.05));
    });
  }
  output.sum().backward({}, /*retain_graph=*/true);
  output.sum().backward();
  EXPECT_EQ(arrived, 2) << "once in each pass";
}

TEST_F(CastOperands, AreNoneWithoutADownCast) {
  EXPECT_TRUE(of(at::linear(x, weight), {x, weight}).empty());
  EXPECT_TRUE(of(low(x), {x}).empty()) << "a cast is an op of its own: what it rounds is its output";
  EXPECT_TRUE(of(at::linear(low(x).to(at::kFloat), weight), {weight}).empty());
  const at::Tensor batch = torch::rand({3, 4});
  EXPECT_EQ(of(at::linear(low(batch), low(weight)), {batch, weight}).size(), 1u) << "a batch takes no gradient";
  EXPECT_TRUE(of(torch::rand({3}), {x}).empty());
  const at::Tensor earlier = low(x);
  first = next_sequence_number();
  EXPECT_TRUE(of(earlier, {x}).empty()) << "of another call";
}

}  // namespace cast_operands_test
}  // namespace ampprof::profiler
