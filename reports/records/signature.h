// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/records/dtype.h"

namespace ampprof {

/// Shape and element type of one tensor argument.
struct TensorInfo {
  DType dtype = DType::Unknown;
  std::vector<std::int64_t> shape;

  bool operator==(const TensorInfo&) const = default;
};

/// What an op call received: its tensor arguments in schema order and the attributes that rules need.
///
/// As text, and so in the report: tensors, then attributes as name=value, separated by one blank:
/// "f32[64,1,28,28] f32[32,1,3,3] f32[32] groups=1". An undefined (None) tensor is "-". A scalar tensor is "f32[]".
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
