// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "precision/rules/matmuls/matmul.h"

namespace ampprof::rules {

/// Returns the indices of a convolution's operands among its tensors. `op` is a plain name; empty for other ops.
std::optional<Operands> convolution_operands(std::string_view op, const Signature& signature);

/// Reads a convolution, or its backward, as an implicit GEMM. `op` is a plain name. Empty for other ops and for
/// impossible shapes.
std::optional<Matmul> matmul_of_convolution(std::string_view op, const Signature& signature);

}  // namespace ampprof::rules
