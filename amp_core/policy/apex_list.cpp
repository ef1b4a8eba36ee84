// SPDX-License-Identifier: Apache-2.0
#include "amp_core/policy/apex_list.h"

namespace amp {

const std::string_view kApexList = R"(
# Matmuls and convolutions: what Tensor Cores are for.
conv1d            fp16
conv2d            fp16
conv3d            fp16
conv_transpose1d  fp16
conv_transpose2d  fp16
conv_transpose3d  fp16
conv_tbc          fp16
convolution       fp16   # TorchScript traces and at::convolution() call these
_convolution      fp16
linear            fp16
prelu             fp16
addmm             fp16
addmv             fp16
addr              fp16
matmul            fp16
mm                fp16
mv                fp16
addbmm            fp16
baddbmm           fp16
bmm               fp16

# Recurrent networks.
lstm              fp16
gru               fp16
rnn_tanh          fp16
rnn_relu          fp16
lstm_cell         fp16
gru_cell          fp16
rnn_tanh_cell     fp16
rnn_relu_cell     fp16

# interpolate() and grid_sample().
upsample_nearest1d          fp32
upsample_nearest2d          fp32
upsample_nearest3d          fp32
_upsample_nearest_exact1d   fp32
_upsample_nearest_exact2d   fp32
_upsample_nearest_exact3d   fp32
upsample_linear1d           fp32
upsample_bilinear2d         fp32
upsample_trilinear3d        fp32
upsample_bicubic2d          fp32
_upsample_bilinear2d_aa     fp32
_upsample_bicubic2d_aa      fp32
grid_sampler                fp32

# Activations and norms. softmin() is softmax; normalize() is linalg_vector_norm and a promoted division.
softplus           fp32
log_softmax        fp32
softmax            fp32
gelu               fp32
layer_norm         fp32
group_norm         fp32
cosine_similarity  fp32

# Losses.
poisson_nll_loss                  fp32
cosine_embedding_loss             fp32
cross_entropy_loss                fp32
hinge_embedding_loss              fp32
kl_div                            fp32
l1_loss                           fp32
mse_loss                          fp32
margin_ranking_loss               fp32
multilabel_margin_loss            fp32
multi_margin_loss                 fp32
nll_loss                          fp32
nll_loss_nd                       fp32
nll_loss2d                        fp32
binary_cross_entropy_with_logits  fp32
smooth_l1_loss                    fp32
soft_margin_loss                  fp32
triplet_margin_loss               fp32
ctc_loss                          fp32
binary_cross_entropy              banned

# Functions whose results leave FP16's range, and reductions that sum many values.
acos        fp32
asin        fp32
cosh        fp32
erfinv      fp32
exp         fp32
expm1       fp32
log         fp32
log10       fp32
log2        fp32
reciprocal  fp32
rsqrt       fp32
sinh        fp32
tan         fp32
pow         fp32
cumprod     fp32
cumsum      fp32
dist        fp32
norm        fp32
prod        fp32
std         fp32
sum         fp32
var         fp32
renorm      fp32
# torch.norm() arrives as one of these.
linalg_vector_norm  fp32
linalg_matrix_norm  fp32
frobenius_norm      fp32
nuclear_norm        fp32

# Several arguments: the widest type wins.
addcdiv     promote
addcmul     promote
atan2       promote
cross       promote
bilinear    promote
dot         promote
add         promote
sub         promote
rsub        promote
mul         promote
div         promote
eq          promote
equal       promote
ge          promote
gt          promote
le          promote
lt          promote
ne          promote
cat         promote
stack       promote
)";

}  // namespace amp
