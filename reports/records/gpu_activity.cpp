// SPDX-License-Identifier: Apache-2.0
#include "reports/records/gpu_activity.h"

namespace ampprof {

std::string_view name_of(GpuActivityKind kind) {
  switch (kind) {
    case GpuActivityKind::Kernel:
      return "kernel";
    case GpuActivityKind::Memcpy:
      return "memcpy";
    case GpuActivityKind::Memset:
      return "memset";
  }
  return "kernel";
}

GpuActivityKind gpu_activity_kind_from_number(std::int64_t number) {
  return number == 1 || number == 2 ? static_cast<GpuActivityKind>(number) : GpuActivityKind::Kernel;
}

}  // namespace ampprof
