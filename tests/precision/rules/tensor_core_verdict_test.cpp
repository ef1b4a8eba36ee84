// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <ostream>

#include "precision/rules/verdict.h"

namespace ampprof {
namespace {

std::string listed(const TensorCoreVerdict& verdict) {
  std::string text;
  for (const auto& [name, size] : verdict.dims) text += name + "=" + std::to_string(size) + " ";
  return text;
}

DeviceCaps gpu(std::string_view name) { return device_caps(name).value(); }

// What is multiplied ------------------------------------------------------------------------------------------------

struct Dims {
  const char* op;
  const char* signature;
  const char* expected;  ///< "" where the op is no product
};

void PrintTo(const Dims& dims, std::ostream* out) { *out << dims.op << " (" << dims.signature << ')'; }

class ProductDims : public testing::TestWithParam<Dims> {};

TEST_P(ProductDims, AreReadFromTheSignature) {
  const auto verdict = tensor_core_verdict(GetParam().op, Phase::Forward, signature_from(GetParam().signature),
                                           DType::Half, gpu("sm_90"));
  EXPECT_EQ(verdict ? listed(*verdict) : "", GetParam().expected);
}

std::string by_index(const testing::TestParamInfo<Dims>& info) { return std::to_string(info.index); }

INSTANTIATE_TEST_SUITE_P(Gemm, ProductDims,
                         testing::Values(Dims{"mm", "f16[2,3] f16[3,5]", "I=2 J=5 K=3 "},
                                         Dims{"aten::mm.out", "f16[2,3] f16[3,5] f16[2,5]", "I=2 J=5 K=3 "},
                                         Dims{"addmm", "f16[5] f16[2,3] f16[3,5]", "I=2 J=5 K=3 "},
                                         Dims{"addmm_", "f16[2,5] f16[2,3] f16[3,5]", "I=2 J=5 K=3 "},
                                         Dims{"bmm", "f16[7,2,3] f16[7,3,5]", "I=2 J=5 K=3 batch=7 "},
                                         Dims{"bmm", "f16[1,2,3] f16[1,3,5]", "I=2 J=5 K=3 "},
                                         Dims{"baddbmm", "f16[7,2,5] f16[7,2,3] f16[7,3,5]", "I=2 J=5 K=3 batch=7 "},
                                         Dims{"addbmm", "f16[2,5] f16[7,2,3] f16[7,3,5]", "I=2 J=5 K=3 batch=7 "},
                                         Dims{"matmul", "f16[2,3] f16[3,5]", "I=2 J=5 K=3 "},
                                         Dims{"matmul", "f16[4,2,3] f16[3,5]", "I=8 J=5 K=3 "},
                                         Dims{"matmul", "f16[4,2,3] f16[4,3,5]", "I=2 J=5 K=3 batch=4 "},
                                         Dims{"matmul", "f16[2,3] f16[6,4,3,5]", "I=2 J=5 K=3 batch=24 "},
                                         Dims{"linear", "f32[64,784] f32[10,784] f32[10]", "I=64 J=10 K=784 "},
                                         Dims{"linear", "f32[8,16,784] f32[10,784] -", "I=128 J=10 K=784 "}),
                         by_index);

INSTANTIATE_TEST_SUITE_P(
    Convolution, ProductDims,
    testing::Values(
        Dims{"conv1d", "f16[8,3,100] f16[32,3,5] f16[32] groups=1", "C_in=3 C_out=32 batch=8 groups=1 "},
        Dims{"conv2d", "f16[8,3,32,32] f16[64,3,3,3] -", "C_in=3 C_out=64 batch=8 groups=1 "},
        Dims{"conv2d", "f16[3,32,32] f16[64,3,3,3] -", "C_in=3 C_out=64 batch=1 groups=1 "},
        Dims{"conv2d.padding", "f16[8,64,32,32] f16[64,16,3,3] groups=4", "C_in=64 C_out=64 batch=8 groups=4 "},
        Dims{"conv3d", "f16[2,4,5,6,7] f16[8,4,3,3,3]", "C_in=4 C_out=8 batch=2 groups=1 "},
        Dims{"conv_transpose2d.input", "f16[8,100,1,1] f16[100,512,4,4] - groups=1",
             "C_in=100 C_out=512 batch=8 groups=1 "},
        Dims{"conv_transpose1d", "f16[8,12,9] f16[12,5,4] groups=2", "C_in=12 C_out=10 batch=8 groups=2 "},
        Dims{"convolution", "f16[8,12,9,9] f16[12,5,4,4] groups=2 transposed=1", "C_in=12 C_out=10 batch=8 groups=2 "},
        Dims{"_convolution", "f16[8,12,9,9] f16[30,4,3,3] groups=3 transposed=0", "C_in=12 C_out=30 batch=8 groups=3 "},
        Dims{"convolution_backward", "f16[8,64,32,32] f16[8,3,32,32] f16[64,3,3,3] groups=1",
             "C_in=3 C_out=64 batch=8 groups=1 "}),
    by_index);

INSTANTIATE_TEST_SUITE_P(NoProduct, ProductDims,
                         testing::Values(Dims{"add.Tensor", "f16[8,8] f16[8,8]", ""}, Dims{"mv", "f16[8,8] f16[8]", ""},
                                         Dims{"dot", "f16[8] f16[8]", ""}, Dims{"addmv", "f16[8] f16[8,8] f16[8]", ""},
                                         Dims{"outer", "f16[8] f16[8]", ""}, Dims{"matmul", "f16[8,8] f16[8]", ""},
                                         Dims{"matmul", "f16[8] f16[8,8]", ""}, Dims{"linear", "f16[8] f16[4,8] -", ""},
                                         Dims{"mm", "f16[0,8] f16[8,8]", ""}, Dims{"mm", "f16[8,8]", ""},
                                         Dims{"mm", "- -", ""}, Dims{"conv2d", "- -", ""},
                                         Dims{"conv2d", "f16[0,3,8,8] f16[8,3,3,3]", ""},
                                         Dims{"conv2d", "f16[8,3,8,8] f16[8,3,3,3] groups=7", ""},
                                         Dims{"conv2d", "f16[8] f16[8,3,3,3]", ""}, Dims{"", "", ""},
                                         Dims{"_", "f16[8,8] f16[8,8]", ""}),
                         by_index);

// What the rules say of it ------------------------------------------------------------------------------------------

struct Case {
  const char* name;
  const char* device;
  const char* op;
  const char* signature;
  DType dtype;
  bool dtype_ok;
  const char* rule_2018;
  const char* rule_today;
  const char* offending;
  const char* padded;
  double padding_cost;
};

void PrintTo(const Case& row, std::ostream* out) { *out << row.name; }

class Verdict : public testing::TestWithParam<Case> {};

TEST_P(Verdict, IsTheExpectedOne) {
  const Case& row = GetParam();
  const auto verdict =
      tensor_core_verdict(row.op, Phase::Forward, signature_from(row.signature), row.dtype, gpu(row.device));
  ASSERT_TRUE(verdict.has_value());
  EXPECT_EQ(verdict->dtype_ok, row.dtype_ok);
  EXPECT_EQ(name_of(verdict->rule_2018), row.rule_2018);
  EXPECT_EQ(name_of(verdict->rule_today), row.rule_today);
  EXPECT_EQ(verdict->offending, row.offending);
  EXPECT_EQ(verdict->padded, row.padded);
  EXPECT_DOUBLE_EQ(verdict->padding_cost, row.padding_cost);
  EXPECT_EQ(verdict->executed, "unknown");
  EXPECT_EQ(verdict->evidence, "no kernel record");
  EXPECT_EQ(verdict->target_gpu, gpu(row.device).name);
  EXPECT_FALSE(verdict->reason.empty());
}

std::string by_name(const testing::TestParamInfo<Case>& info) { return info.param.name; }

constexpr auto kHalf = DType::Half;
constexpr auto kFloat = DType::Float;

INSTANTIATE_TEST_SUITE_P(
    Rules, Verdict,
    testing::Values(
        Case{"multiples_of_8", "sm_90", "mm", "f16[64,32] f16[32,8]", kHalf, true, "aligned", "efficient", "", "", 0},
        Case{"one_dimension_off", "sm_90", "mm", "f16[64,33] f16[33,8]", kHalf, true, "not_aligned", "inefficient",
             "K = 33", "K = 40", 40.0 / 33 - 1},
        Case{"two_dimensions_off", "sm_90", "linear", "f16[30,784] f16[10,784] -", kHalf, true, "not_aligned",
             "inefficient", "I = 30, J = 10", "I = 32, J = 16", 32.0 * 16 / 300 - 1},
        Case{"a100_wants_128_bytes", "A100", "mm", "f16[64,64] f16[64,8]", kHalf, true, "aligned", "inefficient",
             "J = 8", "J = 64", 7.0},
        Case{"a100_with_128_bytes", "A100", "mm", "f16[64,64] f16[64,128]", kHalf, true, "aligned", "efficient", "", "",
             0},
        Case{"bf16_before_ampere", "V100", "mm", "bf16[64,64] bf16[64,64]", DType::BFloat16, false, "aligned",
             "not_eligible", "", "", 0},
        Case{"bf16_on_hopper", "H100", "mm", "bf16[64,64] bf16[64,4]", DType::BFloat16, true, "not_aligned",
             "inefficient", "J = 4", "J = 8", 1.0},
        Case{"fp32_is_told_what_it_would_be_as_fp16", "sm_90", "mm", "f32[64,33] f32[33,8]", kFloat, false,
             "not_aligned", "not_eligible", "K = 33", "K = 40", 40.0 / 33 - 1},
        Case{"fp64_on_hopper_needs_even_sizes", "H100", "mm", "f64[4,3] f64[3,2]", DType::Double, true,
             "not_applicable", "inefficient", "K = 3", "K = 4", 4.0 / 3 - 1},
        Case{"fp8_needs_16", "H100", "_scaled_mm", "f8e4m3[32,24] f8e4m3[24,16]", DType::Float8E4M3, true,
             "not_applicable", "inefficient", "K = 24", "K = 32", 32.0 / 24 - 1},
        Case{"no_tensor_cores", "P100", "mm", "f16[64,64] f16[64,64]", kHalf, false, "aligned", "not_eligible", "", "",
             0},
        Case{"first_convolution", "sm_90", "conv2d", "f16[64,3,32,32] f16[64,3,3,3]", kHalf, true, "not_aligned",
             "inefficient", "C_in = 3", "C_in = 8", 8.0 / 3 - 1},
        Case{"convolution", "T4", "conv2d", "f16[63,64,32,32] f16[64,64,3,3]", kHalf, true, "aligned", "efficient", "",
             "", 0},
        Case{"grouped_convolution_counts_per_group", "sm_90", "conv2d", "f16[8,32,9,9] f16[64,4,3,3] groups=8", kHalf,
             true, "not_aligned", "inefficient", "C_in / groups = 4", "C_in / groups = 8", 1.0},
        Case{"depthwise", "sm_90", "conv2d", "f16[8,32,9,9] f16[32,1,3,3] groups=32", kHalf, true, "not_applicable",
             "not_eligible", "", "", 0},
        Case{"integers", "sm_90", "mm", "i32[8,8] i32[8,8]", DType::Int32, false, "not_applicable", "not_eligible", "",
             "", 0}),
    by_name);

TEST(TensorCoreVerdict, TellsTf32FromFp32) {
  auto device = gpu("sm_90");
  const auto signature = signature_from("f32[4,12] f32[12,6]");
  EXPECT_EQ(tensor_core_verdict("mm", Phase::Forward, signature, kFloat, device)->rule_today, RuleToday::NotEligible);
  device.tf32_allowed = true;
  const auto verdict = tensor_core_verdict("mm", Phase::Forward, signature, kFloat, device);
  EXPECT_TRUE(verdict->dtype_ok);
  EXPECT_EQ(verdict->offending, "J = 6");
  EXPECT_EQ(verdict->padded, "J = 8") << "TF32 wants multiples of 4";
}

TEST(TensorCoreVerdict, SendsABackwardOpToItsForwardOp) {
  const auto signature = signature_from("f16[64,33] f16[33,8]");
  const auto forward = tensor_core_verdict("mm", Phase::Forward, signature, kHalf, gpu("sm_90"));
  const auto backward = tensor_core_verdict("mm", Phase::Backward, signature, kHalf, gpu("sm_90"));
  EXPECT_EQ(forward->reason.find("forward op"), std::string::npos);
  EXPECT_NE(backward->reason.find("forward op"), std::string::npos);
}

TEST(TensorCoreVerdict, NeverCallsASizeIneligible) {
  for (int size = 1; size <= 17; ++size) {
    const auto text = std::to_string(size);
    const auto signature = signature_from("f16[" + text + "," + text + "] f16[" + text + "," + text + "]");
    const auto verdict = tensor_core_verdict("mm", Phase::Forward, signature, kHalf, gpu("sm_90"));
    EXPECT_EQ(verdict->rule_today, size % 8 == 0 ? RuleToday::Efficient : RuleToday::Inefficient) << size;
  }
}

}  // namespace
}  // namespace ampprof
