// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "precision/rules/matmuls/matmul.h"

namespace ampprof::rules {

/// Reads an embedding. It has no matmul, but its width and vocabulary are sizes of later matmuls. `op` is a plain name;
/// empty for other ops.
std::optional<Matmul> matmul_of_embedding(std::string_view op, const Signature& signature);

}  // namespace ampprof::rules
