// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/types/spacing.h"

#include "precision/formats/types/number_format.h"

namespace ampprof::error {

Spacing spacing_of(DType dtype) {
  if (dtype == DType::Double) return {52, -900};
  for (const NumberFormat& format : kNumberFormats) {
    if (format.dtype == dtype && !format.is_input_only()) return format.spacing();
  }
  return {23, -126};
}

}  // namespace ampprof::error
