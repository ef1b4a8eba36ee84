// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/dtype_of.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <array>

namespace ampprof::tensors {
namespace {

struct TypePair {
  DType dtype;
  at::ScalarType scalar_type;
};

constexpr std::array kTypes{
    TypePair{DType::Float, at::kFloat},
    TypePair{DType::Double, at::kDouble},
    TypePair{DType::Half, at::kHalf},
    TypePair{DType::BFloat16, at::kBFloat16},
    TypePair{DType::Float8E4M3, at::kFloat8_e4m3fn},
    TypePair{DType::Float8E5M2, at::kFloat8_e5m2},
    TypePair{DType::Bool, at::kBool},
    TypePair{DType::UInt8, at::kByte},
    TypePair{DType::Int8, at::kChar},
    TypePair{DType::Int16, at::kShort},
    TypePair{DType::Int32, at::kInt},
    TypePair{DType::Int64, at::kLong},
};

}  // namespace

DType dtype_of(const at::Tensor& tensor) { return dtype_of(tensor.scalar_type()); }

DType dtype_of(c10::ScalarType type) {
  if (at::isComplexType(type)) return DType::Complex;
  const auto* found = std::ranges::find(kTypes, type, &TypePair::scalar_type);
  return found == kTypes.end() ? DType::Unknown : found->dtype;
}

std::optional<c10::ScalarType> scalar_type_of(DType dtype) {
  const auto* found = std::ranges::find(kTypes, dtype, &TypePair::dtype);
  return found == kTypes.end() ? std::nullopt : std::optional(found->scalar_type);
}

}  // namespace ampprof::tensors
