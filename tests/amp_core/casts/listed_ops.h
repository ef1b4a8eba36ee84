// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>
#include <torch/version.h>

#include <set>
#include <string>

namespace amp {

/// A call to an op on a cast list. `x` has shape [4, 4], values between 0 and 1, and the type under test. Other
/// floating-point arguments are FP32.
struct ListedOp {
  const char* name;
  at::Tensor (*run)(const at::Tensor& x);
};

inline void PrintTo(const ListedOp& op, std::ostream* out) { *out << op.name; }

namespace listed {

using X = const at::Tensor&;

inline at::Tensor w() { return torch::full({4, 4}, 0.25); }
inline at::Tensor w3() { return w().unsqueeze(0); }
inline at::Tensor ones(at::IntArrayRef shape) { return torch::ones(shape); }
inline at::Tensor sequence(X x) { return x.unsqueeze(0); }            ///< [1, 4, 4]
inline at::Tensor image(X x) { return x.reshape({1, 1, 4, 4}); }      ///< [1, 1, 4, 4]
inline at::Tensor volume(X x) { return x.reshape({1, 1, 1, 4, 4}); }  ///< [1, 1, 1, 4, 4]
inline at::Tensor labels() { return torch::zeros({4}, torch::kLong); }
inline at::Tensor filter() { return ones({1, 1, 3, 3}); }
inline at::Tensor volume_filter() { return ones({1, 1, 1, 3, 3}); }
inline std::vector<at::Tensor> weights(int rows) {
  return {ones({rows, 4}), ones({rows, 2}), ones({rows}), ones({rows})};
}
inline at::Tensor hidden() { return torch::zeros({1, 4, 2}); }
inline at::Tensor cell() { return torch::zeros({4, 2}); }
constexpr auto kMean = at::Reduction::Mean;

}  // namespace listed

/// Returns at least one call for each op that is on a cast list and runs on the CPU.
inline const std::vector<ListedOp>& listed_ops() {
  using namespace listed;
  static const std::vector<ListedOp> ops{
    {"conv1d",
     [](X x) {
       return at::conv1d(sequence(x), ones({2, 4, 3}));
     }},
        {"conv2d", [](X x) { return at::conv2d(image(x), filter()); }},
        {"conv3d", [](X x) { return at::conv3d(volume(x), volume_filter()); }},
        {"conv_transpose1d",
         [](X x) {
           return at::conv_transpose1d(sequence(x), ones({4, 2, 3}));
         }},
        {"conv_transpose2d", [](X x) { return at::conv_transpose2d(image(x), filter()); }},
        {"conv_transpose3d", [](X x) { return at::conv_transpose3d(volume(x), volume_filter()); }},
        {"conv_tbc",
         [](X x) {
           return at::conv_tbc(sequence(x), ones({1, 4, 2}), ones({2}));
         }},
        {"convolution",
         [](X x) {
           return at::convolution(image(x), filter(), {}, {1, 1}, {0, 0}, {1, 1}, false, {0, 0}, 1);
         }},
        {"_convolution",
         [](X x) {
           return at::_convolution(image(x), filter(), {}, {1, 1}, {0, 0}, {1, 1}, false, {0, 0}, 1, false, false,
                                   false, true);
         }},
        {"linear", [](X x) { return at::linear(x, w(), ones({4})); }},
        {"prelu", [](X x) { return at::prelu(x, ones({1})); }}, {"addmm", [](X x) { return at::addmm(w(), x, w()); }},
        {"addmv", [](X x) { return at::addmv(ones({4}), x, ones({4})); }},
        {"addr", [](X x) { return at::addr(w(), x[0], ones({4})); }},
        {"matmul", [](X x) { return at::matmul(x, w()); }}, {"mm", [](X x) { return at::mm(w(), x); }},
        {"mv", [](X x) { return at::mv(x, ones({4})); }},
        {"addbmm", [](X x) { return at::addbmm(w(), sequence(x), w3()); }},
        {"baddbmm", [](X x) { return at::baddbmm(w3(), sequence(x), w3()); }},
        {"bmm", [](X x) { return at::bmm(sequence(x), w3()); }},
        {"einsum",
         [](X x) {
           return at::einsum("ij,jk->ik", {x, w()});
         }},
        {"linalg_vecdot", [](X x) { return at::linalg_vecdot(x, w()); }},
        {"chain_matmul",
         [](X x) {
           return at::chain_matmul({x, w()});
         }},
        {"linalg_multi_dot",
         [](X x) {
           return at::linalg_multi_dot({x, w()});
         }},
        {"scaled_dot_product_attention",
         [](X x) { return at::scaled_dot_product_attention(image(x), image(w()), image(w())); }},

        {"lstm",
         [](X x) {
           return std::get<0>(
               at::lstm(sequence(x), {hidden(), hidden()}, weights(8), true, 1, 0.0, false, false, false));
         }},
        {"gru",
         [](X x) {
           return std::get<0>(at::gru(sequence(x), hidden(), weights(6), true, 1, 0.0, false, false, false));
         }},
        {"rnn_tanh",
         [](X x) {
           return std::get<0>(at::rnn_tanh(sequence(x), hidden(), weights(2), true, 1, 0.0, false, false, false));
         }},
        {"rnn_relu",
         [](X x) {
           return std::get<0>(at::rnn_relu(sequence(x), hidden(), weights(2), true, 1, 0.0, false, false, false));
         }},
        {"lstm_cell",
         [](X x) {
           return std::get<0>(at::lstm_cell(x, {cell(), cell()}, ones({8, 4}), ones({8, 2}), ones({8}), ones({8})));
         }},
        {"gru_cell",
         [](X x) {
           return at::gru_cell(x, cell(), ones({6, 4}), ones({6, 2}), ones({6}), ones({6}));
         }},
        {"rnn_tanh_cell",
         [](X x) {
           return at::rnn_tanh_cell(x, cell(), ones({2, 4}), ones({2, 2}), ones({2}), ones({2}));
         }},
        {"rnn_relu_cell",
         [](X x) {
           return at::rnn_relu_cell(x, cell(), ones({2, 4}), ones({2, 2}), ones({2}), ones({2}));
         }},

        {"upsample_nearest1d", [](X x) { return at::upsample_nearest1d(sequence(x), {8}); }},
        {"upsample_nearest2d",
         [](X x) {
           return at::upsample_nearest2d(image(x), {8, 8});
         }},
        {"upsample_nearest3d",
         [](X x) {
           return at::upsample_nearest3d(volume(x), {2, 8, 8});
         }},
        {"_upsample_nearest_exact1d", [](X x) { return at::_upsample_nearest_exact1d(sequence(x), {8}); }},
        {"_upsample_nearest_exact2d",
         [](X x) {
           return at::_upsample_nearest_exact2d(image(x), {8, 8});
         }},
        {"_upsample_nearest_exact3d",
         [](X x) {
           return at::_upsample_nearest_exact3d(volume(x), {2, 8, 8});
         }},
        {"upsample_linear1d", [](X x) { return at::upsample_linear1d(sequence(x), {8}, false); }},
        {"upsample_bilinear2d",
         [](X x) {
           return at::upsample_bilinear2d(image(x), {8, 8}, false);
         }},
        {"upsample_trilinear3d",
         [](X x) {
           return at::upsample_trilinear3d(volume(x), {2, 8, 8}, false);
         }},
        {"upsample_bicubic2d",
         [](X x) {
           return at::upsample_bicubic2d(image(x), {8, 8}, false);
         }},
        {"_upsample_bilinear2d_aa",
         [](X x) {
           return at::_upsample_bilinear2d_aa(image(x), {8, 8}, false);
         }},
        {"_upsample_bicubic2d_aa",
         [](X x) {
           return at::_upsample_bicubic2d_aa(image(x), {8, 8}, false);
         }},
        {"grid_sampler",
         [](X x) {
           return at::grid_sampler(image(x), torch::zeros({1, 2, 2, 2}), 0, 0, false);
         }},

        {"softplus", [](X x) { return at::softplus(x); }}, {"log_softmax", [](X x) { return at::log_softmax(x, 1); }},
        {"softmax", [](X x) { return at::softmax(x, 1); }}, {"gelu", [](X x) { return at::gelu(x); }},
        {"layer_norm", [](X x) { return at::layer_norm(x, {4}, ones({4}), ones({4})); }},
#if TORCH_VERSION_MINOR >= 15
        {"linalg_matrix_sqrth", [](X x) { return at::linalg_matrix_sqrth(torch::eye(4, x.options()) + x * 0); }},
#endif
        {"rms_norm", [](X x) { return at::rms_norm(x, {4}, ones({4})); }},
        {"native_layer_norm",
         [](X x) { return std::get<0>(at::native_layer_norm(x, {4}, ones({4}), ones({4}), 1e-5)); }},
        {"group_norm", [](X x) { return at::group_norm(x, 2, ones({4}), ones({4})); }},
        {"cosine_similarity", [](X x) { return at::cosine_similarity(x, w()); }},

        {"poisson_nll_loss", [](X x) { return at::poisson_nll_loss(x, w(), true, false, 1e-8, kMean); }},
        {"cosine_embedding_loss", [](X x) { return at::cosine_embedding_loss(x, w(), ones({4})); }},
        {"cross_entropy_loss", [](X x) { return at::cross_entropy_loss(x, labels(), ones({4})); }},
        {"hinge_embedding_loss",
         [](X x) {
           return at::hinge_embedding_loss(x, ones({4, 4}));
         }},
        {"kl_div", [](X x) { return at::kl_div(x, w()); }}, {"l1_loss", [](X x) { return at::l1_loss(x, w()); }},
        {"mse_loss", [](X x) { return at::mse_loss(x, w()); }},
        {"huber_loss", [](X x) { return at::huber_loss(x, w()); }},
        {"margin_ranking_loss",
         [](X x) {
           return at::margin_ranking_loss(x, w(), ones({4, 4}));
         }},
        {"multilabel_margin_loss",
         [](X x) {
           return at::multilabel_margin_loss(x, torch::zeros({4, 4}, torch::kLong));
         }},
        {"multi_margin_loss", [](X x) { return at::multi_margin_loss(x, labels(), 1, 1, ones({4})); }},
        {"nll_loss", [](X x) { return at::nll_loss(x, labels(), ones({4})); }},
        {"nll_loss_nd", [](X x) { return at::nll_loss_nd(x, labels(), ones({4})); }},
        {"nll_loss2d",
         [](X x) {
           return at::nll_loss2d(x.reshape({1, 4, 2, 2}), torch::zeros({1, 2, 2}, torch::kLong), ones({4}));
         }},
        {"binary_cross_entropy_with_logits", [](X x) { return at::binary_cross_entropy_with_logits(x, w()); }},
        {"smooth_l1_loss", [](X x) { return at::smooth_l1_loss(x, w()); }},
        {"soft_margin_loss", [](X x) { return at::soft_margin_loss(x, w()); }},
        {"triplet_margin_loss",
         [](X x) {
           return at::triplet_margin_loss(x, w(), ones({4, 4}));
         }},
        {"ctc_loss",
         [](X x) {
           return at::ctc_loss(x.unsqueeze(1), torch::ones({1, 1}, torch::kLong), {4}, {1});
         }},
        {"binary_cross_entropy", [](X x) { return at::binary_cross_entropy(x, w()); }},

        {"acos", [](X x) { return at::acos(x); }}, {"asin", [](X x) { return at::asin(x); }},
        {"cosh", [](X x) { return at::cosh(x); }}, {"erfinv", [](X x) { return at::erfinv(x); }},
        {"exp", [](X x) { return at::exp(x); }}, {"expm1", [](X x) { return at::expm1(x); }},
        {"log", [](X x) { return at::log(x); }}, {"log10", [](X x) { return at::log10(x); }},
        {"log1p", [](X x) { return at::log1p(x); }}, {"log2", [](X x) { return at::log2(x); }},
        {"reciprocal", [](X x) { return at::reciprocal(x); }}, {"rsqrt", [](X x) { return at::rsqrt(x); }},
        {"sinh", [](X x) { return at::sinh(x); }}, {"tan", [](X x) { return at::tan(x); }},
        {"pow", [](X x) { return at::pow(x, 2); }}, {"pow", [](X x) { return at::pow(2, x); }},
        {"pow", [](X x) { return at::pow(x, w()); }}, {"cumprod", [](X x) { return at::cumprod(x, 0); }},
        {"cumsum", [](X x) { return at::cumsum(x, 0); }}, {"dist", [](X x) { return at::dist(x, w()); }},
        {"pdist", [](X x) { return at::pdist(x); }}, {"cdist", [](X x) { return at::cdist(x, w()); }},
        {"norm", [](X x) { return at::norm(x); }}, {"norm", [](X x) { return at::norm(x, 2, {1}, false); }},
        {"prod", [](X x) { return at::prod(x); }}, {"std", [](X x) { return at::std(x); }},
        {"sum", [](X x) { return at::sum(x); }}, {"sum", [](X x) { return at::sum(x, {1}); }},
        {"var", [](X x) { return at::var(x); }}, {"renorm", [](X x) { return at::renorm(x, 2, 0, 1.0); }},
        {"logsumexp", [](X x) { return at::logsumexp(x, 1); }},
        {"linalg_vector_norm", [](X x) { return at::linalg_vector_norm(x, 2); }},
        {"linalg_matrix_norm", [](X x) { return at::linalg_matrix_norm(x, "fro"); }},
        {"frobenius_norm",
         [](X x) {
           return at::frobenius_norm(x, {0, 1});
         }},
        {"nuclear_norm", [](X x) { return at::nuclear_norm(x); }},

        {"addcdiv", [](X x) { return at::addcdiv(w(), x, w()); }},
        {"addcmul", [](X x) { return at::addcmul(w(), x, w()); }}, {"atan2", [](X x) { return at::atan2(x, w()); }},
        {"cross", [](X x) { return at::cross(x.narrow(1, 0, 3), w().narrow(1, 0, 3), 1); }},
        {"bilinear",
         [](X x) {
           return at::bilinear(x, w(), ones({2, 4, 4}), {});
         }},
        {"dot", [](X x) { return at::dot(x[0], ones({4})); }}, {"vdot", [](X x) { return at::vdot(x[0], ones({4})); }},
        {"tensordot", [](X x) { return at::tensordot(x, w(), {1}, {0}); }},
        {"index_put",
         [](X x) {
           return at::index_put(x, {torch::zeros({1}, torch::kLong)}, ones({1, 4}));
         }},
        {"scatter_add",
         [](X x) {
           return at::scatter_add(x, 0, torch::zeros({4, 4}, torch::kLong), w());
         }},
        {"add", [](X x) { return at::add(x, w()); }}, {"sub", [](X x) { return at::sub(x, w()); }},
        {"rsub", [](X x) { return at::rsub(x, w()); }}, {"mul", [](X x) { return at::mul(x, w()); }},
        {"div", [](X x) { return at::div(x, w()); }}, {"eq", [](X x) { return at::eq(x, w()); }},
        {"equal", [](X x) { return torch::tensor(at::equal(x, w())); }}, {"ge", [](X x) { return at::ge(x, w()); }},
        {"gt", [](X x) { return at::gt(x, w()); }}, {"le", [](X x) { return at::le(x, w()); }},
        {"lt", [](X x) { return at::lt(x, w()); }}, {"ne", [](X x) { return at::ne(x, w()); }},
        {"cat",
         [](X x) {
           return at::cat({x, w(), x});
         }},
        {"stack", [](X x) {
           return at::stack({x, w(), x});
         }},
  };
  return ops;
}

/// Returns the ops on cast lists that only a GPU can run.
inline const std::set<std::string>& cuda_only_ops() {
  static const std::set<std::string> names{"_cudnn_rnn",
                                           "cudnn_convolution",
                                           "cudnn_convolution_transpose",
                                           "_scaled_dot_product_flash_attention",
                                           "_thnn_fused_lstm_cell",
                                           "_thnn_fused_gru_cell"};
  return names;
}

}  // namespace amp
