// SPDX-License-Identifier: Apache-2.0
#include "precision/kernel_names/classify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <string>

#include "precision/kernel_names/name_rules.h"

namespace ampprof::kernel_names {
namespace classify_test {

struct Case {
  const char* label;
  std::string_view name;
  Executed executed;
  std::string_view rule;
  KernelKind kind;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

class KernelName : public testing::TestWithParam<Case> {};

TEST_P(KernelName, IsDecidedByItsRule) {
  const KernelFacts facts = classify_kernel(GetParam().name);
  EXPECT_EQ(name_of(facts.executed), name_of(GetParam().executed));
  EXPECT_EQ(facts.evidence, GetParam().rule);
  EXPECT_EQ(name_of(facts.kind), name_of(GetParam().kind));
}

using enum Executed;
using Kind = KernelKind;

// Names in cuBLAS 13, cuDNN 9 and LibTorch 2.11. They were checked against the kernels' instructions if the library
// contains the machine code.
const Case kCases[] = {
    {"volta_h884", "volta_h884gemm_128x64_ldg8_nn", Used, "instruction_shape", Kind::Gemm},
    {"volta_cudnn", "_5x_cudnn_volta_s884cudnn_fp16_256x64_ldg8_splitK_relu_exp_interior_nhwc_tn_v1", Used,
     "instruction_shape", Kind::Convolution},
    {"volta_scalar", "volta_fp16_sgemm_fp16_64x32_sliced1x4_nn", Fp16NotTensorCore, "no_shape", Kind::Gemm},
    {"volta_dp4a", "_5x_cudnn_volta_fp32_icudnn_int8x4_128x32_relu_xregs_interior_nn_v1", NotUsed, "no_shape",
     Kind::Convolution},
    {"turing", "turing_fp16_s1688gemm_fp16_256x128_ldg8_relu_f2f_tt", Used, "instruction_shape", Kind::Gemm},
    {"turing_gaussian", "turing_gzgemm_32x32_cn", NotUsed, "no_shape", Kind::Gemm},
    {"ampere_sgemm", "ampere_sgemm_128x64_nn", NotUsed, "no_shape", Kind::Gemm},
    {"ampere_xmma",
     "sm80_xmma_fprop_implicit_gemm_bf16bf16_bf16f32_f32_nhwckrsc_nhwc_tilesize128x64x32_stage4_warpsize2x2x1_g1_"
     "tensor16x8x16_t1r3s3_execute_kernel__5x_cudnn",
     Used, "tensor_shape", Kind::Convolution},
    {"split_k_of_it",
     "sm80_xmma_fprop_implicit_gemm_bf16bf16_bf16f32_f32_nhwckrsc_nhwc_tilesize128x64x32_stage4_warpsize2x2x1_g1_"
     "tensor16x8x16_t1r3s3_execute_split_k_kernel__5x_cudnn",
     NotUsed, "split_k_pass", Kind::SplitKReduction},
    {"ffma_of_fp16",
     "sm80_xmma_gemm_f16f16_f32f32_f32_tn_n_tilesize64x64x8_stage3_warpsize2x2x1_ffma_aligna4_alignc4_execute_kernel__"
     "5x_"
     "cublas",
     Fp16NotTensorCore, "ffma", Kind::Gemm},
    {"depthwise", "sm80_xmma_depthwise_convolution_wgrad_tiling_f32f32_f32f32_f32_nhwckrsc_nhwc_tilesize1x10x10",
     NotUsed, "depthwise", Kind::Convolution},
    {"ada_fp8",
     "sm89_xmma_gemm_e4m3bf16_e4m3f32_f32_tn_n_tilesize64x128x64_stage4_warpsize2x2x1_tensor16x8x32_execute_kernel__5x_"
     "cublas",
     Used, "tensor_shape", Kind::Gemm},
    {"hopper",
     "sm90_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize64x64x64_cgasize1x1x1_warpgroupsize1x1x1_aligna2_alignc2_execute_"
     "segment_k_off_kernel__5x_cublas",
     Used, "warp_group", Kind::Gemm},
    {"nvjet", "nvjet_hsh_128x64_64x6_2x1_v_bz_coopA_NTN", Used, "nvjet", Kind::Gemm},
    {"blackwell",
     "cutlass3x_sm100_tensorop_s128x64x16_conv2d_fprop_bn_stat_f16_f16_f32_f16_128x64x64_dyn_cga_ndhwc_ndhwc_ndhwc",
     Used, "tensorop", Kind::Convolution},
    {"blackwell_block_scaled",
     "cutlass3x_sm100_bstensorop_s128x128x32gemm_block_scaled_ue8m0xf8_ue8m0xf8_f32_bf16_ue8m0xe5m2_128x128x128_0_nnn",
     Used, "tensorop", Kind::Gemm},
    {"cutlass_2", "_ZN7cutlass7Kernel2I52cutlass_80_tensorop_s1688gemm_128x128_16x3_tn_align4EEvNT_6ParamsE", Used,
     "tensorop", Kind::Gemm},
    {"cutlass_simt", "cutlass_80_simt_sgemm_128x64_8x5_nt_align1", NotUsed, "simt", Kind::Gemm},
    {"emulated_fp64", "cublasLt_fused_imma_dgemm_kernel_sm90", Used, "mma_word", Kind::Gemm},
    {"reorders", "_ZN4xmma13implicit_gemm25cuda_reorder_hmma_filterENS0_26Reorder_imma_filter_paramsE", NotUsed,
     "matmul_helper", Kind::Convolution},
    {"matrix_vector", "_Z13gemv2N_kernelIii6__halfS0_S0_fLi128ELi1ELi4ELi4ELi1ELb1E18cublasGemvParamsExIiEEvT11_",
     Fp16NotTensorCore, "matrix_vector", Kind::Gemm},
    {"splitKreduce", "_ZN8cublasLt19splitKreduce_kernelILi32ELi16EiffffLb1ELb0ELb0EEEvv", NotUsed, "split_k_pass",
     Kind::SplitKReduction},
    {"classic_blas", "_Z17trsm_right_kernelIifLi256ELi4ELb0ELb1ELb1ELb1ELb0EEv16cublasTrsmParamsIT_T0_ES3_PKS3_i",
     NotUsed, "classic_blas", Kind::Gemm},
    {"attention", "fmha_cutlassF_f16_aligned_64x64_rf_sm80(Params)", Used, "fused_attention", Kind::Attention},
    {"attention_old", "fmha_cutlassF_f16_aligned_64x64_rf_sm50(Params)", Fp16NotTensorCore, "fused_attention_scalar",
     Kind::Attention},
    {"attention_fp32", "fmha_cutlassF_f32_aligned_64x64_rf_sm80(Params)", Unknown, "", Kind::Attention},
    {"flash",
     "void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<64, 128, 128, 4, false, false, "
     "cutlass::bfloat16_t>, false>(Flash_fwd_params)",
     Used, "flash_attention", Kind::Attention},
    {"flash_combine", "void pytorch_flash::flash_fwd_splitkv_combine_kernel<cutlass::half_t>(Flash_fwd_params)",
     NotUsed, "matmul_helper", Kind::Attention},
    {"template", "void cutlass::Kernel<cutlass::gemm::Gemm<float, cutlass::arch::OpClassTensorOp>>(Params)", Used,
     "mma_template", Kind::Gemm},
    {"elementwise", "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>(int)",
     NotUsed, "library_kernel", Kind::Elementwise},
    {"elementwise_of_a_tensor2",
     "_ZN2at6native29vectorized_elementwise_kernelILi4EZZZNS0_34addcmul_cuda_scalar_tensor2_kernelERNS_EEviT0_T1_",
     NotUsed, "library_kernel", Kind::Elementwise},
    {"softmax", "void (anonymous namespace)::softmax_warp_forward<float>(at::native::Arguments)", NotUsed,
     "library_kernel", Kind::Softmax},
    {"optimizer", "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<FusedAdamMathFunctor>()", NotUsed,
     "library_kernel", Kind::Optimizer},
    {"memcpy", "Memcpy HtoD (Pageable -> Device)", NotUsed, "driver_copy", Kind::Memory},
    // Recorded on an H100.
    {"softmax_of_libtorch",
     "_ZN43_GLOBAL__N__b6de9c8c_10_SoftMax_cu_9f978f6320softmax_warp_forwardIfffLi6ELb0ELb0EEEvPT0_PKT_iiiPKbib",
     NotUsed, "library_kernel", Kind::Softmax},
    {"max_pool",
     "_ZN2at6native52_GLOBAL__N__e57809e0_19_DilatedMaxPool2d_cu_6258b57421max_pool_forward_nchwIdiEEvT0_PKT_"
     "llliiiiiiiiiiPS4_Pl",
     NotUsed, "library_kernel", Kind::Reduction},
    {"triangle", "_ZN2at6native16triu_tril_kernelIbiLb1ELi8ELb0EEEvNS_4cuda6detail10TensorInfoIT_T0_EENS4_IKS5_S6_EEllS6_",
     NotUsed, "library_kernel", Kind::Elementwise},
    {"epilogue", "_ZN8cublasLt8epilogue4impl12globalKernelILi8ELi32EfffLb1ELb1ELi1EEEviilPT1_18cublasLtEpilogue_tiPT2_lPv",
     NotUsed, "library_kernel", Kind::Elementwise},
    {"workspace",
     "_ZN21cask_plugin__5x_cudnn14xmma__5x_cudnn28init_device_workspace_kernelIN14xmma__5x_cudnn13implicit_gemm13wgrad_"
     "indexed23Warp_specialized_paramsINS2_20Grid_constant_paramsEEEEEvT_b",
     NotUsed, "matmul_helper", Kind::Convolution},
    {"winograd_transform", "_ZN5cudnn17winograd_nonfused20winogradWgradData4x4IffEEvNS0_18WinogradDataParamsIT_T0_EE",
     NotUsed, "matmul_helper", Kind::Convolution},
    {"dgrad_engine",
     "_ZN5cudnn6detail12dgrad_engineIfLi512ELi6ELi5ELi3ELi3ELi3ELb0EEEviiiPKT_iS4_iPS2_18kernel_grad_paramsyiyifiii",
     NotUsed, "direct_convolution", Kind::Convolution},
    {"wgrad_alg0", "_Z17wgrad_alg0_engineIfLi128ELi5ELi5ELi3ELi3ELi3ELb0ELi512EEviiiPKT_iPS0_S2_18kernel_grad_paramsyifiiii",
     NotUsed, "direct_convolution", Kind::Convolution},
    {"large_k", "_Z18sgemm_largek_lds64ILb1ELb0ELi5ELi5ELi4ELi4ELi4ELi34EEvPfPKfS2_iiiiiiS2_S2_ffiiPiS3_", NotUsed,
     "classic_blas", Kind::Gemm},
    {"lstm_in_fma", "_Z28RNN_blockPersist_bp_LSTM_FMAI6__halfS0_fLi128EEv18block_bp_args_lstmIT_T0_E", Fp16NotTensorCore,
     "recurrent_fma", Kind::Gemm},
    {"lstm", "_Z24RNN_blockPersist_fp_LSTMI6__halfS0_fLi128EEvPKT_PT0_S3_PS1_S3_S6_S6_PKS4_S3_S6_iiiiii", Fp16NotTensorCore,
     "recurrent_fma", Kind::Gemm},
    {"lstm_in_hmma", "_Z29RNN_blockPersist_fp_LSTM_HMMAI6__halfS0_fLi1ELi96EEvPKT_PT0_S3_PS1_S3_S6_S6_PKS4_S3_S6_iiiiii", Used,
     "mma_word", Kind::Gemm},
    {"cutlass_convolution",
     "_ZN17cutlass__5x_cudnn6KernelINS_4conv6kernel23ImplicitGemmConvolutionINS1_11threadblock22ImplicitGemmMultistageINS_"
     "6half_tENS4_4warp11MmaTensorOpINS7_ILi32ELi32ELi64EEEEEEEEEvNT_6ParamsE",
     Used, "mma_template", Kind::Convolution},
    {"triton", "triton_poi_fused_add_0", Unknown, "", Kind::Elementwise},
    {"own_softmax", "my_softmax_kernel", Unknown, "", Kind::Softmax},
    {"cudnn_fused", "cudnn_generated_fort_native_sdpa_sm80_flash_fprop_f16_knob_3_64x64x128_4x1x1_kernel0_0", Unknown,
     "", Kind::Attention},
    {"own", "kernel", Unknown, "", Kind::Other},
    {"empty", "", Unknown, "", Kind::Other},
};

INSTANTIATE_TEST_SUITE_P(Real, KernelName, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.label); });

// Recorded by CUPTI on an H100 (CUDA 13.0, cuDNN 9, LibTorch 2.11): small networks at O0 to O3, ResNet-50, GPT-2. Each
// line is a verdict and a name. The verdicts were determined manually from the op that launched the kernel.
TEST(KernelName, OfEachKernelSeenOnAnH100HasItsVerdict) {
  std::ifstream file(AMPPROF_GOLDEN_FOLDER "/kernels_of_h100.txt");
  int names = 0;
  for (std::string verdict, name; file >> verdict && std::getline(file >> std::ws, name); ++names) {
    EXPECT_EQ(name_of(classify_kernel(name).executed), verdict) << name;
  }
  EXPECT_EQ(names, 525);
}

std::string types_in(std::string_view name) {
  const KernelTypes types = classify_kernel(name).types;
  std::string text;
  for (const auto& type : {types.input, types.output, types.multiply, types.accumulate}) {
    text += (text.empty() ? "" : " ") + std::string(type ? short_name(*type) : "-");
  }
  return types.tf32 ? text + " tf32" : text;
}

TEST(KernelTypes, AreReadFromEachNaming) {
  const std::map<std::string_view, std::string_view> names{
      {"sm80_xmma_gemm_f16f16_f32f32_f32_tn_n_tilesize64x64x8_ffma_execute_kernel", "f16 f16 f32 f32"},
      {"sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize64x64x8_tensor16x8x8", "f32 f32 f32 f32 tf32"},
      {"sm90_xmma_gemm_cf64cf64_f64f64_cf64_tn_n_tensor16x8x16", "complex complex f64 f64"},
      {"sm86_xmma_fprop_implicit_gemm_f16f16_f16f16_f16_nhwckrsc_nhwc_tensor16x8x16", "f16 f16 f16 f16"},
      {"sm90_xmma_gemm_i8i8_i8i32_f32_tn_n_warpgroupsize2x1x1", "i8 i8 i8 i32"},
      {"volta_h884gemm_128x64_ldg8_nn", "f16 f16 f16 f16"},
      {"ampere_s16816gemm_fp16_128x64_ldg8_stages_64x3_nn", "f16 f32 f16 f32"},
      {"turing_fp16_sgemm_fp16_128x32_sliced1x4_tt", "f16 f16 f32 f32"},
      {"ampere_sgemm_128x64_nn", "f32 f32 f32 f32"},
      {"cutlass_80_tensorop_s1688gemm_128x128_16x3_tn_align4", "f32 f32 f32 f32 tf32"},
      {"cutlass_80_tensorop_s1688bf16gemm_128x128_16x3_tn_align4", "f32 f32 bf16 f32"},
      {"cutlass_80_wmma_tensorop_i161616gemm_s8_128x128_32x2_nn_align4", "i8 - i8 i32"},
      {"cutlass3x_sm90_tensorop_s64x128x16gemm_f16_f16_f32_void_bf16_128x128x64_0_tnt", "f16 bf16 f16 f32"},
      {"nvjet_sm100_tst_mma_128x192x64_5_16x3x1_cta1_h_bz_TNT", "bf16 bf16 bf16 f32"},
      {"nvjet_qqtst_128x64_128x6_2x1_v", "- - - -"},
      {"fmha_cutlassB_bf16_aligned_64x64_k32_sm80", "bf16 bf16 bf16 f32"},
  };
  for (const auto& [name, types] : names) EXPECT_EQ(types_in(name), types) << name;
}

TEST(KernelTile, IsReadWithItsDepthIfNamed) {
  EXPECT_EQ(classify_kernel("ampere_s16816gemm_fp16_128x64_ldg8_stages_64x3_nn").tile, (Tile{128, 64, 64}));
  EXPECT_EQ(classify_kernel("cutlass_80_simt_sgemm_128x64_8x5_nt_align1").tile, (Tile{128, 64, 8}));
  EXPECT_EQ(classify_kernel("volta_h884gemm_128x64_ldg8_nn").tile, (Tile{128, 64, 0}));
  EXPECT_EQ(classify_kernel("ampere_sgemm_99999x64_nn").tile, std::nullopt);
}

TEST(KernelArchitecture, IsAnSmNumberOrItsName) {
  EXPECT_EQ(classify_kernel("turing_fp16_s1688gemm_fp16_256x128_tt").sm, 75);
  EXPECT_EQ(classify_kernel("cutlass_80_simt_sgemm_128x64_8x5_nt_align1").sm, 80);
  EXPECT_EQ(classify_kernel("cutlass3x_sm100_tensorop_s128x64x16gemm_f16").sm, 100);
  EXPECT_EQ(classify_kernel("nvjet_hsh_128x64_64x6_2x1_v_bz_coopA_NTN").sm, std::nullopt);
}

TEST(KernelName, OfNvjetIsOnlyBelieved) {
  EXPECT_EQ(classify_kernel("nvjet_hsh_128x64_64x6_2x1").confidence, Confidence::Medium);
  EXPECT_EQ(classify_kernel("my_nvjet_wrapper").executed, Executed::Unknown);
}

TEST(NameRules, HaveIdsOfTheirOwnAndSummaries) {
  std::map<std::string_view, int> ids;
  for (const NameRule& rule : name_rules()) {
    EXPECT_EQ(++ids[rule.id], 1) << rule.id;
    EXPECT_FALSE(rule.summary.empty()) << rule.id;
  }
}

TEST(NameRules, EachDecidesAtLeastOneRealName) {
  for (const NameRule& rule : name_rules()) {
    if (rule.id == "direct_convolution") continue;  // tested in catalogue_test.cpp
    EXPECT_TRUE(std::ranges::any_of(kCases, [&](const Case& one) { return one.rule == rule.id; })) << rule.id;
  }
}

TEST(KernelName, MayBeAnyBytes) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    std::string name(kCases[random() % std::size(kCases)].name);
    for (int i = 0; i < 8; ++i) name.insert(random() % (name.size() + 1), 1, static_cast<char>(random()));
    const KernelFacts facts = classify_kernel(name);
    EXPECT_EQ(facts.evidence.empty(), facts.executed == Executed::Unknown);
    EXPECT_EQ(facts, classify_kernel(name));
  }
  EXPECT_NO_THROW((void)classify_kernel(std::string(1'000'000, '_')));
}

TEST(KernelName, KeepsItsVerdictWithNoiseAround) {
  for (const Case& one : kCases) {
    const bool is_anchored = one.rule == "nvjet" || one.rule == "classic_blas" || one.name.empty();
    if (is_anchored) continue;
    const std::string noisy = "void " + std::string(one.name) + "_v2(int, float*) [clone .x]";
    EXPECT_EQ(classify_kernel(noisy).executed, one.executed) << noisy;
  }
}

}  // namespace classify_test
}  // namespace ampprof::kernel_names
