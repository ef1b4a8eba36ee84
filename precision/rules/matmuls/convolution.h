// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "precision/rules/matmuls/matmul.h"

namespace ampprof::rules {

/// Returns where a convolution's operands stand among its tensors. `op` is a plain name; empty for other ops.
std::optional<Operands> convolution_operands(std::string_view op, const Signature& signature);

/// Reads a convolution, or its backward, as the implicit GEMM that computes it. `op` is a plain name; empty for other ops
/// and for shapes that cannot be.
std::optional<Matmul> matmul_of_convolution(std::string_view op, const Signature& signature);

}  // namespace ampprof::rules
