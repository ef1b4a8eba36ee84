// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/ScalarType.h>

#include <algorithm>
#include <array>

#include "amp_core/levels/model_type.h"

namespace amp {

/// LibTorch's reduced types, in the order of ReducedType.
inline constexpr std::array kScalarTypes{at::kHalf, at::kBFloat16};
static_assert(kScalarTypes.size() == kReducedTypes.size());

constexpr at::ScalarType scalar_type_of(ReducedType type) { return kScalarTypes[static_cast<std::size_t>(type)]; }

/// Returns LibTorch's type for a model type; empty for Unchanged.
constexpr std::optional<at::ScalarType> scalar_type_of(ModelType type) {
  if (const auto reduced = type.reduced()) return scalar_type_of(*reduced);
  return type == ModelType::Float32 ? std::optional(at::kFloat) : std::nullopt;
}

/// Returns the reduced type for LibTorch's type; empty for any other type.
constexpr std::optional<ReducedType> reduced_type_of(at::ScalarType type) {
  const auto* found = std::ranges::find(kScalarTypes, type);
  return found == kScalarTypes.end() ? std::nullopt
                                     : std::optional(static_cast<ReducedType>(found - kScalarTypes.begin()));
}

/// Returns whether `type` is a reduced type: mixed precision computes in it and keeps FP32 masters.
constexpr bool is_reduced(at::ScalarType type) { return reduced_type_of(type).has_value(); }

}  // namespace amp
