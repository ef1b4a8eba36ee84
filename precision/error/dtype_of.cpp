// SPDX-License-Identifier: Apache-2.0
#include "precision/error/dtype_of.h"

#include <ATen/core/Tensor.h>

namespace ampprof {

DType dtype_of(const at::Tensor& tensor) { return dtype_of(tensor.scalar_type()); }

DType dtype_of(c10::ScalarType type) {
  switch (type) {
    case at::kFloat:
      return DType::Float;
    case at::kDouble:
      return DType::Double;
    case at::kHalf:
      return DType::Half;
    case at::kBFloat16:
      return DType::BFloat16;
    case at::kFloat8_e4m3fn:
      return DType::Float8E4M3;
    case at::kFloat8_e5m2:
      return DType::Float8E5M2;
    case at::kBool:
      return DType::Bool;
    case at::kByte:
      return DType::UInt8;
    case at::kChar:
      return DType::Int8;
    case at::kShort:
      return DType::Int16;
    case at::kInt:
      return DType::Int32;
    case at::kLong:
      return DType::Int64;
    case at::kComplexFloat:
    case at::kComplexDouble:
    case at::kComplexHalf:
      return DType::Complex;
    default:
      return DType::Unknown;
  }
}

}  // namespace ampprof
