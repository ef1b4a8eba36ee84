// SPDX-License-Identifier: Apache-2.0
// Runs the guards that `ampprof advise --code libtorch` prints (golden/libtorch_guards.h), as printed.
#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include <optional>
#include <vector>

namespace ampprof {
namespace guards_test {

#include "tests/precision/golden/libtorch_guards.h"

class Guards : public testing::Test {
 protected:
  Guards() {
    at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
    at::autocast::set_autocast_enabled(at::kCPU, true);
  }
  ~Guards() override {
    at::autocast::clear_cache();
    at::autocast::set_autocast_enabled(at::kCPU, false);
  }

  const at::Tensor low_ = torch::ones({4, 4}, at::kBFloat16);
};

TEST_F(Guards, KeepAFunctionInFloat32) {
  EXPECT_EQ(at::matmul(low_, low_).scalar_type(), at::kBFloat16);
  EXPECT_EQ(matmul_in_float32(low_, low_).scalar_type(), at::kFloat);
  EXPECT_EQ(at::matmul(low_, low_).scalar_type(), at::kBFloat16) << "autocast goes on behind it";
}

TEST_F(Guards, WidenOptionalTensorsAndLists) {
  const std::optional<at::Tensor> bias = low_[0];
  EXPECT_EQ(linear_in_float32(low_, low_, bias).scalar_type(), at::kFloat);
  EXPECT_EQ(cat_in_float32(std::vector<at::Tensor>{low_, low_}, 0).scalar_type(), at::kFloat);
}

}  // namespace guards_test
}  // namespace ampprof
