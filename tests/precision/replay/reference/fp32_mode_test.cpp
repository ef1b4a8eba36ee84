// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/reference/fp32_mode.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "tests/precision/replay/reference/call_op.h"
#include "tests/precision/replay/reference/fp32_setting.h"

namespace ampprof {
namespace fp32_mode_test {

using reference::may_shorten_fp32;
using torch_hooks::Fp32Op;
using torch_hooks::Fp32Precision;

at::ScalarType type_of_reference(const char* op, const Values& arguments) {
  const auto observed = call_observed(op_named(op), arguments, at::kFloat);
  return observed.reference.outputs.at(0).scalar_type();
}

TEST(Fp32Mode, IsIeeeUnlessTheProgramSetsAnother) {
  EXPECT_FALSE(may_shorten_fp32("aten::addmm", c10::kCPU));
  EXPECT_FALSE(may_shorten_fp32("aten::conv2d", c10::kCPU));
  EXPECT_TRUE(may_shorten_fp32("aten::conv2d", c10::kCUDA)) << "cuDNN's default is TF32";
  EXPECT_TRUE(may_shorten_fp32("aten::convolution_backward", c10::kCUDA));
  EXPECT_TRUE(may_shorten_fp32("aten::_cudnn_rnn", c10::kCUDA));
  EXPECT_FALSE(may_shorten_fp32("aten::addmm", c10::kCUDA));
  EXPECT_FALSE(may_shorten_fp32("aten::softmax", c10::kCUDA));
}

TEST(Fp32Mode, IsThatOfTheBackendAndTheKindOfOp) {
  const Fp32Setting setting(c10::kCPU, Fp32Op::Matmul, Fp32Precision::Bf16);
  for (const char* op : {"aten::mm", "aten::linear", "aten::matmul", "aten::baddbmm"}) {
    EXPECT_TRUE(may_shorten_fp32(op, c10::kCPU)) << op;
    EXPECT_FALSE(may_shorten_fp32(op, c10::kCUDA)) << op;
  }
  EXPECT_FALSE(may_shorten_fp32("aten::conv2d", c10::kCPU));
  EXPECT_FALSE(may_shorten_fp32("aten::lstm", c10::kCPU));
  EXPECT_FALSE(may_shorten_fp32("aten::relu", c10::kCPU));
}

TEST(Fp32Mode, MakesAReferenceDouble) {
  const Values arguments{at::randn({8, 8}).to(at::kHalf), at::randn({8, 8}).to(at::kHalf)};
  EXPECT_EQ(type_of_reference("aten::mm", arguments), at::kFloat);
  const Fp32Setting setting(c10::kCPU, Fp32Op::Matmul, Fp32Precision::Bf16);
  EXPECT_EQ(type_of_reference("aten::mm", arguments), at::kDouble);
  EXPECT_EQ(type_of_reference("aten::relu", {arguments[0]}), at::kFloat);
}

}  // namespace fp32_mode_test
}  // namespace ampprof
