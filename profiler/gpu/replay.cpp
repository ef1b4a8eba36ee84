// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/replay.h"

#include "profiler/gpu/from_cupti.h"

namespace ampprof::profiler {

ActivityBuffer activities_of(const RawBuffer& raw) {
  ActivityBuffer buffer{.clock = raw.clock, .activities = {}, .dropped = raw.dropped, .is_cut_short = raw.is_cut_short};
  buffer.activities.reserve(raw.records.size());
  for (const RawRecord& record : raw.records) {
    buffer.activities.push_back(activity_of(record.bytes, record.name.value_or("")));
  }
  return buffer;
}

}  // namespace ampprof::profiler
