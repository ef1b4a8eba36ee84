// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/records/dtype.h"

namespace ampprof {

/// Bytes that the address of a tensor's first element should be a multiple of: one load of a Tensor Core kernel.
inline constexpr int kFullAlignment = 16;

/// Shape and element type of one tensor argument, and how it lies in memory where that is out of the ordinary.
struct TensorInfo {
  DType dtype = DType::Unknown;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides = {};  ///< in elements; empty where the tensor is contiguous, or nobody asked
  int alignment = kFullAlignment;          ///< largest power of two that divides the address, at most kFullAlignment

  bool operator==(const TensorInfo&) const = default;
};

/// Signature of what an op call received: its tensor arguments in schema order and the attributes that rules need.
///
/// As text, and so in the report: tensors, then attributes as name=value, separated by one blank:
/// "f32[64,1,28,28] f32[32,1,3,3] f32[32] groups=1". An undefined (None) tensor is "-". A scalar tensor is "f32[]".
/// Strides stand in braces behind the shape, an alignment of less than 16 bytes behind "@": "f16[64,33]{40,1}@2". Only
/// the arguments of ops that the Tensor Core rules judge have them.
struct Signature {
  std::vector<TensorInfo> tensors;
  std::vector<std::pair<std::string, std::string>> attributes;

  /// Value of an attribute, or `fallback`.
  std::string_view attribute(std::string_view name, std::string_view fallback = "") const;

  bool operator==(const Signature&) const = default;
};

std::string to_text(const Signature& signature);

/// Reads what to_text() wrote. Text that is malformed yields the tensors read so far: a report is untrusted input.
Signature signature_from(std::string_view text);

}  // namespace ampprof
