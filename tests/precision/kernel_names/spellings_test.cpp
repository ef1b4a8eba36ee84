// SPDX-License-Identifier: Apache-2.0
// Tests each spelling that a kernel name can use for a property, and where the spelling ends.
#include <gtest/gtest.h>

#include <string>

#include "precision/kernel_names/classify.h"
#include "precision/kernel_names/name_words.h"

namespace ampprof::kernel_names {
namespace spellings_test {

struct Spelled {
  const char* name;
  const char* says;
};

void PrintTo(const Spelled& one, std::ostream* out) { *out << one.name; }

std::string by_index(const testing::TestParamInfo<Spelled>& info) { return std::to_string(info.index); }

class RuleOfKernel : public testing::TestWithParam<Spelled> {};

TEST_P(RuleOfKernel, EachSpelling) { EXPECT_EQ(classify_kernel(GetParam().name).evidence, GetParam().says); }

INSTANTIATE_TEST_SUITE_P(
    Names, RuleOfKernel,
    testing::Values(
        Spelled{"xmma_gemm_ffma", "ffma"}, Spelled{"xmma_gemm_dfma", "ffma"}, Spelled{"xmma_gemm_hfma2", "ffma"},
        Spelled{"xmma_gemm_fma", ""}, Spelled{"cutlass_simt_gemm", "simt"}, Spelled{"Gemm<OpClassSimt>", "simt"},
        Spelled{"xmma_tensor1688", "tensor_shape"}, Spelled{"xmma_tensor8x8x4", "tensor_shape"},
        Spelled{"xmma_tensor8x8", ""}, Spelled{"xmma_tensor2", ""}, Spelled{"xmma_sensor8x8x4", ""},
        Spelled{"gemm_tensorop", "tensorop"}, Spelled{"gemm_bstensorop", "tensorop"},
        Spelled{"gemm_sptensorop", "tensorop"}, Spelled{"gemm_xtensorop", ""}, Spelled{"gemm_hmma", "mma_word"},
        Spelled{"gemm_imma", "mma_word"}, Spelled{"gemm_dmma", "mma_word"}, Spelled{"gemm_qmma", "mma_word"},
        Spelled{"gemm_HMMAIff", "mma_word"}, Spelled{"gemm_HMMAIfff", ""}, Spelled{"gemm_xmma", ""},
        Spelled{"nvjet_hsh", "nvjet"}, Spelled{"a_nvjet_hsh", ""},
        Spelled{"fmha_cutlassF_f16_rf_sm70", "fused_attention"},
        Spelled{"fmha_cutlassB_bf16_rf_sm80", "fused_attention"},
        Spelled{"fmha_cutlassF_f16_rf_sm69", "fused_attention_scalar"},
        Spelled{"fmha_cutlassF_f32_rf_sm69", "fused_attention_scalar"},
        Spelled{"fmha_cutlassF_f32_rf_sm79", "fused_attention_scalar"}, Spelled{"fmha_cutlassF_f32_rf_sm80", ""},
        Spelled{"fmha_cutlassF_f16", ""}, Spelled{"fmha_cutlassF_f32", ""}, Spelled{"fmha_f16_sm80", ""},
        Spelled{"_Z4gemmcublasGemvParams", "classic_blas"}, Spelled{"_Z11gemm_kernel1_core", "classic_blas"},
        Spelled{"_Z11gemm_kernel1_cor", ""}, Spelled{"_Z8gem_kern1_core", ""}, Spelled{"gemm_kernel1_core", ""},
        Spelled{"4gemmcublasGemmParams", ""}, Spelled{"_Z4gemm8cublasLtParams", ""},
        Spelled{"_Z4gemm6cublas7cutlassParams", ""}, Spelled{"_Z4gemm6cublasPar", ""}, Spelled{"_Z4gemmParams", ""},
        Spelled{"cudnn::grouped_direct_kernel", "direct_convolution"},
        Spelled{"cudnn::convolve_common_engine", "direct_convolution"},
        Spelled{"_ZN17cublasLt_imma_emu5slice", "matmul_helper"},
        Spelled{"at::native::reduce_kernel", "library_kernel"}, Spelled{"reduce_kernel", ""},
        Spelled{"at::native::conv2d", ""}, Spelled{"at::native::gemm", ""}, Spelled{"at::native::flash_", ""},
        Spelled{"at::native::own", ""}, Spelled{"cudnn::attention", ""}),
    by_index);

TEST(Executed, WithoutTensorCoresIsWorthAWordWhereInputsAreHalf) {
  for (const char* name :
       {"xmma_gemm_f16f16_f32f32_f32_ffma", "cutlass_80_simt_hgemm_128x64", "xmma_depthwise_convolution_f16f16_f32f32",
        "gemv<__half>", "hgemm_128x64", "fmha_cutlassF_f16_rf_sm50", "cudnn::convolve_common_engine<__half>",
        "_Z4gemm6__halfcublasGemmParams"}) {
    EXPECT_EQ(name_of(classify_kernel(name).executed), "fp16_not_tc") << name;
  }
  for (const char* name : {"xmma_gemm_f32f32_f32f32_f32_ffma", "sgemm_128x64", "split_k_kernel_f16_gemm"}) {
    EXPECT_EQ(name_of(classify_kernel(name).executed), "not_used") << name;
  }
}

class ArchitectureOfKernel : public testing::TestWithParam<Spelled> {};

TEST_P(ArchitectureOfKernel, EachSpelling) {
  const auto sm = classify_kernel(GetParam().name).sm;
  EXPECT_EQ(sm ? std::to_string(*sm) : "", GetParam().says);
}

INSTANTIATE_TEST_SUITE_P(Names, ArchitectureOfKernel,
                         testing::Values(Spelled{"sm50_x", "50"}, Spelled{"sm49_x", ""}, Spelled{"sm199_x", "199"},
                                         Spelled{"sm200_x", ""}, Spelled{"sm_90", ""}, Spelled{"cutlass_50_x", "50"},
                                         Spelled{"cutlass_49_x", ""}, Spelled{"cutlass_199_x", "199"},
                                         Spelled{"cutlass_200_x", ""}, Spelled{"x_cutlass", ""},
                                         Spelled{"52cutlass_80_x", "80"}, Spelled{"maxwell_x", "52"},
                                         Spelled{"volta_x", "70"}, Spelled{"Turing_x", "75"},
                                         Spelled{"6ampere_x", "80"}, Spelled{"hopper", "90"},
                                         Spelled{"blackwell_x", "100"}, Spelled{"amperes", ""}, Spelled{"empere", ""},
                                         Spelled{"123", ""}, Spelled{"x_80", ""}),
                         by_index);

class TileOfKernel : public testing::TestWithParam<Spelled> {};

TEST_P(TileOfKernel, EachSpelling) {
  const auto tile = classify_kernel(GetParam().name).tile;
  const auto text = [](const Tile& of) {
    return std::to_string(of.m) + ' ' + std::to_string(of.n) + ' ' + std::to_string(of.k);
  };
  EXPECT_EQ(tile ? text(*tile) : "", GetParam().says);
}

INSTANTIATE_TEST_SUITE_P(
    Names, TileOfKernel,
    testing::Values(Spelled{"xmma_tilesize64x32x16", "64 32 16"}, Spelled{"sgemm_64x32", "64 32 0"},
                    Spelled{"sgemm_64x32_8x5", "64 32 8"}, Spelled{"sgemm_64x32_8x5x4", "64 32 0"},
                    Spelled{"sgemm_64x32_tn_stages_16x3", "64 32 16"}, Spelled{"sgemm_64x32_stages", "64 32 0"},
                    Spelled{"sgemm_9999x1", "9999 1 0"}, Spelled{"sgemm_10000x1", ""}, Spelled{"sgemm_0x1", ""},
                    Spelled{"sgemm_64", ""}, Spelled{"sgemm_1x2x3x4", ""}, Spelled{"sgemm_64y32", ""},
                    Spelled{"sgemm_64x32x", ""}, Spelled{"xmma_depthwise_64x32", ""}),
    by_index);

class TypesOfKernel : public testing::TestWithParam<Spelled> {};

TEST_P(TypesOfKernel, EachSpelling) {
  const KernelTypes types = classify_kernel(GetParam().name).types;
  std::string text;
  for (const auto& type : {types.input, types.output, types.multiply, types.accumulate}) {
    text += (text.empty() ? "" : " ") + std::string(type ? short_name(*type) : "-");
  }
  EXPECT_EQ(text + (types.tf32 ? " tf32" : ""), GetParam().says);
}

INSTANTIATE_TEST_SUITE_P(
    Names, TypesOfKernel,
    testing::Values(
        Spelled{"s16816gemm_a_b_f16", "f16 f32 f16 f32"}, Spelled{"s16816gemm_a_b_c_f16", "f32 f32 f32 f32"},
        Spelled{"s16816gemm_64x64_f16", "f32 f32 f32 f32"}, Spelled{"s16816gemm_f16f16", "f32 f32 f32 f32"},
        Spelled{"bf16_s16816gemm_f16", "f16 bf16 f16 f32"}, Spelled{"bf16bf16_s16816gemm_f16", "f16 f32 f16 f32"},
        Spelled{"s1688gemm_64x64", "f32 f32 f32 f32 tf32"}, Spelled{"h1688gemm_64x64", "f16 f16 f16 f16"},
        Spelled{"s884gemm_64x64", "f32 f32 f32 f32"}, Spelled{"s1688tf32gemm_64x64", "f32 f32 f32 f32 tf32"},
        Spelled{"s1688gemm_tf32", "f32 f32 f32 f32 tf32"}, Spelled{"c1688gemm_64x64", "complex complex f32 f32 tf32"},
        Spelled{"z884gemm_cf64", "complex complex f64 f64"}, Spelled{"dgemm_64x64", "f64 f64 f64 f64"},
        Spelled{"cgemm_64x64", "complex complex f32 f32"}, Spelled{"i8816gemm_int8x4", "i8 - i8 i32"},
        Spelled{"i8816gemm_uint8x32", "u8 - u8 i32"}, Spelled{"s16816gemm_ue8m0xe4m3", "f8e4m3 f32 f8e4m3 f32"},
        Spelled{"s16816gemm_ue4m3xe2m1", "- f32 - f32"}, Spelled{"884gemm_f16", "f16 - f16 -"},
        Spelled{"xmma_gemm_f16_f16f16_f16f32_f32", "f16 f16 f16 f32"}, Spelled{"xmma_gemm_f16f16", "- - - -"},
        Spelled{"xmma_gemm_f16f16_f16", "- - - -"}, Spelled{"cutlass3x_gemm_f16_bf16_f32_e4m3", "f16 f8e4m3 f16 f32"},
        Spelled{"cutlass3x_gemm_f16_bf16_f32", "- - - -"},
        Spelled{"cutlass3x_gemm_tf32_tf32_f32_f32", "f32 f32 f32 f32 tf32"},
        Spelled{"cutlass3x_gemm_f16_f16_f32_void_f16_e4m3_64x64", "f16 f16 f16 f32"},
        Spelled{"nvjet_hsh_64x64", "f16 f16 f16 f32"}, Spelled{"nvjet_hsh", "- - - -"},
        Spelled{"nvjet_sm90_dss_64x64", "f64 f32 f64 f32"}, Spelled{"nvjet_iii_64x64", "- - - -"},
        Spelled{"nvjet_sss_tf32_64x64", "f32 f32 f32 f32 tf32"}, Spelled{"own_nvjet_hsh_gemm", "- - - -"},
        Spelled{"fmha_cutlassF_f16f16_bf16_f16", "bf16 bf16 bf16 f32"}, Spelled{"flash_fwd<half_t>", "f16 f16 f16 f32"},
        Spelled{"flash_fwd<float>", "- - - -"}, Spelled{"fmha_own_f16", "- - - -"},
        Spelled{"gemv<__nv_bfloat16, __half>", "bf16 - - -"}, Spelled{"convolve_sgemm<__half>", "f32 f32 f32 f32"},
        Spelled{"_Z1convolve_sgemm_6__half", "f16 - f32 f32"}, Spelled{"own_gemv", "- - - -"}),
    by_index);

std::string text_of(const std::optional<MatmulWord>& word) {
  if (!word) return "";
  return (word->letter == 0 ? std::string("-") : std::string(1, word->letter)) + ' ' + std::string(word->shape) + ' ' +
         std::string(word->operation);
}

class MatmulWordOf : public testing::TestWithParam<Spelled> {};

TEST_P(MatmulWordOf, EachSpelling) { EXPECT_EQ(text_of(matmul_word(GetParam().name)), GetParam().says); }

INSTANTIATE_TEST_SUITE_P(
    Words, MatmulWordOf,
    testing::Values(Spelled{"s16816gemm", "s 16816 gemm"}, Spelled{"884gemm", "- 884 gemm"},
                    Spelled{"gs884gemm", "s 884 gemm"}, Spelled{"ags884gemm", ""}, Spelled{"s885gemm", ""},
                    Spelled{"s1688abcdegemm", "s 1688 abcdegemm"}, Spelled{"s1688abcdefgemm", ""},
                    Spelled{"s884fprop", "s 884 fprop"}, Spelled{"s884dgrad", "s 884 dgrad"},
                    Spelled{"s884wgrad", "s 884 wgrad"}, Spelled{"s884cudnn", "s 884 cudnn"}, Spelled{"s884", ""},
                    Spelled{"sgemm", "s  gemm"}, Spelled{"hcudnn", "h  cudnn"}, Spelled{"gzgemm", "z  gemm"},
                    Spelled{"gcgemm", "c  gemm"}, Spelled{"ggemm", ""}, Spelled{"gsgemm", ""}, Spelled{"gemm", ""},
                    Spelled{"sfprop", ""}, Spelled{"xgemm", ""}, Spelled{"s", ""}, Spelled{"gz", ""}, Spelled{"", ""}),
    by_index);

TEST(NumberWords, AreTheWholeWord) {
  EXPECT_EQ(number_words("e4m3e5m2bf16").size(), 3u);
  EXPECT_EQ(number_words("cf32").at(0).complex, true);
  EXPECT_EQ(number_words("f32").at(0).complex, false);
  EXPECT_EQ(number_words("tf32").at(0).tf32, true);
  for (const char* word : {"", "f16x", "xf16", "c", "int8y4"}) EXPECT_TRUE(number_words(word).empty()) << word;
  for (const char* word : {"int8x4", "uint8x4", "int8"}) EXPECT_EQ(number_words(word).size(), 1u) << word;
}

TEST(NameWords, AreAtMostFourHundred) {
  std::string name;
  for (int i = 0; i < 399; ++i) name += "a_";
  EXPECT_EQ(classify_kernel(name + "hmma").evidence, "mma_word");
  EXPECT_EQ(classify_kernel(name + "a_hmma").evidence, "");
  EXPECT_EQ(words_of("_a__b").words, (std::vector<std::string_view>{"a", "b"}));
}

TEST(KernelName, CountsUpToItsLongest) {
  const std::string name(kLongestKernelName - 4, '-');
  EXPECT_EQ(classify_kernel(name + "gemm").kind, KernelKind::Gemm);
  EXPECT_EQ(classify_kernel(name + "-gemm").kind, KernelKind::Other);
}

}  // namespace spellings_test
}  // namespace ampprof::kernel_names
