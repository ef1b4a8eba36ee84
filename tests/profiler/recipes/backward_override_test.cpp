// SPDX-License-Identifier: Apache-2.0
#include "profiler/recipes/backward_override.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/op_named.h"

namespace ampprof::profiler {
namespace backward_override_test {

TEST(BackwardOverride, IsWhereTheVariantHasThem) {
  const std::vector<std::int64_t> two{2, 2}, none{0, 0}, one{1, 1};
  const at::Tensor of_run = at::tensor({3.0F, 1.0F, 2.0F, 0.0F}).view({1, 1, 2, 2});
  const at::Tensor of_variant = at::tensor({3.0F, 1.0F, 4.0F, 0.0F}).view({1, 1, 2, 2});
  const at::Tensor gradient = at::full({1, 1, 1, 1}, 5.0F);
  const auto [values, places] = at::max_pool2d_with_indices(of_run, two);
  const std::vector<c10::IValue> counterparts{gradient, of_variant, two, two, none, one, false, places};
  const at::Tensor where_run_has_it =
      at::max_pool2d_with_indices_backward(gradient, of_variant, two, two, none, one, false, places);
  std::vector<at::Tensor> outputs{where_run_has_it};
  override_backward({op_named("aten::max_pool2d_with_indices_backward"), {}, counterparts, {}}, outputs);
  EXPECT_EQ(where_run_has_it.flatten()[0].item<float>(), 5.0F);
  EXPECT_TRUE(at::equal(outputs[0].flatten(), at::tensor({0.0F, 0.0F, 5.0F, 0.0F})));
}

/// Under a recipe, the output comes from rounded products, so it differs from that of any softmax of query and key.
TEST(BackwardOverride, OfAttentionDependsOnItsOperandsAndNotOnItsOutput) {
  at::manual_seed(1);
  const auto normal = [] { return at::randn({2, 2, 8, 16}); };
  const at::Tensor q = normal(), k = normal(), v = normal(), gradient = normal();
  const auto [output, sums] = at::_scaled_dot_product_flash_attention_for_cpu(q, k, v);
  const auto backward = [&](const at::Tensor& of_forward) {
    return at::_scaled_dot_product_flash_attention_for_cpu_backward(gradient, q, k, v, of_forward, sums, 0.0, false);
  };
  const auto [own_q, own_k, own_v] = backward(output);
  const at::Tensor other = output + 0.1;
  const auto [other_q, other_k, other_v] = backward(other);
  std::vector<at::Tensor> outputs{other_q, other_k, other_v};
  const std::vector<c10::IValue> counterparts{gradient, q, k, v, other, sums, 0.0, false, {}, {}};
  const std::vector<c10::IValue> returned{other_q, other_k, other_v};
  const at::Tensor before = outputs[0];
  override_backward(
      {op_named("aten::_scaled_dot_product_flash_attention_for_cpu_backward"), {}, counterparts, returned}, outputs);
  EXPECT_FALSE(at::allclose(before, own_q, 1e-3, 1e-4));
  EXPECT_TRUE(at::allclose(outputs[0], own_q, 1e-4, 1e-5));
  EXPECT_TRUE(at::allclose(outputs[1], own_k, 1e-4, 1e-5));
  EXPECT_TRUE(at::allclose(outputs[2], own_v, 1e-4, 1e-5));
}

TEST(BackwardOverride, IsOfPoolingsAndAttentionAlone) {
  EXPECT_TRUE(overrides_backward(op_named("aten::max_pool3d_with_indices_backward")));
  EXPECT_TRUE(overrides_backward(op_named("aten::_scaled_dot_product_flash_attention_for_cpu_backward")));
  EXPECT_FALSE(overrides_backward(op_named("aten::_scaled_dot_product_flash_attention_backward")))
      << "in high precision it reads nothing that the kernel has kept";
  EXPECT_FALSE(overrides_backward(op_named("aten::max_pool2d_with_indices")));
  EXPECT_FALSE(overrides_backward(op_named("aten::mm")));
}

}  // namespace backward_override_test
}  // namespace ampprof::profiler
