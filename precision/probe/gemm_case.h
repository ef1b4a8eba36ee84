// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "precision/probe/case.h"

namespace ampprof::probe {

/// Reads a GEMM's sizes and layouts from what the op received. `op` is a plain name; an operand of another type than
/// `computed_in` was cast on the way, and the copy is laid out whole. Empty for other ops, and where the signature does
/// not tell all sizes or tells impossible ones: a report is untrusted.
std::optional<GemmCase> gemm_case(std::string_view op, const Signature& signature, DType computed_in);

}  // namespace ampprof::probe
