// SPDX-License-Identifier: Apache-2.0
#include "precision/error/spacing.h"

namespace ampprof {

Spacing spacing_of(DType dtype) {
  switch (dtype) {
    case DType::Half:
      return {10, -14};
    case DType::BFloat16:
      return {7, -126};
    case DType::Float8E4M3:
      return {3, -6};
    case DType::Float8E5M2:
      return {2, -14};
    case DType::Double:
      return {52, -900};
    default:
      return {23, -126};
  }
}

}  // namespace ampprof
