// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace ampprof {

/// Element type of a tensor. The numbers are stored in report files: never renumber.
enum class DType : std::uint8_t {
  Unknown = 0,
  Float = 1,
  Double = 2,
  Half = 3,
  BFloat16 = 4,
  Float8E4M3 = 5,
  Float8E5M2 = 6,
  Bool = 7,
  UInt8 = 8,
  Int8 = 9,
  Int16 = 10,
  Int32 = 11,
  Int64 = 12,
  Complex = 13,
};

/// Returns the short name as in signatures: f32, f64, f16, bf16, f8e4m3, f8e5m2, b8, u8, i8, i16, i32, i64, complex,
/// "?".
std::string_view short_name(DType dtype);

/// Returns the type with a number from a file; Unknown for an invalid number.
constexpr DType dtype_from_number(std::int64_t number) {
  const bool known = number >= 0 && number <= static_cast<std::int64_t>(DType::Complex);
  return known ? static_cast<DType>(number) : DType::Unknown;
}

/// Returns the type with a short_name(); Unknown for other text.
DType dtype_from(std::string_view short_name);

/// Returns true for floating types of 16 bits or fewer.
constexpr bool is_reduced_precision(DType dtype) {
  return dtype == DType::Half || dtype == DType::BFloat16 || dtype == DType::Float8E4M3 || dtype == DType::Float8E5M2;
}

/// Returns the bytes of one element; 0 for Unknown, 8 for Complex.
int size_of(DType dtype);

}  // namespace ampprof
