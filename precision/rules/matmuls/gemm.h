// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "precision/rules/matmuls/matmul.h"

namespace ampprof::rules {

/// Returns the indices of a GEMM's operands among its tensors. `op` is a plain name; empty for other ops.
std::optional<Operands> gemm_operands(std::string_view op);

/// Reads a GEMM's M, N, K and batch from its signature. `op` is a plain name: no namespace, overload or final "_".
/// Empty for other ops, for matrix-vector products, and for empty products.
std::optional<Matmul> matmul_of_gemm(std::string_view op, const Signature& signature);

}  // namespace ampprof::rules
