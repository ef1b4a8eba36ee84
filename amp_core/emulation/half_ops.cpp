// SPDX-License-Identifier: Apache-2.0
// All lists but kSlow come from running the samples of PyTorch's operator database (op_db, LibTorch 2.11) in half on
// the CPU, forward and backward. The database also says which ops CUDA supports in half.
#include "amp_core/emulation/half_ops.h"

namespace amp {
namespace {

constexpr EmulatedOp kSlow[]{
    {"aten::mm"},
    {"aten::mm", "out"},
    {"aten::addmm"},
    {"aten::addmm", "out"},
    {"aten::addmm_"},
    {"aten::bmm"},
    {"aten::bmm", "out"},
    {"aten::baddbmm"},
    {"aten::baddbmm", "out"},
    {"aten::baddbmm_"},
    {"aten::addbmm"},
    {"aten::addbmm", "out"},
    {"aten::addbmm_"},
    {"aten::mv"},
    {"aten::mv", "out"},
    {"aten::addmv"},
    {"aten::addmv", "out"},
    {"aten::addmv_"},
    {"aten::dot"},
    {"aten::vdot"},
    {"aten::convolution"},
    {"aten::_convolution"},
    {"aten::convolution_backward"},
    {.name = "aten::_scaled_dot_product_flash_attention_for_cpu", .half_results = 1},
    {.name = "aten::_scaled_dot_product_flash_attention_for_cpu_backward", .float_argument = 5},
    // Autograd adds up sparse gradients of embeddings with these two ops.
    {.name = "aten::add", .overload = "Tensor", .key = c10::DispatchKey::SparseCPU},
    {.name = "aten::add_", .overload = "Tensor", .key = c10::DispatchKey::SparseCPU},
};

constexpr const char* kMissing[]{
    "aten::_fft_c2c",
    "aten::_fft_c2r",
    "aten::_fft_r2c",
    "aten::_upsample_bicubic2d_aa",
    "aten::_upsample_bicubic2d_aa_backward",
    "aten::_upsample_bilinear2d_aa",
    "aten::_upsample_bilinear2d_aa_backward",
    "aten::avg_pool3d",
    "aten::avg_pool3d_backward",
    "aten::multi_margin_loss",
    "aten::multi_margin_loss_backward",
    "aten::multilabel_margin_loss_backward",
    "aten::multilabel_margin_loss_forward",
    "aten::rrelu_with_noise",
    "aten::rrelu_with_noise_",
    "aten::trace",
};

constexpr const char* kMissingComposite[]{
    "aten::fft_fft",  "aten::fft_fft2",  "aten::fft_fftn",  "aten::fft_ifft",  "aten::fft_ifft2",  "aten::fft_ifftn",
    "aten::fft_rfft", "aten::fft_rfft2", "aten::fft_rfftn", "aten::fft_irfft", "aten::fft_irfft2", "aten::fft_irfftn",
    "aten::fft_hfft", "aten::fft_hfft2", "aten::fft_hfftn", "aten::fft_ihfft", "aten::fft_ihfft2", "aten::fft_ihfftn",
};

constexpr RefusedOp kRefused[]{
    {"aten::_cdist_backward", "cdist"},
    {"aten::_cdist_forward", "cdist"},
    {"aten::_ctc_loss", "ctc_loss"},
    {"aten::_ctc_loss_backward", "ctc_loss"},
    {"aten::_histogramdd_bin_edges", "histogramdd"},
    {"aten::_histogramdd_from_bin_cts", "histogramdd"},
    {"aten::_linalg_det", "linalg.det"},
    {"aten::_linalg_eigh", "linalg.eigh"},
    {"aten::_linalg_slogdet", "linalg.slogdet"},
    {"aten::_linalg_solve_ex", "linalg.solve"},
    {"aten::_linalg_svd", "linalg.svd"},
    {"aten::_pdist_backward", "pdist"},
    {"aten::_pdist_forward", "pdist"},
    {"aten::cholesky", "cholesky"},
    {"aten::cholesky_inverse", "cholesky_inverse"},
    {"aten::cholesky_solve", "cholesky_solve"},
    {"aten::geqrf", "geqrf"},
    {"aten::histogram", "histogram"},
    {"aten::linalg_cholesky_ex", "linalg.cholesky"},
    {"aten::linalg_eig", "linalg.eig"},
    {"aten::linalg_householder_product", "linalg.householder_product"},
    {"aten::linalg_inv_ex", "linalg.inv"},
    {"aten::linalg_ldl_factor_ex", "linalg.ldl_factor"},
    {"aten::linalg_ldl_solve", "linalg.ldl_solve"},
    {"aten::linalg_lstsq", "linalg.lstsq"},
    {"aten::linalg_lu", "linalg.lu"},
    {"aten::linalg_lu_factor_ex", "linalg.lu_factor"},
    {"aten::linalg_lu_solve", "linalg.lu_solve"},
    {"aten::linalg_pinv", "linalg.pinv"},
    {"aten::linalg_qr", "linalg.qr"},
    {"aten::linalg_solve_triangular", "linalg.solve_triangular"},
    {"aten::ormqr", "ormqr"},
    {"aten::polar", "polar"},
    {"aten::special_airy_ai", "special.airy_ai"},
    {"aten::special_bessel_j0", "special.bessel_j0"},
    {"aten::special_bessel_j1", "special.bessel_j1"},
    {"aten::special_bessel_y0", "special.bessel_y0"},
    {"aten::special_bessel_y1", "special.bessel_y1"},
    {"aten::special_chebyshev_polynomial_t", "special.chebyshev_polynomial_t"},
    {"aten::special_chebyshev_polynomial_u", "special.chebyshev_polynomial_u"},
    {"aten::special_chebyshev_polynomial_v", "special.chebyshev_polynomial_v"},
    {"aten::special_chebyshev_polynomial_w", "special.chebyshev_polynomial_w"},
    {"aten::special_erfcx", "special.erfcx"},
    {"aten::special_hermite_polynomial_h", "special.hermite_polynomial_h"},
    {"aten::special_hermite_polynomial_he", "special.hermite_polynomial_he"},
    {"aten::special_laguerre_polynomial_l", "special.laguerre_polynomial_l"},
    {"aten::special_legendre_polynomial_p", "special.legendre_polynomial_p"},
    {"aten::special_log_ndtr", "special.log_ndtr"},
    {"aten::special_modified_bessel_i0", "special.modified_bessel_i0"},
    {"aten::special_modified_bessel_i1", "special.modified_bessel_i1"},
    {"aten::special_modified_bessel_k0", "special.modified_bessel_k0"},
    {"aten::special_modified_bessel_k1", "special.modified_bessel_k1"},
    {"aten::special_ndtri", "special.ndtri"},
    {"aten::special_scaled_modified_bessel_k0", "special.scaled_modified_bessel_k0"},
    {"aten::special_scaled_modified_bessel_k1", "special.scaled_modified_bessel_k1"},
    {"aten::special_shifted_chebyshev_polynomial_t", "special.shifted_chebyshev_polynomial_t"},
    {"aten::special_shifted_chebyshev_polynomial_u", "special.shifted_chebyshev_polynomial_u"},
    {"aten::special_shifted_chebyshev_polynomial_v", "special.shifted_chebyshev_polynomial_v"},
    {"aten::special_shifted_chebyshev_polynomial_w", "special.shifted_chebyshev_polynomial_w"},
    {"aten::special_spherical_bessel_j0", "special.spherical_bessel_j0"},
    {"aten::special_zeta", "special.zeta"},
    {"aten::triangular_solve", "triangular_solve"},
};

}  // namespace

std::span<const EmulatedOp> slow_half_ops() { return kSlow; }

std::span<const char* const> missing_half_ops() { return kMissing; }

std::span<const char* const> missing_composite_half_ops() { return kMissingComposite; }

std::span<const RefusedOp> refused_half_ops() { return kRefused; }

}  // namespace amp
