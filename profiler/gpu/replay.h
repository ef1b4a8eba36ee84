// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/gpu/activity.h"
#include "profiler/gpu/activity_file.h"

namespace ampprof::profiler {

/// Reads the records of a buffer, recorded now or long ago. Names are `raw`'s and live as long as those.
ActivityBuffer activities_of(const RawBuffer& raw);

}  // namespace ampprof::profiler
