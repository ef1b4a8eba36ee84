// SPDX-License-Identifier: Apache-2.0
#include "amp_core/policy/spared_functions.h"

#include <string_view>

#include "amp_core/policy/words.h"

namespace amp {
namespace {

// Functions of linear algebra and Fourier transforms that raise an error in 16 bits. cuFFT supports FP16 only for sizes
// that are a power of 2. LibTorch's own autocast runs most of them in FP32 on the CPU, but none on CUDA.
constexpr std::string_view kWithoutKernels =
    "cholesky cholesky_inverse cholesky_solve det geqrf inverse logdet lu_solve matrix_exp orgqr ormqr pinverse qr "
    "slogdet svd triangular_solve "
    "linalg_cholesky linalg_cholesky_ex linalg_cond linalg_det linalg_eig linalg_eigh linalg_eigvals linalg_eigvalsh "
    "linalg_householder_product linalg_inv linalg_inv_ex linalg_ldl_factor linalg_ldl_solve linalg_lstsq linalg_lu "
    "linalg_lu_factor linalg_lu_solve linalg_matrix_exp linalg_matrix_rank linalg_pinv linalg_qr linalg_slogdet "
    "linalg_solve linalg_solve_ex linalg_solve_triangular linalg_svd linalg_svdvals linalg_tensorinv "
    "linalg_tensorsolve "
    "fft_fft fft_fft2 fft_fftn fft_hfft fft_ifft fft_ifft2 fft_ifftn fft_ihfft fft_irfft fft_irfft2 fft_irfftn "
    "fft_rfft fft_rfft2 fft_rfftn polar stft view_as_complex";

}  // namespace

std::vector<CastRule> rules_against_errors(const NamedList& list, int torch_minor) {
  const CastList listed = list.for_torch(torch_minor);
  const CastList native = list_named("native").for_torch(torch_minor);
  std::vector<CastRule> rules;
  for (const std::string& name : listed.names()) {
    if (listed.find(op_name_from(name)) == CastPolicy::Banned) rules.push_back({name, CastPolicy::Fp32});
  }
  for (const std::string& name : native.names()) {
    const OpName op = op_name_from(name);
    const auto policy = native.find(op);
    const bool widens = policy == CastPolicy::Fp32 || policy == CastPolicy::Promote;
    if (widens && !listed.find(op)) rules.push_back({name, *policy});
  }
  for (const std::string_view name : words_of(kWithoutKernels)) rules.push_back({std::string(name), CastPolicy::Fp32});
  return rules;
}

}  // namespace amp
