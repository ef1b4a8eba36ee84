// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "precision/formats/types/spacing.h"
#include "reports/records/dtype.h"

namespace ampprof::error {

/// A type in which `--what-if` judges an FP32 program: an index into kNumberFormats. To add one: an enumerator and a
/// row here. TF32 is the part of an FP32 value that Tensor Cores read: the range of FP32, but ten mantissa bits.
enum class WhatIfType : std::uint8_t { Half, BFloat16, TensorFloat32, Float8E4M3, Float8E5M2 };

/// Range and precision of a floating type.
struct NumberFormat {
  std::string_view name;  ///< on the command line and in reports: never rename
  DType dtype;            ///< DType of tensors with this type; Float for TF32, which is not a tensor type
  int mantissa_bits;      ///< stored bits, without the leading 1
  int min_exponent;       ///< exponent of the smallest normal value, 2^min_exponent
  double largest;         ///< largest finite value
  double overflow;        ///< the smallest magnitude that does not round to a finite value
  bool has_infinity;      ///< overflows become inf; if false, NaN, so that they show, although casts may saturate

  /// Tells whether only operands have the type: Tensor Cores cut FP32 operands to TF32, but results are FP32.
  constexpr bool is_input_only() const { return dtype == DType::Float; }
  constexpr Spacing spacing() const { return {mantissa_bits, min_exponent}; }
};

/// Formats in the order of WhatIfType. Largest values are written with all their bits: 0x1.ffcp15 is 65504. The
/// mantissa of the largest E4M3 value ends in a 0 bit, so that the tie 464 rounds down to it.
inline constexpr std::array<NumberFormat, 5> kNumberFormats{{
    {"fp16", DType::Half, 10, -14, 0x1.ffcp15, 0x1.ffep15, true},
    {"bf16", DType::BFloat16, 7, -126, 0x1.fep127, 0x1.ffp127, true},
    {"tf32", DType::Float, 10, -126, 0x1.ffcp127, 0x1.ffep127, true},
    {"fp8e4m3", DType::Float8E4M3, 3, -6, 0x1.cp8, 0x1.d000000000001p8, false},
    {"fp8e5m2", DType::Float8E5M2, 2, -14, 0x1.cp15, 0x1.ep15, true},
}};

constexpr const NumberFormat& format_of(WhatIfType type) { return kNumberFormats[static_cast<std::size_t>(type)]; }

/// Returns the type with this name; empty for an unknown name.
constexpr std::optional<WhatIfType> what_if_type(std::string_view name) {
  for (std::size_t i = 0; i < kNumberFormats.size(); ++i) {
    if (kNumberFormats[i].name == name) return static_cast<WhatIfType>(i);
  }
  return std::nullopt;
}

}  // namespace ampprof::error
