// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>
#include <ostream>

#include "precision/rules/verdict.h"

namespace ampprof::rules {
namespace tensor_core_verdict_test {

gpu::DeviceCaps gpu_named(std::string_view name) { return gpu::device_caps(name).value(); }

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
      tensor_core_verdict(row.op, Phase::Forward, signature_from(row.signature), row.dtype, gpu_named(row.device));
  ASSERT_TRUE(verdict.has_value());
  EXPECT_EQ(verdict->dtype_ok, row.dtype_ok);
  EXPECT_EQ(name_of(verdict->rule_2018), row.rule_2018);
  EXPECT_EQ(name_of(verdict->rule_today), row.rule_today);
  EXPECT_EQ(verdict->offending, row.offending);
  EXPECT_EQ(verdict->padded, row.padded);
  EXPECT_DOUBLE_EQ(verdict->padding_cost, row.padding_cost);
  EXPECT_EQ(verdict->executed, kernel_names::Executed::Unknown);
  EXPECT_EQ(verdict->evidence, "no kernel record");
  EXPECT_EQ(verdict->target_gpu, gpu_named(row.device).name);
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
             "inefficient", "M = 30, N = 10", "M = 32, N = 16", 32.0 * 16 / 300 - 1},
        Case{"a100_wants_128_bytes", "A100", "mm", "f16[64,64] f16[64,8]", kHalf, true, "aligned", "inefficient",
             "N = 8", "N = 64", 7.0},
        Case{"a100_with_128_bytes", "A100", "mm", "f16[64,64] f16[64,128]", kHalf, true, "aligned", "efficient", "", "",
             0},
        Case{"bf16_before_ampere", "V100", "mm", "bf16[64,64] bf16[64,64]", DType::BFloat16, false, "aligned",
             "not_eligible", "", "", 0},
        Case{"bf16_on_hopper", "H100", "mm", "bf16[64,64] bf16[64,4]", DType::BFloat16, true, "not_aligned",
             "inefficient", "N = 4", "N = 8", 1.0},
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
  auto device = gpu_named("sm_90");
  const auto signature = signature_from("f32[4,12] f32[12,6]");
  EXPECT_EQ(tensor_core_verdict("mm", Phase::Forward, signature, kFloat, device)->rule_today, RuleToday::NotEligible);
  device.tf32_allowed = true;
  const auto verdict = tensor_core_verdict("mm", Phase::Forward, signature, kFloat, device);
  EXPECT_TRUE(verdict->dtype_ok);
  EXPECT_EQ(verdict->offending, "N = 6");
  EXPECT_EQ(verdict->padded, "N = 8") << "TF32 wants multiples of 4";
}

TEST(TensorCoreVerdict, SaysWhatPaddingCostsInFlopsAndBytes) {
  const auto verdict =
      tensor_core_verdict("mm", Phase::Forward, signature_from("f16[64,33] f16[33,8]"), kHalf, gpu_named("sm_90"));
  EXPECT_EQ(verdict->padded_extra_flops, 2.0 * 64 * 8 * 7);
  EXPECT_EQ(verdict->padded_extra_bytes, 2.0 * (64 * 7 + 7 * 8)) << "the result does not grow with K";
}

TEST(TensorCoreVerdict, SaysNothingOfCostsWhereTheImageIsUnknown) {
  const auto signature = signature_from("f16[64,3,32,32] f16[64,3,3,3] groups=1");
  const auto verdict = tensor_core_verdict("conv2d", Phase::Forward, signature, kHalf, gpu_named("H100"));
  EXPECT_EQ(verdict->padding_cost, 8.0 / 3 - 1) << "a ratio needs no image";
  EXPECT_EQ(verdict->padded_extra_flops, std::nullopt);
  EXPECT_FALSE(verdict->tiling);
}

TEST(TensorCoreVerdict, NamesTheVocabulary) {
  const std::int64_t vocabularies[] = {27};
  const auto verdict = tensor_core_verdict("linear", Phase::Forward, signature_from("f16[64,32] f16[27,32] f16[27]"),
                                           kHalf, gpu_named("sm_90"), vocabularies);
  EXPECT_EQ(verdict->dims.back(), (std::pair<std::string, std::int64_t>("vocabulary", 27)));
  EXPECT_EQ(verdict->offending, "N = 27");
  EXPECT_NE(verdict->reason.find("from 27 to 32"), std::string::npos) << verdict->reason;
}

TEST(TensorCoreVerdict, SaysTheSameOfAnEmbeddingWhateverItsType) {
  for (const DType dtype : {kHalf, kFloat}) {
    const auto verdict =
        tensor_core_verdict("embedding", Phase::Forward, signature_from("f32[27,30] i64[8,9]"), dtype, gpu_named("sm_90"));
    EXPECT_EQ(verdict->rule_today, RuleToday::NotEligible);
    EXPECT_EQ(verdict->rule_2018, Rule2018::NotAligned);
    EXPECT_EQ(verdict->offending, "embedding = 30");
    EXPECT_EQ(verdict->padded, "embedding = 32");
    EXPECT_EQ(verdict->reason.find("FP32"), std::string::npos) << "the type is not the reason";
  }
}

TEST(TensorCoreVerdict, AddsALayoutThatIsToBlameToTheSizes) {
  const auto signature = signature_from("f16[64,32]{33,1}@2 f16[32,9]");
  const auto verdict = tensor_core_verdict("mm", Phase::Forward, signature, kHalf, gpu_named("sm_90"));
  EXPECT_EQ(verdict->rule_today, RuleToday::Inefficient);
  EXPECT_EQ(verdict->offending, "N = 9, leading dimension of operand A = 33, address alignment of operand A = 2");
  EXPECT_EQ(verdict->padded, "N = 16, leading dimension of operand A = 40, address alignment of operand A = 16");
  EXPECT_DOUBLE_EQ(verdict->padding_cost, 16.0 / 9 - 1) << "only sizes cost multiplications";
}

TEST(TensorCoreVerdict, SurvivesSizesThatNoMemoryHolds) {
  const std::string largest = std::to_string(std::numeric_limits<std::int64_t>::max());
  const std::string square = "f16[" + largest + "," + largest + "] ";
  const auto verdict = tensor_core_verdict("mm", Phase::Forward, signature_from(square + square), kHalf, gpu_named("A100"));
  EXPECT_TRUE(verdict.has_value());
  const std::string batches = "f16[" + largest + "," + largest + ",2] ";
  EXPECT_FALSE(tensor_core_verdict("matmul", Phase::Forward, signature_from(batches + "f16[2,2]"), kHalf, gpu_named("A100")));
  const std::string many = "f16[" + largest + "," + largest + ",2,2] ";
  EXPECT_FALSE(tensor_core_verdict("matmul", Phase::Forward, signature_from(many + many), kHalf, gpu_named("A100")));
  EXPECT_FALSE(tensor_core_verdict("conv2d", Phase::Forward,
                                   signature_from("f16[1,1,1,1] f16[1," + largest + ",1,1] groups=2"), kHalf,
                                   gpu_named("A100")));
}

TEST(TensorCoreVerdict, SendsABackwardOpToItsForwardOp) {
  const auto signature = signature_from("f16[64,33] f16[33,8]");
  const auto forward = tensor_core_verdict("mm", Phase::Forward, signature, kHalf, gpu_named("sm_90"));
  const auto backward = tensor_core_verdict("mm", Phase::Backward, signature, kHalf, gpu_named("sm_90"));
  EXPECT_EQ(forward->reason.find("forward op"), std::string::npos);
  EXPECT_NE(backward->reason.find("forward op"), std::string::npos);
}

TEST(TensorCoreVerdict, NeverCallsASizeIneligible) {
  for (int size = 1; size <= 17; ++size) {
    const auto text = std::to_string(size);
    const auto signature = signature_from("f16[" + text + "," + text + "] f16[" + text + "," + text + "]");
    const auto verdict = tensor_core_verdict("mm", Phase::Forward, signature, kHalf, gpu_named("sm_90"));
    EXPECT_EQ(verdict->rule_today, size % 8 == 0 ? RuleToday::Efficient : RuleToday::Inefficient) << size;
  }
}

}  // namespace tensor_core_verdict_test
}  // namespace ampprof::rules
