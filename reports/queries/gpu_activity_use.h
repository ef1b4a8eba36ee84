// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "reports/records/gpu_activity.h"

namespace ampprof::queries {

/// A kernel that ran, a memcpy or a memset, by name.
struct GpuActivityUse {
  std::string name;  ///< a kernel's mangled name, "memcpy host to device", "memset"
  GpuActivityKind kind = GpuActivityKind::Kernel;
  std::int64_t count = 0;
  double gpu_us = 0.0;     ///< sum over the activities
  std::int64_t bytes = 0;  ///< for memcpys and memsets
};

}  // namespace ampprof::queries
