// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/probe/case.h"

/// Cases from signatures. `op` is a plain name. Empty where the op is none of the kind, and where the signature does
/// not tell all sizes or tells impossible ones: a report is untrusted.
namespace ampprof {

/// `computed_in`: a factor of another type was cast on the way, and the copy lies well.
std::optional<GemmCase> gemm_case(std::string_view op, const Signature& signature, DType computed_in);

std::optional<ConvolutionCase> convolution_case(std::string_view op, const Signature& signature);

/// More than any library multiplies at once.
inline constexpr std::int64_t kMostOfASize = (std::int64_t{1} << 31) - 1;

}  // namespace ampprof
