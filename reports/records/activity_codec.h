// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/records/chunk_codec.h"
#include "reports/records/gpu_activity.h"

namespace ampprof {

/// Writes what a GPU did for one segment as bytes, and so in the report: about twelve bytes for a kernel.
///
/// Each activity is a byte of flags: its kind, and whether device, stream, thread and graph are those of the activity
/// before. Then as LEB128 numbers: zigzag differences to the activity before of call site, name and start (to its end);
/// duration; launch (zigzag, back from its start, 0 where unknown); bytes, unless it is a kernel; where they are not
/// those of the activity before: device, stream, thread, graph. The first activity comes after one of zeros.
class ActivityEncoder {
 public:
  void add(const GpuActivity& activity);
  const std::string& bytes() const { return bytes_; }
  std::int64_t activities() const { return activities_; }

 private:
  std::string bytes_;
  std::int64_t activities_ = 0;
  GpuActivity last_{};
};

/// Reads what an ActivityEncoder of this codec wrote; `segment` is in none of the bytes. Empty for bytes that none can
/// have written.
std::optional<std::vector<GpuActivity>> decode_activities(std::string_view bytes, std::int64_t segment,
                                                          ChunkCodec codec);

}  // namespace ampprof
