// SPDX-License-Identifier: Apache-2.0
#include "reports/records/gpu_activity.h"

#include "reports/records/enum_names.h"

namespace ampprof {

std::string_view name_of(GpuActivityKind kind) {
  constexpr std::array<std::string_view, 3> kTexts{"kernel", "memcpy", "memset"};
  return text_among(kTexts, kind, "kernel");
}

GpuActivityKind gpu_activity_kind_from_number(std::int64_t number) {
  return number == 1 || number == 2 ? static_cast<GpuActivityKind>(number) : GpuActivityKind::Kernel;
}

}  // namespace ampprof
