// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "precision/kernel_names/classify.h"
#include "precision/kernel_names/name_words.h"

/// Number types, tile and architecture from the naming of xmma, cuBLAS and cuDNN, CUTLASS 2 and 3, nvjet and fused
/// attention. What a name does not say stays empty.
namespace ampprof::kernel_names {

KernelTypes types_of(const NameWords& name);
std::optional<Tile> tile_of(const NameWords& name);
std::optional<int> architecture_of(const NameWords& name);

}  // namespace ampprof::kernel_names
