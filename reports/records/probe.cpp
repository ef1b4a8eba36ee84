// SPDX-License-Identifier: Apache-2.0
#include "reports/records/probe.h"

namespace ampprof {

std::string_view name_of(const Arithmetic& arithmetic) {
  switch (arithmetic.dtype) {
    case DType::Half:
      return "fp16";
    case DType::BFloat16:
      return "bf16";
    case DType::Float:
      return arithmetic.tf32 ? "tf32" : "fp32";
    case DType::Double:
      return "fp64";
    default:
      return short_name(arithmetic.dtype);
  }
}

}  // namespace ampprof
