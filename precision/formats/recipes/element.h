// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "precision/formats/types/number_format.h"

namespace ampprof::recipes {

/// A type of operands that Tensor Cores read. The first five are those of error::WhatIfType, in the same order.
enum class Element : std::uint8_t { Half, BFloat16, TensorFloat32, Float8E4M3, Float8E5M2, Float4E2M1 };

constexpr int kElements = 6;

/// E2M1 has the values 0, 0.5, 1, 1.5, 2, 3, 4 and 6, and neither inf nor NaN (OCP Microscaling Formats 1.0, 5.3.3). 7
/// is the tie that would round to 8.
inline constexpr error::NumberFormat kFloat4E2M1{"fp4e2m1", DType::Unknown, 1, 0, 6.0, 7.0, false};

constexpr const error::NumberFormat& format_of(Element element) {
  if (element == Element::Float4E2M1) return kFloat4E2M1;
  return error::kNumberFormats[static_cast<std::size_t>(element)];
}

/// Returns the type whose format_of() has this name; empty for an unknown name.
constexpr std::optional<Element> element_named(std::string_view name) {
  for (int i = 0; i < kElements; ++i) {
    if (format_of(static_cast<Element>(i)).name == name) return static_cast<Element>(i);
  }
  return std::nullopt;
}

/// Returns true for types of 8 bits or fewer: values are scaled into the range of the type and saturate.
constexpr bool needs_scale(Element element) { return element >= Element::Float8E4M3; }

}  // namespace ampprof::recipes
