// SPDX-License-Identifier: Apache-2.0
#include "precision/kernel_names/name_rules.h"

#include <algorithm>
#include <array>

#include "precision/kernel_names/kinds.h"
#include "precision/kernel_names/types.h"

namespace ampprof::kernel_names {
namespace {

using Name = const NameWords&;

bool has_any(Name name, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return name.has(part); });
}

bool any_word(Name name, bool (*matches)(std::string_view)) { return std::ranges::any_of(name.words, matches); }

bool has_matmul(Name name, bool with_shape) {
  return std::ranges::any_of(name.words, [&](std::string_view word) {
    const auto matmul = matmul_word(word);
    return matmul && matmul->shape.empty() != with_shape;
  });
}

bool split_k_pass(Name name) {
  return has_any(name, {"split_k_kernel", "splitKreduce", "splitk_reduce", "SplitKReduc", "ReduceSplitK",
                        "segment_k_reduction", "splitkreduce"});
}

bool matmul_helper(Name name) {
  if (name.text.starts_with("_ZN17cublasLt_imma_emu")) return true;  // splits FP64 into slices, or joins them
  return has_any(
      name, {"_execute_helper_kernel", "bn_stats_kernel", "dbn_apply_kernel", "cuda_reorder_", "get_minmax_block",
             "flash_fwd_splitkv_combine", "flash_bwd_dot_do_o", "flash_bwd_convert_d", "FlashAttnFwdCombine",
             "FlashAttnBwdPreprocess", "FlashAttnBwdPostprocess", "init_device_workspace_kernel", "winograd_nonfused",
             "reduce_wgrad_", "kern_precompute_indices", "compute_dot_do_o", "convert_dq_to_16bits"});
}

bool ffma(Name name) {
  return any_word(name, [](std::string_view word) { return word == "ffma" || word == "dfma" || word == "hfma2"; });
}

bool simt(Name name) { return name.has_word("simt") || name.has("OpClassSimt"); }
bool depthwise(Name name) { return has_any(name, {"_depthwise_", "depthwise_conv", "conv_depthwise"}); }
bool matrix_vector(Name name) { return has_any(name, {"gemv", "gemmk1", "gemmSN"}); }
bool no_shape(Name name) { return has_matmul(name, false); }

// Matches "tensor16x8x16" but not "tensor2", an argument name in PyTorch.
bool tensor_shape(Name name) {
  return any_word(name, [](std::string_view word) {
    if (!word.starts_with("tensor")) return false;
    return word == "tensor1688" || size_words(word.substr(6)).size() == 3;
  });
}

bool warp_group(Name name) {
  return has_any(name, {"_warpgroupsize", "_hgmma_", "_igmma_", "_qgmma_", "_wgmma_", "warp_specialized_kernel_gmma"});
}

bool tensorop(Name name) {
  return any_word(
      name, [](std::string_view word) { return word == "tensorop" || word == "bstensorop" || word == "sptensorop"; });
}

bool instruction_shape(Name name) { return has_matmul(name, true); }

bool mma_word(Name name) {
  return any_word(name, [](std::string_view word) {
    return word == "hmma" || word == "imma" || word == "dmma" || word == "qmma" ||
           (word.starts_with("HMMA") && !word.starts_with("HMMAIfff"));
  });
}

bool nvjet(Name name) { return name.text.starts_with("nvjet_"); }

// FP32 attention runs on Tensor Cores only as TF32, from sm_80 on. The name does not tell whether it ran as TF32.
bool fused_attention(Name name) {
  if (!has_any(name, {"fmha_cutlassF_", "fmha_cutlassB_"})) return false;
  const auto sm = architecture_of(name);
  return (name.has_word("f16") || name.has_word("bf16")) && sm && *sm >= 70;
}

bool fused_attention_scalar(Name name) {
  if (!has_any(name, {"fmha_cutlassF_", "fmha_cutlassB_"})) return false;
  const auto sm = architecture_of(name);
  return sm && (*sm < 70 || (name.has_word("f32") && *sm < 80));
}

bool flash_attention(Name name) {
  return has_any(name, {"flash_fwd_kernel", "flash_fwd_splitkv_kernel", "flash_bwd_dq_dk_dv"});
}

bool mma_template(Name name) {
  return has_any(name, {"OpClassTensorOp", "OpClassWmmaTensorOp", "MmaTensorOp", "GMMA::MMA_", "4GMMA", "SM80_16x8x",
                        "SM100_MMA", "SM75_16x8x", "SM120_16x8x"});
}

bool driver_copy(Name name) { return has_any(name, {"[CUDA mem", "Memcpy ", "Memset "}); }

bool classic_blas(Name name) {
  // cuBLAS templates with a parameter struct, and the oldest cuBLAS kernel. All Tensor Core kernels of cuBLAS have
  // other names.
  const bool takes_parameters = name.has("cublas") && name.has("Params") && !has_any(name, {"cublasLt", "cutlass"});
  if (name.has("gemm_largek_lds64")) return true;
  return name.text.starts_with("_Z") && (takes_parameters || (name.has("gemm_kernel") && name.has("_core")));
}

bool direct_convolution(Name name) {
  return has_any(name, {"grouped_direct_kernel", "convolve_common_engine", "precomputed_common_engine", "dgrad_engine",
                        "dgrad_alg1_engine", "dgrad2d_alg1_", "wgrad_alg0_engine", "wgrad_alg1_engine"});
}

// A persistent LSTM kernel uses Tensor Cores only if its name contains HMMA. The names of cuDNN's other persistent
// kernels do not show whether they use Tensor Cores.
bool recurrent_fma(Name name) {
  return name.has("RNN_") && has_any(name, {"_FMA", "RNN_blockPersist_fp_LSTMI", "RNN_blockPersist_fp_LSTM<"});
}

bool library_kernel(Name name) {
  switch (kind_of(name)) {
    case KernelKind::Gemm:
    case KernelKind::Convolution:
    case KernelKind::Attention:
    case KernelKind::Other:
      return false;
    default:
      return is_of_known_library(name);
  }
}

// The order matters: a kernel that adds the parts of a split matmul contains the matmul's name, and so does a kernel
// that multiplies FP16 with FP32 instructions.
constexpr std::array kRules{
    NameRule{"driver_copy", "a copy or fill by the driver", Executed::NotUsed, driver_copy},
    NameRule{"split_k_pass", "adds up the parts of a matmul split along K", Executed::NotUsed, split_k_pass},
    NameRule{"matmul_helper", "prologue or epilogue of a matmul", Executed::NotUsed, matmul_helper},
    NameRule{"ffma", "scalar multiply-add instructions", Executed::NotUsed, ffma, true},
    NameRule{"simt", "CUTLASS without Tensor Cores", Executed::NotUsed, simt, true},
    NameRule{"depthwise", "a depthwise convolution", Executed::NotUsed, depthwise, true},
    NameRule{"matrix_vector", "a product of a matrix with one or a few vectors", Executed::NotUsed, matrix_vector,
             true},
    NameRule{"tensor_shape", "xmma: shape of the Tensor Core instruction", Executed::Used, tensor_shape},
    NameRule{"warp_group", "Tensor Core instructions of a Hopper warp group", Executed::Used, warp_group},
    NameRule{"tensorop", "CUTLASS with Tensor Cores", Executed::Used, tensorop},
    NameRule{"instruction_shape", "cuBLAS, cuDNN: shape of the Tensor Core instruction", Executed::Used,
             instruction_shape},
    NameRule{"mma_word", "a Tensor Core instruction by name", Executed::Used, mma_word},
    NameRule{"no_shape", "cuBLAS, cuDNN: no shape of a Tensor Core instruction", Executed::NotUsed, no_shape, true},
    NameRule{.id = "nvjet",
             .summary = "cuBLASLt's generated kernels",
             .executed = Executed::Used,
             .matches = nvjet,
             .confidence = Confidence::Medium},
    NameRule{"fused_attention", "fused attention in 16 bits", Executed::Used, fused_attention},
    NameRule{"fused_attention_scalar", "fused attention, no Tensor Cores", Executed::NotUsed, fused_attention_scalar,
             true},
    NameRule{"flash_attention", "FlashAttention's main kernels", Executed::Used, flash_attention},
    NameRule{"mma_template", "template argument: Tensor Core instruction", Executed::Used, mma_template},
    NameRule{"direct_convolution", "cuDNN's scalar convolutions", Executed::NotUsed, direct_convolution, true},
    NameRule{"recurrent_fma", "cuDNN's recurrent networks in scalar multiply-adds", Executed::NotUsed, recurrent_fma,
             true},
    NameRule{"classic_blas", "cuBLAS's scalar kernels", Executed::NotUsed, classic_blas, true},
    NameRule{"library_kernel", "a library's kernel that multiplies no matrices", Executed::NotUsed, library_kernel},
};

}  // namespace

std::span<const NameRule> name_rules() { return kRules; }

}  // namespace ampprof::kernel_names
