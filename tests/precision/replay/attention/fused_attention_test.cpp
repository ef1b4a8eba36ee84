// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/attention/fused_attention.h"

#include <string>

#include "precision/replay/attention/kernels.h"
#include "tests/precision/replay/attention/attention_calls.h"

namespace ampprof::attention {
namespace fused_attention_test {

struct Taken : AttentionCalls {};

TEST_P(Taken, ApartIsWhatItWas) {
  const at::Tensor whole = reference();
  const auto gradients = torch::autograd::grad({whole}, {query, key, value}, {dy});
  const torch::NoGradGuard no_grad;
  EXPECT_TRUE(at::allclose(attention().output(multiply_exactly), whole, 1e-4, 1e-5));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(at::allclose(attention().gradient(i, dy, multiply_exactly), gradients[i], 1e-4, 1e-5)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(FusedAttention, Taken, testing::ValuesIn(attention_cases()),
                         [](const auto& info) { return info.param.name; });

TEST(FusedAttention, IsNotTakenApartWhereItDropsWeights) {
  const at::Tensor x = torch::randn({1, 2, 8, 16});
  EXPECT_TRUE(
      FusedAttention::of(op_named(kAttentionKernel).schema(), std::vector<c10::IValue>{x, x, x, 0.0, false, {}, {}}));
  EXPECT_FALSE(
      FusedAttention::of(op_named(kAttentionKernel).schema(), std::vector<c10::IValue>{x, x, x, 0.1, false, {}, {}}));
}

TEST(FusedAttention, IsWhatKernelsOfAllDevicesCompute) {
  for (const char* name :
       {kAttentionKernel, "aten::_scaled_dot_product_efficient_attention", "aten::_scaled_dot_product_flash_attention",
        "aten::_scaled_dot_product_cudnn_attention", "aten::_scaled_dot_product_fused_attention_overrideable"}) {
    EXPECT_TRUE(is_fused_attention(name)) << name;
    EXPECT_TRUE(is_backward_of_fused_attention(std::string(name) + "_backward")) << name;
    EXPECT_FALSE(is_backward_of_fused_attention(name)) << name;
  }
  EXPECT_FALSE(is_fused_attention("aten::_scaled_dot_product_attention_math")) << "its ops are seen";
}

}  // namespace fused_attention_test
}  // namespace ampprof::attention
