// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "precision/formats/types/spacing.h"
#include "reports/records/dtype.h"

namespace ampprof::error {

/// A type that a program in FP32 can be judged in: an index of kNumberFormats. To add one: an enumerator and a row
/// here. TF32 is what Tensor Cores read of an FP32 value: its range, but ten bits of mantissa.
enum class WhatIfType : std::uint8_t { Half, BFloat16, TensorFloat32, Float8E4M3, Float8E5M2 };

/// Range and precision of a floating type.
struct NumberFormat {
  std::string_view name;  ///< as on the command line and in reports: never rename
  DType dtype;            ///< of tensors that hold it; Float for TF32, of which there are none
  int mantissa_bits;      ///< stored ones, without the leading 1
  int min_exponent;       ///< of the smallest normal value, 2^min_exponent
  double largest;         ///< largest finite value
  double overflow;        ///< the smallest magnitude that does not round to a finite value
  bool has_infinity;      ///< what is too large becomes inf; NaN without, so that it is seen, where a cast may saturate

  /// Whether it is a way to read FP32 values, and results come out in FP32.
  constexpr bool is_input_only() const { return dtype == DType::Float; }
  constexpr Spacing spacing() const { return {mantissa_bits, min_exponent}; }
};

/// In the order of WhatIfType. Largest values are written with all their bits: 0x1.ffcp15 is 65504. The largest E4M3
/// value ends in a 0 bit, so that a tie, 464, still rounds down to it.
inline constexpr std::array<NumberFormat, 5> kNumberFormats{{
    {"fp16", DType::Half, 10, -14, 0x1.ffcp15, 0x1.ffep15, true},
    {"bf16", DType::BFloat16, 7, -126, 0x1.fep127, 0x1.ffp127, true},
    {"tf32", DType::Float, 10, -126, 0x1.ffcp127, 0x1.ffep127, true},
    {"fp8e4m3", DType::Float8E4M3, 3, -6, 0x1.cp8, 0x1.d000000000001p8, false},
    {"fp8e5m2", DType::Float8E5M2, 2, -14, 0x1.cp15, 0x1.ep15, true},
}};

constexpr const NumberFormat& format_of(WhatIfType type) { return kNumberFormats[static_cast<std::size_t>(type)]; }

/// Returns the type of this name; empty where there is none.
constexpr std::optional<WhatIfType> what_if_type(std::string_view name) {
  for (std::size_t i = 0; i < kNumberFormats.size(); ++i) {
    if (kNumberFormats[i].name == name) return static_cast<WhatIfType>(i);
  }
  return std::nullopt;
}

}  // namespace ampprof::error
