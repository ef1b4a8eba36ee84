// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/attention/half_attention.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "tests/flash_attention_on_cpu.h"
#include "tests/precision/replay/reference/call_op.h"

namespace ampprof {
namespace half_attention_test {

constexpr const char* kFlash = "aten::_scaled_dot_product_flash_attention";
constexpr const char* kFlashBackward = "aten::_scaled_dot_product_flash_attention_backward";

struct HalfAttention : testing::Test {
  at::Tensor query = half({2, 2, 9, 16}), key = half({2, 2, 12, 16}), value = half({2, 2, 12, 16});

  static at::Tensor half(std::vector<std::int64_t> sizes) { return at::randn(sizes).to(at::kBFloat16); }
  Values arguments(double dropout = 0.0) const { return {query, key, value, dropout, true, false, 0.3}; }

  /// Returns the result of SDPA's math backend. The last query sees all keys.
  static at::Tensor exact(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
    const at::Tensor seen = at::ones({q.size(-2), k.size(-2)}, at::kBool).tril(k.size(-2) - q.size(-2));
    const at::Tensor mask = at::zeros(seen.sizes(), q.options()).masked_fill(seen.logical_not(), -INFINITY);
    return std::get<0>(at::_scaled_dot_product_attention_math(q, k, v, mask, 0.0, /*is_causal=*/false, {}, 0.3));
  }
};

TEST_F(HalfAttention, IsRunAgainInHighPrecision) {
  const Observed call = call_observed(op_named(kFlash), arguments());
  ASSERT_EQ(call.reference.outcome, reference::ReplayOutcome::Ran) << call.reference.reason;
  const at::Tensor wide = exact(query.to(at::kDouble), key.to(at::kDouble), value.to(at::kDouble));
  EXPECT_EQ(call.reference.outputs[0].scalar_type(), at::kDouble);
  EXPECT_TRUE(at::allclose(call.reference.outputs[0], wide, 1e-12, 1e-12));
  EXPECT_TRUE(at::allclose(call.returned[0].toTensor().to(at::kDouble), wide, 0.1, 0.05)) << "the same attention";
  EXPECT_FALSE(at::allclose(call.returned[0].toTensor().to(at::kDouble), wide, 1e-4, 1e-4)) << "the call is in BF16";
  EXPECT_FALSE(call.reference.outputs[1].defined()) << "sums are the kernel's own";
}

TEST_F(HalfAttention, HasABackwardInHighPrecision) {
  const Observed forward = call_observed(op_named(kFlash), arguments());
  const at::Tensor dy = half({2, 2, 9, 16});
  const Values& made = forward.returned;
  const Observed call = call_observed(
      op_named(kFlashBackward),
      {dy, query, key, value, made[0], made[1], made[2], made[3], made[4], made[5], 0.0, true, made[6], made[7], 0.3});
  ASSERT_EQ(call.reference.outcome, reference::ReplayOutcome::Ran) << call.reference.reason;
  const auto wide = [](const at::Tensor& tensor) { return tensor.to(at::kDouble).requires_grad_(); };
  const at::Tensor q = wide(query), k = wide(key), v = wide(value);
  const auto gradients = torch::autograd::grad({exact(q, k, v)}, {q, k, v}, {dy.to(at::kDouble)});
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(at::allclose(call.reference.outputs[i], gradients[i], 1e-10, 1e-12)) << i;
  }
}

TEST_F(HalfAttention, WithDropoutIsNotRunAgain) {
  const reference::Reference reference(at::kFloat);
  const auto kept = reference.keep(op_named(kFlash), arguments(0.1));
  const auto again = reference.run(op_named(kFlash), kept, Values{query.clone()});
  EXPECT_EQ(again.outcome, reference::ReplayOutcome::Unsupported);
  EXPECT_EQ(again.reason, "it applies dropout inside a kernel that exists for reduced precision only");
}

TEST_F(HalfAttention, HasANodeInTheMathBackend) {
  const at::Tensor q = query.to(at::kFloat).requires_grad_();
  torch::jit::Stack stack{q, key.to(at::kFloat), value.to(at::kFloat), 0.0, true, false, 0.3};
  attention::run_attention_math(op_named(kFlash), stack);
  ASSERT_EQ(stack.size(), 9u);
  EXPECT_TRUE(stack[0].toTensor().requires_grad());
  EXPECT_TRUE(at::allclose(stack[0].toTensor(), exact(q, key.to(at::kFloat), value.to(at::kFloat))));
}

/// cuDNN's kernel takes a mask. The kernel's own causal mask aligns the first query with the first key.
TEST_F(HalfAttention, OfCudnnTakesABias) {
  const at::Tensor bias = at::randn({9, 12});
  const at::Tensor q = query.to(at::kFloat), k = key.to(at::kFloat), v = value.to(at::kFloat);
  torch::jit::Stack stack{q, k, v, bias, true, 0.0, true, false, 0.3};
  attention::run_half_attention(op_named("aten::_scaled_dot_product_cudnn_attention"), stack);
  const at::Tensor mask = bias.masked_fill(at::ones({9, 12}, at::kBool).tril().logical_not(), -INFINITY);
  const at::Tensor wide = std::get<0>(at::_scaled_dot_product_attention_math(q, k, v, mask, 0.0, false, {}, 0.3));
  EXPECT_TRUE(at::allclose(stack[0].toTensor(), wide, 1e-4, 1e-5));
}

/// A program may flatten heads and features, so the output's layout is that of the query, whatever the features of
/// `value`.
TEST_F(HalfAttention, LaysItsOutputOutAsTheQueryIs) {
  const at::Tensor q = at::randn({2, 9, 2, 16}).transpose(1, 2), v = at::randn({2, 2, 12, 8});
  torch::jit::Stack stack{q, key.to(at::kFloat), v, 0.0, false, false, 0.3};
  attention::run_half_attention(op_named(kFlash), stack);
  EXPECT_NO_THROW(stack[0].toTensor().transpose(1, 2).view({2, 9, 16}));
}

/// Under sdpa_kernel(SDPBackend.FLASH_ATTENTION), no allowed backend supports FP32 on a GPU.
TEST(ChosenAttention, IsRunAgainThoughNoBackendThatIsAllowedTakesItsType) {
  const auto op = op_named("aten::scaled_dot_product_attention");
  const at::Tensor query = HalfAttention::half({2, 2, 9, 16});
  torch::jit::Stack stack{query, query, query, c10::IValue(), 0.0, true, 0.3, false};
  const reference::Reference reference(at::kDouble);
  const reference::SavedCall kept = reference.keep(op, stack);
  op.callBoxed(stack);
  auto& context = at::globalContext();
  for (const auto allow : {&at::Context::setSDPUseFlash, &at::Context::setSDPUseMemEfficient, &at::Context::setSDPUseMath,
                           &at::Context::setSDPUseCuDNN}) {
    (context.*allow)(false);
  }
  const reference::Replay again = reference.run(op, kept, stack);
  for (const auto allow : {&at::Context::setSDPUseFlash, &at::Context::setSDPUseMemEfficient, &at::Context::setSDPUseMath,
                           &at::Context::setSDPUseCuDNN}) {
    (context.*allow)(true);
  }
  ASSERT_EQ(again.outcome, reference::ReplayOutcome::Ran) << again.reason;
  const at::Tensor q = query.to(at::kDouble);
  EXPECT_TRUE(at::allclose(again.outputs[0], at::scaled_dot_product_attention(q, q, q, {}, 0.0, true, 0.3)));
}

}  // namespace half_attention_test
}  // namespace ampprof
