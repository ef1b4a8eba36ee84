// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/records/dtype.h"

namespace ampprof {

/// Desired alignment of a tensor's first element in bytes: one load of a Tensor Core kernel.
inline constexpr int kFullAlignment = 16;

/// Shape and element type of one tensor argument, and its memory layout if unusual.
struct TensorInfo {
  DType dtype = DType::Unknown;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides = {};  ///< in elements; empty if the tensor is contiguous, or not recorded
  int alignment = kFullAlignment;          ///< largest power of two that divides the address, at most kFullAlignment

  bool operator==(const TensorInfo&) const = default;
};

/// Signature of an op call's inputs: its tensor arguments in schema order, and the attributes that rules need.
///
/// In the report it is text: tensors, then attributes as name=value, separated by single spaces: "f32[64,1,28,28]
/// f32[32,1,3,3] f32[32] groups=1". An undefined (None) tensor is "-". A scalar tensor is "f32[]". Strides follow the
/// shape in braces, and an alignment below 16 bytes follows "@": "f16[64,33]{40,1}@2". Only arguments of ops that
/// Tensor Core rules judge have strides and alignment.
struct Signature {
  std::vector<TensorInfo> tensors;
  std::vector<std::pair<std::string, std::string>> attributes;

  /// Returns the value of an attribute, or `fallback`.
  std::string_view attribute(std::string_view name, std::string_view fallback = "") const;

  bool operator==(const Signature&) const = default;
};

std::string to_text(const Signature& signature);

/// Parses the text of to_text(). Malformed text yields the tensors read so far: a report is untrusted input.
Signature signature_from(std::string_view text);

}  // namespace ampprof
