// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "precision/rules/matmuls/matmul.h"

namespace ampprof::rules {

/// Returns where a GEMM's operands stand among its tensors. `op` is a plain name; empty for other ops.
std::optional<Operands> gemm_operands(std::string_view op);

/// Reads a GEMM's M, N, K and batch from what the op received. `op` is a plain name: no namespace, overload or final
/// "_". Empty for other ops, for shapes that make it a matrix-vector product, and where nothing is multiplied.
std::optional<Matmul> matmul_of_gemm(std::string_view op, const Signature& signature);

}  // namespace ampprof::rules
