// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "precision/kernels/kernel_facts.h"
#include "precision/kernels/name_words.h"

namespace ampprof {

/// One way to tell from a kernel's name whether it ran on Tensor Cores. The first rule that matches decides.
struct NameRule {
  std::string_view id;       ///< in JSON: never rename
  std::string_view summary;  ///< one line, for lists and tooltips
  Executed executed = Executed::Unknown;
  bool (*matches)(const NameWords&) = nullptr;
  bool multiplies = false;  ///< where Tensor Cores are not used, still a product: worth a word if it reads 16 bits
  Confidence confidence = Confidence::High;
};

/// All rules in the order they are asked.
std::span<const NameRule> name_rules();

/// By the first row of a table whose text is in the name.
KernelKind kind_of(const NameWords& name);

/// True for names of CUDA's and PyTorch's own kernels, whose words mean what they say.
bool is_of_known_library(const NameWords& name);

/// Number types, tile and architecture. Reads the naming of xmma, cuBLAS and cuDNN, CUTLASS 2 and 3, nvjet and fused
/// attention; what else there is stays empty.
KernelTypes types_of(const NameWords& name);
std::optional<Tile> tile_of(const NameWords& name);
std::optional<int> architecture_of(const NameWords& name);

}  // namespace ampprof
