// SPDX-License-Identifier: Apache-2.0
// Tests the sentences of the rules, word by word.
#include <gtest/gtest.h>

#include <limits>
#include <ostream>

#include "precision/rules/verdict.h"

namespace ampprof::rules {
namespace reasons_test {

struct Said {
  const char* name;
  const char* device;
  const char* op;
  const char* signature;
  DType dtype;
  const char* reason;
};

void PrintTo(const Said& row, std::ostream* out) { *out << row.name; }

class ReasonOf : public testing::TestWithParam<Said> {};

TEST_P(ReasonOf, IsGivenInSentences) {
  const Said& row = GetParam();
  const auto device = gpu::device_caps(row.device).value();
  const auto verdict = tensor_core_verdict(row.op, Phase::Forward, signature_from(row.signature), row.dtype, device);
  EXPECT_EQ(verdict.value().reason, row.reason);
}

TEST(WhyOf, NamesTheTypeOrTheKindOfOpInAFewWords) {
  const auto why = [](const char* device, const char* op, const char* signature, DType dtype) {
    const auto caps = gpu::device_caps(device).value();
    return tensor_core_verdict(op, Phase::Forward, signature_from(signature), dtype, caps)->why;
  };
  EXPECT_EQ(why("T4", "mm", "bf16[8,7] bf16[7,8]", DType::BFloat16), "no BF16 on T4");
  EXPECT_EQ(why("H100", "mm", "f32[8,8] f32[8,8]", DType::Float), "FP32, no TF32");
  EXPECT_EQ(why("P100", "mm", "f16[8,8] f16[8,8]", DType::Half), "no Tensor Cores");
  EXPECT_EQ(why("H100", "mm", "i32[8,8] i32[8,8]", DType::Int32), "no i32 on H100");
  EXPECT_EQ(why("H100", "mm", "f16[8,7] f16[7,8]", DType::Half), "");
  EXPECT_EQ(why("H100", "embedding", "f32[27,30] i64[8]", DType::Float), "embedding");
  EXPECT_EQ(why("H100", "conv2d", "f32[8,32,9,9] f32[32,1,3,3] groups=32", DType::Float), "depthwise")
      << "no type helps";
}

TEST(IsRefusedForType, HoldsWhereAnotherTypeIsTheRemedy) {
  const auto is_refused = [](const char* op, const char* signature, DType dtype) {
    const auto caps = gpu::device_caps("T4").value();
    return is_refused_for_type(*tensor_core_verdict(op, Phase::Forward, signature_from(signature), dtype, caps));
  };
  EXPECT_TRUE(is_refused("mm", "bf16[8,7] bf16[7,8]", DType::BFloat16));
  EXPECT_FALSE(is_refused("mm", "f16[8,7] f16[7,8]", DType::Half));
  EXPECT_FALSE(is_refused("embedding", "f32[27,30] i64[8]", DType::Float)) << "its width is K of other matmuls";
}

constexpr const char* kAligned = "f16[256,64] f16[64,256]";

INSTANTIATE_TEST_SUITE_P(
    Rules, ReasonOf,
    testing::Values(
        Said{"efficient", "sm_90", "mm", kAligned, DType::Half, "Sizes are multiples of 8."},
        Said{"inefficient", "sm_90", "mm", "f16[256,63] f16[63,256]", DType::Half,
             "Tensor Cores can be used, but inefficiently: sm_90 wants multiples of 8 (16 bytes of FP16)."},
        Said{"of_bf16", "A100", "mm", "bf16[512,63] bf16[63,27648]", DType::BFloat16,
             "Tensor Cores can be used, but inefficiently: A100 wants multiples of 64 (128 bytes of BF16)."},
        Said{"of_fp64", "sm_90", "mm", "f64[128,63] f64[63,128]", DType::Double,
             "Tensor Cores can be used, but inefficiently: sm_90 wants multiples of 2 (16 bytes of FP64)."},
        Said{"of_fp8", "sm_90", "_scaled_mm", "f8e4m3[256,63] f8e4m3[63,256]", DType::Float8E4M3,
             "Tensor Cores can be used, but inefficiently: sm_90 wants multiples of 16 (16 bytes of FP8)."},
        Said{"of_the_other_fp8", "sm_90", "_scaled_mm", "f8e5m2[256,63] f8e5m2[63,256]", DType::Float8E5M2,
             "Tensor Cores can be used, but inefficiently: sm_90 wants multiples of 16 (16 bytes of FP8)."},
        Said{"fp32_without_tf32", "sm_90", "mm", "f32[128,63] f32[63,128]", DType::Float,
             "FP32 runs on Tensor Cores only where TF32 is allowed. Allow TF32, or use BF16 or FP16. The rule of 2018 "
             "asks for multiples of 8."},
        Said{"fp32_before_tf32", "T4", "mm", "f32[128,64] f32[64,128]", DType::Float,
             "T4 has no Tensor Cores for FP32. Use FP16."},
        Said{"bf16_before_ampere", "V100", "mm", "bf16[128,64] bf16[64,128]", DType::BFloat16,
             "V100 has no Tensor Cores for BF16. Use FP16."},
        Said{"integers", "sm_90", "mm", "i32[128,64] i32[64,128]", DType::Int32,
             "sm_90 has no Tensor Cores for this type. Use BF16 or FP16."},
        Said{"unknown_type", "sm_90", "mm", "f16[128,64] f16[64,128]", DType::Unknown,
             "sm_90 has no Tensor Cores for this type. Use BF16 or FP16."},
        Said{"no_tensor_cores", "P100", "mm", kAligned, DType::Half, "P100 has no Tensor Cores."},
        Said{"fp32_without_tensor_cores", "P100", "mm", "f32[8,8] f32[8,8]", DType::Float, "P100 has no Tensor Cores."},
        Said{"tiles", "sm_90", "mm", "f16[64,64] f16[64,64]", DType::Half,
             "The result fills about 13 % of its tiles of 256x128. Sizes are multiples of 8."},
        Said{"only_wave", "H100", "mm", kAligned, DType::Half,
             "About 98 % of the multiprocessors are idle in the only wave of tiles. Sizes are multiples of 8."},
        Said{"last_wave", "H100", "mm", "f16[34048,64] f16[64,128]", DType::Half,
             "About 50 % of the multiprocessors are idle in the last of 2 waves of tiles. Sizes are multiples of 8."},
        Said{"layout", "sm_90", "mm", "f16[256,64]{72,1}@8 f16[64,256]", DType::Half,
             "Rows must also begin at multiples of 16 bytes in memory; rows of a slice may begin elsewhere."},
        Said{"channels", "sm_90", "conv2d", "f16[8,3,9,9] f16[64,3,3,3]", DType::Half,
             "Tensor Cores can be used, but inefficiently: sm_90 wants multiples of 8 (16 bytes of FP16)."},
        Said{"channels_then", "P100", "conv2d", "f16[8,3,9,9] f16[64,3,3,3]", DType::Half,
             "P100 has no Tensor Cores. The rule of 2018 asks for multiples of 8. Since version 7.3 cuDNN pads the "
             "channels itself, which costs time."},
        Said{"embedding", "sm_90", "embedding", "f32[27,30] i64[8]", DType::Float,
             "An embedding looks rows up and multiplies nothing. The embedding's width is K of the matmuls that "
             "follow, and should be a multiple of 8."}),
    [](const auto& info) { return info.param.name; });

std::string reason_for_vocabulary(const char* signature, std::int64_t vocabulary) {
  const auto device = gpu::device_caps("sm_90").value();
  return tensor_core_verdict("mm", Phase::Forward, signature_from(signature), DType::Half, device, {{vocabulary}})
      ->reason;
}

TEST(ReasonOf, AVocabularySaysWhoseSizeItIs) {
  const std::string wants =
      "Tensor Cores can be used, but inefficiently: sm_90 wants multiples of 8 (16 bytes of FP16). ";
  EXPECT_EQ(reason_for_vocabulary("f16[256,64] f16[64,1019]", 1019),
            wants + "N is the vocabulary: pad it from 1019 to 1024 with tokens that never occur.");
  EXPECT_EQ(reason_for_vocabulary("f16[1019,64] f16[64,256]", 1019),
            wants + "M is the vocabulary: pad it from 1019 to 1024 with tokens that never occur.");
}

TEST(Vocabulary, IsASizeOfAMatmulAndNamedOnce) {
  const std::int64_t vocabularies[]{24};
  const auto device = gpu::device_caps("sm_90").value();
  const auto square = tensor_core_verdict("mm", Phase::Forward, signature_from("f16[24,24] f16[24,24]"), DType::Half,
                                          device, vocabularies);
  EXPECT_EQ(square->dims.size(), 4u);
  const auto convolution = tensor_core_verdict("conv2d", Phase::Forward, signature_from("f16[8,24,9,9] f16[24,24,3,3]"),
                                               DType::Half, device, vocabularies);
  EXPECT_EQ(convolution->dims.size(), 4u) << "channels are none";
}

TEST(Verdict, OfAnAlignedBackwardIsOnlyAboutItsSizes) {
  const auto verdict = tensor_core_verdict("mm", Phase::Backward, signature_from(kAligned), DType::Half,
                                           gpu::device_caps("sm_90").value());
  EXPECT_EQ(verdict->reason, "Sizes are multiples of 8.");
}

TEST(Verdict, PadsTheSmallestMatmul) {
  const auto verdict = tensor_core_verdict("mm", Phase::Forward, signature_from("f16[1,1] f16[1,1]"), DType::Half,
                                           gpu::device_caps("sm_90").value());
  EXPECT_EQ(verdict->padding_cost, 511) << "8 x 8 x 8 multiplications for one";
}

TEST(Verdict, OfAnEmbeddingHasNoCost) {
  const auto verdict = tensor_core_verdict("embedding", Phase::Forward, signature_from("f32[27,30] i64[8]"),
                                           DType::Float, gpu::device_caps("sm_90").value());
  EXPECT_EQ(verdict->padding_cost, 0);
  EXPECT_EQ(verdict->padded_extra_flops, std::nullopt);
}

TEST(RoundUp, IsTheNextMultipleThatFits) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();  // 7 more than a multiple of 8
  EXPECT_EQ(round_up(0, 8), 0);
  EXPECT_EQ(round_up(1, 8), 8);
  EXPECT_EQ(round_up(8, 8), 8);
  EXPECT_EQ(round_up(9, 8), 16);
  EXPECT_EQ(round_up(kLargest - 8, 8), kLargest - 7);
  EXPECT_EQ(round_up(kLargest, 8), kLargest) << "there is none";
}

TEST(DemandOf, ATypeWithoutASizeIsWholeBytes) {
  const auto device = gpu::device_caps("sm_90").value();
  EXPECT_EQ(rule_conditions_of(RuleAge::Today, DType::Unknown, device).multiple, 16);
  EXPECT_EQ(rule_conditions_of(RuleAge::Of2018, DType::Unknown, device).multiple, 8);
}

}  // namespace reasons_test
}  // namespace ampprof::rules
