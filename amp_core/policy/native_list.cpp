// SPDX-License-Identifier: Apache-2.0
#include "amp_core/policy/native_list.h"

namespace amp {

const std::string_view kNativeList = R"(
# Matmuls and convolutions: what Tensor Cores are for.
_convolution                         fp16
convolution                          fp16
conv1d                               fp16
conv2d                               fp16
conv3d                               fp16
conv_tbc                             fp16
conv_transpose1d                     fp16
conv_transpose2d                     fp16
conv_transpose3d                     fp16
cudnn_convolution                    fp16
cudnn_convolution_transpose          fp16
prelu                                fp16
addmm                                fp16
addmv                                fp16
addr                                 fp16
matmul                               fp16
mm                                   fp16
mv                                   fp16
linear                               fp16
addbmm                               fp16
baddbmm                              fp16
bmm                                  fp16
einsum                               fp16
linalg_vecdot                        fp16
chain_matmul                         fp16
linalg_multi_dot                     fp16
scaled_dot_product_attention         fp16
_scaled_dot_product_flash_attention  fp16

# Recurrent networks.
_cudnn_rnn             fp16
_thnn_fused_lstm_cell  fp16
_thnn_fused_gru_cell   fp16
lstm_cell              fp16
gru_cell               fp16
rnn_tanh_cell          fp16
rnn_relu_cell          fp16

# Functions whose results leave FP16's range, norms and distances.
acos                fp32
asin                fp32
cosh                fp32
erfinv              fp32
exp                 fp32
expm1               fp32
log                 fp32
log10               fp32
log2                fp32
log1p               fp32
reciprocal          fp32
rsqrt               fp32
sinh                fp32
tan                 fp32
pow                 fp32
softplus            fp32
layer_norm          fp32
native_layer_norm   fp32
group_norm          fp32
frobenius_norm.dim  fp32
nuclear_norm        fp32
cosine_similarity   fp32
dist                fp32
pdist               fp32
cdist               fp32
renorm              fp32
logsumexp           fp32

# Losses.
poisson_nll_loss                  fp32
cosine_embedding_loss             fp32
nll_loss                          fp32
nll_loss2d                        fp32
hinge_embedding_loss              fp32
kl_div                            fp32
l1_loss                           fp32
smooth_l1_loss                    fp32
huber_loss                        fp32
mse_loss                          fp32
margin_ranking_loss               fp32
multilabel_margin_loss            fp32
soft_margin_loss                  fp32
triplet_margin_loss               fp32
multi_margin_loss                 fp32
binary_cross_entropy_with_logits  fp32
binary_cross_entropy              banned  # LibTorch refuses FP32 inputs too, which are safe

# interpolate().
upsample_nearest1d         fp32
_upsample_nearest_exact1d  fp32
upsample_nearest2d         fp32
_upsample_nearest_exact2d  fp32
upsample_nearest3d         fp32
_upsample_nearest_exact3d  fp32
upsample_linear1d          fp32
upsample_bilinear2d        fp32
_upsample_bilinear2d_aa    fp32
upsample_trilinear3d       fp32
upsample_bicubic2d         fp32
_upsample_bicubic2d_aa     fp32

# Sums of many values: LibTorch gives the op an FP32 output instead of an FP32 input.
prod                      fp32_output
softmax                   fp32_output
log_softmax               fp32_output
cumprod                   fp32_output
cumsum                    fp32_output
linalg_vector_norm        fp32_output
linalg_matrix_norm        fp32_output
sum                       fp32_output
norm.Scalar               fp32_output
norm.ScalarOpt_dim        fp32_output

# Several arguments: the widest type wins.
addcdiv       promote
addcmul       promote
atan2         promote
bilinear      promote
cross         promote
dot           promote
vdot          promote
grid_sampler  promote
index_put     promote
tensordot     promote
scatter_add   promote
)";

}  // namespace amp
