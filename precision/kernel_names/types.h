// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "precision/kernel_names/classify.h"
#include "precision/kernel_names/name_words.h"

/// Reads number types, tile and architecture from names in the schemes of xmma, cuBLAS and cuDNN, CUTLASS 2 and 3,
/// nvjet and fused attention. Facts that a name does not tell stay empty.
namespace ampprof::kernel_names {

KernelTypes types_of(const NameWords& name);
std::optional<Tile> tile_of(const NameWords& name);
std::optional<int> architecture_of(const NameWords& name);

}  // namespace ampprof::kernel_names
