// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/records/device_work.h"

namespace ampprof {

/// What a GPU did for one segment as bytes, and so in the report: about twelve bytes for a kernel.
///
/// Each work is a byte of flags: its kind, and whether device, stream, thread and graph are those of the work before.
/// Then as LEB128 numbers: zigzag differences to the work before of call site, name and start (to its end); duration;
/// launch (zigzag, back from its start, 0 where unknown); bytes, unless it is a kernel; where they are not those of the
/// work before: device, stream, thread, graph. The first work comes after one of zeros.
class WorkPacker {
 public:
  void add(const DeviceWork& work);
  const std::string& bytes() const { return bytes_; }
  std::int64_t works() const { return works_; }

 private:
  std::string bytes_;
  std::int64_t works_ = 0;
  DeviceWork last_{};
};

/// Reads what a WorkPacker wrote; `segment` is in none of the bytes. Empty for bytes that it cannot have written.
std::optional<std::vector<DeviceWork>> unpack_works(std::string_view bytes, std::int64_t segment);

}  // namespace ampprof
