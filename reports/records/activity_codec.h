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

/// Encodes the GPU activities of one segment as bytes for the report: about twelve bytes for a kernel.
///
/// Each activity begins with a byte of flags: its kind, whether device, stream, thread and graph equal those of the
/// previous activity, and whether its launch is known. LEB128 numbers follow, in this order: call site, name and start,
/// as zigzag differences to call site, name and end of the previous activity; the duration; the time from launch to
/// start in zigzag encoding, if the launch is known; the bytes, unless the activity is a kernel; device, stream, thread
/// and graph, unless all equal those of the previous activity. The first activity is encoded relative to an activity of
/// zeros.
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

/// Decodes bytes that an ActivityEncoder wrote with this codec. The bytes do not contain `segment`. Empty for bytes
/// that no encoder can have written.
std::optional<std::vector<GpuActivity>> decode_activities(std::string_view bytes, std::int64_t segment,
                                                          ChunkCodec codec);

}  // namespace ampprof
