// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/gpu/activity.h"
#include "profiler/gpu/activity_file.h"

namespace ampprof::profiler {

/// Reads the records of a buffer, from CUPTI or from a file. Names of the result are views of the names in `raw`.
ActivityBuffer activities_of(const RawBuffer& raw);

}  // namespace ampprof::profiler
