// SPDX-License-Identifier: Apache-2.0
#include "profiler/recipes/own_maxima.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <gtest/gtest.h>

#include <vector>

namespace ampprof::profiler {
namespace own_maxima_test {

c10::OperatorHandle op_named(const char* name) { return c10::Dispatcher::singleton().findSchemaOrThrow(name, ""); }

TEST(OwnMaxima, AreWhereTheShadowHasThem) {
  const std::vector<std::int64_t> two{2, 2}, none{0, 0}, one{1, 1};
  const at::Tensor of_run = at::tensor({3.0F, 1.0F, 2.0F, 0.0F}).view({1, 1, 2, 2});
  const at::Tensor of_shadow = at::tensor({3.0F, 1.0F, 4.0F, 0.0F}).view({1, 1, 2, 2});
  const at::Tensor gradient = at::full({1, 1, 1, 1}, 5.0F);
  const auto [values, places] = at::max_pool2d_with_indices(of_run, two);
  const std::vector<c10::IValue> counterparts{gradient, of_shadow, two, two, none, one, false, places};
  const at::Tensor where_run_has_it =
      at::max_pool2d_with_indices_backward(gradient, of_shadow, two, two, none, one, false, places);
  std::vector<at::Tensor> outputs{where_run_has_it};
  OwnMaxima().replace(op_named("aten::max_pool2d_with_indices_backward"), {}, counterparts, {}, outputs);
  EXPECT_EQ(where_run_has_it.flatten()[0].item<float>(), 5.0F);
  EXPECT_TRUE(at::equal(outputs[0].flatten(), at::tensor({0.0F, 0.0F, 5.0F, 0.0F})));
}

TEST(OwnMaxima, AreOfPoolingsAlone) {
  EXPECT_TRUE(OwnMaxima().wants(op_named("aten::max_pool3d_with_indices_backward")));
  EXPECT_FALSE(OwnMaxima().wants(op_named("aten::max_pool2d_with_indices")));
  EXPECT_FALSE(OwnMaxima().wants(op_named("aten::mm")));
}

}  // namespace own_maxima_test
}  // namespace ampprof::profiler
