// SPDX-License-Identifier: Apache-2.0
#include "precision/kernel_names/kinds.h"

#include <algorithm>
#include <array>

namespace ampprof::kernel_names {
namespace {

struct KindWord {
  std::string_view text;
  KernelKind kind;
};

// The first row whose text occurs in the name decides, so specific rows come first: the reduction of a split matmul
// before the matmul, a norm's reduction before other reductions.
constexpr std::array kKinds{
    KindWord{"split_k_kernel", KernelKind::SplitKReduction},
    KindWord{"splitKreduce", KernelKind::SplitKReduction},
    KindWord{"splitk_reduce", KernelKind::SplitKReduction},
    KindWord{"SplitKReduc", KernelKind::SplitKReduction},
    KindWord{"ReduceSplitK", KernelKind::SplitKReduction},
    KindWord{"segment_k_reduction", KernelKind::SplitKReduction},
    KindWord{"fmha", KernelKind::Attention},
    KindWord{"flash_", KernelKind::Attention},
    KindWord{"FlashAttn", KernelKind::Attention},
    KindWord{"sdpa", KernelKind::Attention},
    KindWord{"attention", KernelKind::Attention},
    KindWord{"AmpNonFinite", KernelKind::Elementwise},
    KindWord{"multi_tensor_apply_kernel", KernelKind::Optimizer},
    KindWord{"FusedAdam", KernelKind::Optimizer},
    KindWord{"FusedSgd", KernelKind::Optimizer},
    KindWord{"softmax", KernelKind::Softmax},
    KindWord{"SoftMax", KernelKind::Softmax},
    KindWord{"Softmax", KernelKind::Softmax},
    KindWord{"bn_stats_kernel", KernelKind::Normalization},
    KindWord{"dbn_apply_kernel", KernelKind::Normalization},
    KindWord{"fprop", KernelKind::Convolution},
    KindWord{"dgrad", KernelKind::Convolution},
    KindWord{"wgrad", KernelKind::Convolution},
    KindWord{"convolution", KernelKind::Convolution},
    KindWord{"Convolution", KernelKind::Convolution},
    KindWord{"convolve", KernelKind::Convolution},
    KindWord{"conv2d", KernelKind::Convolution},
    KindWord{"conv_depthwise", KernelKind::Convolution},
    KindWord{"implicit_gemm", KernelKind::Convolution},
    KindWord{"scudnn", KernelKind::Convolution},
    KindWord{"hcudnn", KernelKind::Convolution},
    KindWord{"icudnn", KernelKind::Convolution},
    KindWord{"884cudnn", KernelKind::Convolution},
    KindWord{"1688cudnn", KernelKind::Convolution},
    KindWord{"16816cudnn", KernelKind::Convolution},
    KindWord{"8816cudnn", KernelKind::Convolution},
    KindWord{"16832cudnn", KernelKind::Convolution},
    KindWord{"winograd", KernelKind::Convolution},
    KindWord{"batch_norm", KernelKind::Normalization},
    KindWord{"batchnorm", KernelKind::Normalization},
    KindWord{"BatchNorm", KernelKind::Normalization},
    KindWord{"layer_norm", KernelKind::Normalization},
    KindWord{"LayerNorm", KernelKind::Normalization},
    KindWord{"group_norm", KernelKind::Normalization},
    KindWord{"GroupNorm", KernelKind::Normalization},
    KindWord{"RowwiseMoments", KernelKind::Normalization},
    KindWord{"rms_norm", KernelKind::Normalization},
    KindWord{"bn_fw", KernelKind::Normalization},
    KindWord{"bn_bw", KernelKind::Normalization},
    KindWord{"RNN_", KernelKind::Gemm},  // persistent kernels of cuDNN: a matmul in each time step
    KindWord{"gemm", KernelKind::Gemm},
    KindWord{"gemv", KernelKind::Gemm},
    KindWord{"Gemm", KernelKind::Gemm},
    KindWord{"xmma", KernelKind::Gemm},
    KindWord{"nvjet_", KernelKind::Gemm},
    KindWord{"cutlass", KernelKind::Gemm},
    KindWord{"matmul", KernelKind::Gemm},
    KindWord{"syherk", KernelKind::Gemm},
    KindWord{"trmm", KernelKind::Gemm},
    KindWord{"trsm", KernelKind::Gemm},
    KindWord{"grouped_direct_kernel", KernelKind::Convolution},
    KindWord{"triton_poi", KernelKind::Elementwise},
    KindWord{"triton_red", KernelKind::Reduction},
    KindWord{"triton_per", KernelKind::Reduction},
    KindWord{"direct_copy_kernel", KernelKind::CastCopy},
    KindWord{"copy_kernel", KernelKind::CastCopy},
    KindWord{"CatArray", KernelKind::CastCopy},
    KindWord{"nchwToNhwc", KernelKind::CastCopy},
    KindWord{"nhwcToNchw", KernelKind::CastCopy},
    KindWord{"FillFunctor", KernelKind::Memory},
    KindWord{"emcpy", KernelKind::Memory},
    KindWord{"emset", KernelKind::Memory},
    KindWord{"[CUDA mem", KernelKind::Memory},
    KindWord{"gather", KernelKind::Memory},
    KindWord{"scatter", KernelKind::Memory},
    KindWord{"index", KernelKind::Memory},
    KindWord{"embedding", KernelKind::Memory},
    KindWord{"convertTensor", KernelKind::CastCopy},
    KindWord{"ranspose", KernelKind::CastCopy},
    KindWord{"AddPadding", KernelKind::CastCopy},
    KindWord{"FoldedNhwc", KernelKind::CastCopy},
    KindWord{"pooling", KernelKind::Reduction},
    KindWord{"_pool_", KernelKind::Reduction},
    KindWord{"lpnorm_", KernelKind::Reduction},
    KindWord{"reduce_", KernelKind::Reduction},
    KindWord{"reduction", KernelKind::Reduction},
    KindWord{"Reduce", KernelKind::Reduction},
    KindWord{"elementwise", KernelKind::Elementwise},
    KindWord{"elemWise", KernelKind::Elementwise},
    KindWord{"elementWise", KernelKind::Elementwise},
    KindWord{"scalePackedTensor", KernelKind::Elementwise},
    KindWord{"triu_tril", KernelKind::Elementwise},
    KindWord{"amp_update_scale", KernelKind::Elementwise},
    KindWord{"epilogue4impl", KernelKind::Elementwise},
    KindWord{"philox", KernelKind::Elementwise},
    KindWord{"quantize_blocks", KernelKind::CastCopy},
    KindWord{"raise_amax", KernelKind::Reduction},
    KindWord{"epilogue::impl", KernelKind::Elementwise},
    KindWord{"pointwise", KernelKind::Elementwise},
    KindWord{"dropout", KernelKind::Elementwise},
};

// Parts of mangled and plain names. LibTorch's warp softmax has its own entry, since it is outside at::native.
constexpr auto kLibraries = std::to_array<std::string_view>(
    {"at::native", "2at6native", "at6native", "cudnn", "cub::", "3cub", "thrust", "6thrust", "c10::", "3c10", "cublas",
     "caffe2", "softmax_warp_", "at::cuda", "2at4cuda", "ampprof::", "7ampprof"});

}  // namespace

KernelKind kind_of(const NameWords& name) {
  const auto row = std::ranges::find_if(kKinds, [&](const KindWord& each) { return name.has(each.text); });
  return row == kKinds.end() ? KernelKind::Other : row->kind;
}

bool is_of_known_library(const NameWords& name) {
  return std::ranges::any_of(kLibraries, [&](std::string_view library) { return name.has(library); });
}

}  // namespace ampprof::kernel_names
