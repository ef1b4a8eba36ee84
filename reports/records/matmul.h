// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ampprof {

/// A matmul of a layer y = x Wᵀ. For a product of two activations, x is the first and W the second. Numbers are stored
/// in report files: never renumber.
enum class Matmul : std::uint8_t {
  None = 0,   ///< not a matmul of a layer
  Fprop = 1,  ///< y = x Wᵀ, from x and W
  Dgrad = 2,  ///< dx = dy W, from dy and W
  Wgrad = 3,  ///< dW = dyᵀ x, from dy and x
};

/// The matmuls of a layer, in the order of all lists and tables.
inline constexpr std::array kMatmuls{Matmul::Fprop, Matmul::Dgrad, Matmul::Wgrad};

/// Returns the index in kMatmuls. `matmul` must not be None.
constexpr std::size_t matmul_index(Matmul matmul) {
  return static_cast<std::size_t>(matmul) - static_cast<std::size_t>(Matmul::Fprop);
}

/// Returns "fprop", "dgrad" or "wgrad"; "" for None. Recipe files and policies contain these names: never rename.
constexpr std::string_view name_of(Matmul matmul) {
  constexpr std::array<std::string_view, 4> kNames{"", "fprop", "dgrad", "wgrad"};
  return kNames[static_cast<std::size_t>(matmul)];
}

/// Returns the matmul with a name; empty for other names.
constexpr std::optional<Matmul> matmul_from(std::string_view name) {
  const auto* const found = std::ranges::find(kMatmuls, name, [](Matmul matmul) { return name_of(matmul); });
  return found == kMatmuls.end() ? std::nullopt : std::optional(*found);
}

}  // namespace ampprof
