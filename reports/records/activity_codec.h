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
/// Each activity begins with a byte of flags: its kind, and whether device, stream, thread and graph equal those of the
/// activity before. LEB128 numbers follow. First, zigzag differences to the activity before of call site, name and
/// start (relative to its end). Then duration; launch (zigzag, back from its start, 0 if unknown); bytes, unless it is
/// a kernel. Then, if they differ from the activity before: device, stream, thread, graph. The first activity follows
/// one of zeros.
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

/// Decodes the bytes of an ActivityEncoder of this codec. The bytes do not contain `segment`. Empty for bytes that no
/// encoder can have written.
std::optional<std::vector<GpuActivity>> decode_activities(std::string_view bytes, std::int64_t segment,
                                                          ChunkCodec codec);

}  // namespace ampprof
